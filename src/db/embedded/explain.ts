import { statfsSync } from 'node:fs';
import { StartError } from '../../lib/start-error.ts';

/**
 * A disk with less room than this counts as full: PostgreSQL's log is on it too, so its own words may be
 * missing.
 */
const FULL_BELOW_BYTES = 1024 * 1024;

interface Attempt {
  /** What was tried, as the beginning of a sentence: "PostgreSQL cannot start". */
  readonly what: string;
  readonly location: string;
  /** What the programs printed, or the text of the error. */
  readonly output: string;
  readonly cause?: unknown;
}

/** Turns the failure of initdb, of postgres or of our own file work into one line that says what to do. */
export function explain({ what, location, output, cause }: Attempt): StartError {
  return new StartError(`${what} in ${location}: ${reasonOf(output, location)}`, { cause });
}

function reasonOf(output: string, location: string): string {
  if (/pre-existing shared memory block/.test(output)) {
    return 'processes of an earlier PostgreSQL still use the data; end them (ps -C postgres)';
  }
  // Shared memory is a file system too and reports "No space left on device", so it is looked for first.
  if (/could not [^\n]*shared memory|shmget/.test(output)) {
    const how = 'raise it (docker: --shm-size=256m) or set DATABASE_URL';
    return `not enough shared memory (${lastWords(output)}); ${how}`;
  }
  if (/ENOSPC|EDQUOT|No space left on device|Disk quota exceeded/.test(output) || isFull(location)) {
    return 'no space left on the disk; make room or set DATA_DIR to another disk';
  }
  if (/EROFS|Read-only file system/.test(output)) {
    return 'the file system is read-only; set DATA_DIR to a writable directory';
  }
  if (
    /EACCES|EPERM|Permission denied|Operation not permitted|wrong ownership|invalid permissions/.test(output)
  ) {
    return `permission denied (${lastWords(output)}); make it accessible or set DATA_DIR to another directory`;
  }
  return lastWords(output);
}

function isFull(location: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(location);
    return bavail * bsize < FULL_BELOW_BYTES;
  } catch {
    return false;
  }
}

/** The last line that names an error, without its time stamp; else the last line. */
function lastWords(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const telling = lines.findLast((line) => /\b(FATAL|PANIC|ERROR|error|fatal)\b/.test(line)) ?? lines.at(-1);
  return telling?.replace(/^.*?\b(FATAL|PANIC|ERROR):\s*/, '') ?? 'it gave no reason';
}
