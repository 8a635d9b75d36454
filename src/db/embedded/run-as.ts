import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { StartError } from '../../lib/start-error.ts';
import type { Account } from './account.ts';

const TIMEOUT_MS = 20_000;

/**
 * How a program of PostgreSQL is started: under the account, and blind to the PG… variables of our own
 * surroundings.
 */
export function surroundings(account: Account | undefined) {
  return {
    // Ours may be a directory that the account cannot enter.
    cwd: '/',
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' } as Record<string, string>,
    ...(account === undefined ? {} : { uid: account.uid, gid: account.gid }),
  };
}

/** Runs a short program under the account and waits for it; whether it worked is for the caller to read. */
export function runAs(
  account: Account | undefined,
  program: string,
  args: readonly string[],
): SpawnSyncReturns<string> {
  const result = spawnSync(program, args, {
    ...surroundings(account),
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
  });
  const code = (result.error as NodeJS.ErrnoException | undefined)?.code;
  if (account !== undefined && (code === 'EPERM' || code === 'EINVAL')) {
    throw new StartError(
      `PostgreSQL does not run as root, and this root may not become the user ${account.name} (${code}); ` +
        'start tongate as an ordinary user or set DATABASE_URL',
      { cause: result.error },
    );
  }
  return result;
}

/** Whether the account can enter a directory; tried out, since modes alone do not tell. */
export function canEnter(account: Account | undefined, directory: string): boolean {
  return runAs(account, '/bin/sh', ['-c', 'cd -- "$0"', directory]).status === 0;
}
