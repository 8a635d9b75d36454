import { setTimeout as sleep } from 'node:timers/promises';

/** Less than the limit of a test, so that the error says what did not happen. */
const PATIENCE_MS = 240_000;
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS, GROWTH] = [5, 100, 1.5];

/**
 * Waits until a condition holds. The limit is for what hangs. Pauses grow, because asking takes CPU time from what is waited
 * for.
 */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  describe: () => string = () => 'Condition not met in time',
): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS;
  for (
    let pauseMs = FIRST_PAUSE_MS;
    !(await isSo());
    pauseMs = Math.min(pauseMs * GROWTH, LONGEST_PAUSE_MS)
  ) {
    if (performance.now() > endMs) throw new Error(describe());
    await sleep(pauseMs);
  }
}
