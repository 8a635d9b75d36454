import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** Number of computed hashes, and the time that they took. */
export interface HashMeter {
  readonly count: number;
  readonly milliseconds: number;
}

/** Measures the hashes that `work` computes in this thread, by replacing `crypto.hash`. */
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
  // Named imports follow the replacement only after this call.
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    crypto.hash = original;
    syncBuiltinESMExports();
  }
  return { count, milliseconds };
}
