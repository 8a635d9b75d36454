import { spawnSync } from 'node:child_process';
import { readFileIfExists } from './files.ts';

/** The index of `starttime` in /proc/<pid>/stat, counted after the command name (proc(5): field 22). */
const START_TIME_FIELD = 19;

/**
 * Identifies a process: its number alone may be reused, in a container within seconds. The same text means the same
 * process; undefined means that no process runs under this number (a zombie does not).
 */
export function processIdentity(pid: number): string | undefined {
  if (process.platform !== 'linux') return runPs(pid, 'lstart');
  const stat = readFileIfExists(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The command name is in brackets and may contain anything, even brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return `${bootId()}:${fields[START_TIME_FIELD]}`;
}

/** The name of this process for locks: its number and its identity. */
export function ownProcessName(): string {
  return `${process.pid} ${processIdentity(process.pid)}`;
}

/** Whether the process with the name in a lock still runs. */
export function isProcessAlive(name: string): boolean {
  const space = name.indexOf(' ');
  return space > 0 && processIdentity(Number(name.slice(0, space))) === name.slice(space + 1);
}

/** One column of `ps`, for systems without /proc. */
export function runPs(pid: number, column: 'lstart' | 'command'): string | undefined {
  const { stdout, status } = spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' });
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : undefined;
}

function bootId(): string {
  return readFileIfExists('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
}
