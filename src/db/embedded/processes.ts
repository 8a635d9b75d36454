import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

const LINUX = process.platform === 'linux';
/** Where `starttime` stands in /proc/<pid>/stat, counted behind the command name (proc(5): field 22). */
const START_TIME_FIELD = 19;

/**
 * Tells one life of a process number from the next: the number is reused, in a container within seconds. The
 * same text means the same process; undefined means that none runs under this number (a zombie does not).
 */
export function processIdentity(pid: number): string | undefined {
  if (!LINUX) return ask(pid, 'lstart');
  const stat = readIfThere(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The command name is in brackets and may hold anything, brackets too.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return `${bootId()}:${fields[START_TIME_FIELD]}`;
}

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
  if (!LINUX) return commandIsPostgresOf(ask(pid, 'command') ?? '', cluster);
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

function bootId(): string {
  return readIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
}

/** One column of `ps`, for systems without /proc. */
function ask(pid: number, column: 'lstart' | 'command'): string | undefined {
  const { stdout, status } = spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' });
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : undefined;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
