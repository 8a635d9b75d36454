import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** How many hashes were computed, and how long that took in milliseconds. */
export interface HashMeter {
  readonly count: number;
  readonly milliseconds: number;
}

/** Measures the hashing of some work, by a clock around each hash of this thread. */
export async function meterHashes(work: () => Promise<void>): Promise<HashMeter> {
  const original = crypto.hash;
  let count = 0;
  let milliseconds = 0;
  const metered = (...args: Parameters<typeof original>): ReturnType<typeof original> => {
    const started = performance.now();
    const result = original(...args);
    milliseconds += performance.now() - started;
    count++;
    return result;
  };
  crypto.hash = metered as typeof original;
  // Makes the named imports of all modules follow.
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    crypto.hash = original;
    syncBuiltinESMExports();
  }
  return { count, milliseconds };
}
