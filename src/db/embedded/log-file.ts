import { copyFileSync, statSync, truncateSync } from 'node:fs';

const LIMIT_BYTES = 16 * 1024 * 1024;

/**
 * Keeps PostgreSQL's log within twice the limit. PostgreSQL writes to an open file in append mode, so the
 * file is copied aside and emptied, not renamed.
 */
export function keepLogSmall(logFile: string): void {
  try {
    if (statSync(logFile).size <= LIMIT_BYTES) return;
    copyFileSync(logFile, `${logFile}.1`);
    truncateSync(logFile);
  } catch {
    // No log yet, or no room for the copy: the log is not worth a failure.
  }
}
