import { createHash, randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { processIdentity } from '../../lib/process-identity.ts';

const MARK = '.unfinished-';

/** A path beside `path` for what is being made and renamed to it when complete. */
export function uniqueName(path: string): string {
  return `${path}${MARK}${makerOf(process.pid)}-${randomBytes(4).toString('hex')}`;
}

/**
 * Removes what processes that are gone were making when they died; what cannot be removed now is left for
 * later.
 */
export async function removeUnfinished(path: string): Promise<void> {
  const prefix = `${basename(path)}${MARK}`;
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number.parseInt(name.slice(prefix.length), 10);
    if (processIdentity(pid) !== undefined && name.startsWith(`${prefix}${makerOf(pid)}-`)) continue;
    await rm(join(dirname(path), name), { recursive: true, force: true }).catch(() => {});
  }
}

/** In a container every run has the same process number, so the number alone would protect the leftovers. */
function makerOf(pid: number): string {
  const life = createHash('sha256')
    .update(String(processIdentity(pid)))
    .digest('hex')
    .slice(0, 8);
  return `${pid}-${life}`;
}
