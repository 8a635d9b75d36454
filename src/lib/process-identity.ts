import { spawnSync } from 'node:child_process';
import { readFileIfExists } from './files.ts';

/** Where `starttime` stands in /proc/<pid>/stat, counted behind the command name (proc(5): field 22). */
const START_TIME_FIELD = 19;

/**
 * Tells one life of a process number from the next: the number is reused, in a container within seconds. The
 * same text means the same process; undefined means that none runs under this number (a zombie does not).
 */
export function processIdentity(pid: number): string | undefined {
  if (process.platform !== 'linux') return askPs(pid, 'lstart');
  const stat = readFileIfExists(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The command name is in brackets and may hold anything, brackets too.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return `${bootId()}:${fields[START_TIME_FIELD]}`;
}

/** The name of this process as locks keep it: its number, and which life of that number it is. */
export function ownProcessName(): string {
  return `${process.pid} ${processIdentity(process.pid)}`;
}

/** Whether the process that a lock names still runs. */
export function isProcessAlive(name: string): boolean {
  const space = name.indexOf(' ');
  return space > 0 && processIdentity(Number(name.slice(0, space))) === name.slice(space + 1);
}

/** One column of `ps`, for systems without /proc. */
export function askPs(pid: number, column: 'lstart' | 'command'): string | undefined {
  const { stdout, status } = spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' });
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : undefined;
}

function bootId(): string {
  return readFileIfExists('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
}
