import { statSync } from 'node:fs';
import { askPs, processIdentity } from '../../lib/process-identity.ts';
import { readIfThere } from '../../lib/read-if-there.ts';

const LINUX = process.platform === 'linux';
/** Whether the process is still the one that had this identity. */
export function stillRuns({ pid, identity }: { readonly pid: number; readonly identity: string }): boolean {
  if (LINUX) return processIdentity(pid) === identity;
  try {
    // Asked twice a second: starting `ps` for it would cost more than the certainty is worth.
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/**
 * Whether the process is a PostgreSQL on this data directory; PostgreSQL makes that its working directory.
 */
export function isPostgresOf(pid: number, cluster: string): boolean {
  if (processIdentity(pid) === undefined) return false;
  if (!LINUX) return commandIsPostgresOf(askPs(pid, 'command') ?? '', cluster);
  if (readIfThere(`/proc/${pid}/comm`)?.trim() !== 'postgres') return false;
  try {
    const [its, ours] = [statSync(`/proc/${pid}/cwd`), statSync(cluster)];
    return its.dev === ours.dev && its.ino === ours.ino;
  } catch {
    // Hardened kernels hide the working directory of other users' processes, but not the command line.
    const command = readIfThere(`/proc/${pid}/cmdline`) ?? '';
    return commandIsPostgresOf(command.replaceAll('\0', ' '), cluster);
  }
}

function commandIsPostgresOf(command: string, cluster: string): boolean {
  return command.includes('postgres') && command.includes(`-D ${cluster} `);
}
