import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

const BACKGROUND_NICE = 10;

/**
 * Lets other threads and processes come before the calling thread when processors are short. On Linux the priority is one of a
 * thread. Elsewhere it would be that of the whole process, so nothing is changed.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(threadId, BACKGROUND_NICE);
  } catch {
    // Without the right to do so it works as all others.
  }
}
