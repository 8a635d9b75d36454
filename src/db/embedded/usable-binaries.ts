import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../lib/log.ts';
import { StartError } from '../../lib/start-error.ts';
import type { Account } from './account.ts';
import { type Binaries, completeLinks } from './binaries.ts';
import { copyBinaries } from './copy-binaries.ts';
import { runAs } from './run-as.ts';

/**
 * The binaries, in a place where the account can run them: where they are, or else a copy below `copyRoot`,
 * made once. A copy is needed when the checkout lies below a directory closed to the account, or when the
 * libraries' links are missing and cannot be made there.
 */
export async function usableBinaries({
  binaries,
  account,
  copyRoot,
  log,
}: {
  readonly binaries: Binaries;
  readonly account: Account | undefined;
  readonly copyRoot: () => Promise<string>;
  readonly log: Log;
}): Promise<Binaries> {
  await completeLinks(binaries);
  const obstacle = whyNotRun(binaries, account);
  if (obstacle === undefined) return binaries;
  const copy = await copyBinaries(binaries, await copyRoot());
  const details = { from: binaries.native, to: copy.native, user: account?.name, obstacle };
  log.info(details, `PostgreSQL cannot run from the checkout; it runs from a copy in ${copy.native}`);
  const stillThere = whyNotRun(copy, account);
  if (stillThere === undefined) return copy;
  throw new StartError(
    `The PostgreSQL in ${copy.native} does not run: ${stillThere}; reinstall with npm ci or set DATABASE_URL`,
  );
}

/** Why `postgres --version` does not work under the account, or undefined when it does. */
function whyNotRun({ native }: Binaries, account: Account | undefined): string | undefined {
  const program = join(native, 'bin', 'postgres');
  const { error, status, stderr } = runAs(account, program, ['--version']);
  if (error === undefined) return status === 0 ? undefined : stderr.trim() || `exit code ${status}`;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' && existsSync(program)) return 'it was built for another system (it needs glibc)';
  return code === 'EACCES' ? `user ${account?.name ?? 'of this process'} has no access to it` : error.message;
}
