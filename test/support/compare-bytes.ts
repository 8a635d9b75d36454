import { expect } from 'vitest';

/** Compares bytes at once; by itself an assertion looks at each of them as it looks at any value. */
function sameBytes(a: unknown, b: unknown): boolean | undefined {
  return Buffer.isBuffer(a) && Buffer.isBuffer(b) ? a.equals(b) : undefined;
}

// Files that share a process share what is set here.
const whole = globalThis as { comparesBytes?: true };
if (!whole.comparesBytes) expect.addEqualityTesters([sameBytes]);
whole.comparesBytes = true;
