import { expect } from 'vitest';

/** Compares buffers in one call; by default, assertions compare them byte by byte, which is slow. */
function sameBytes(a: unknown, b: unknown): boolean | undefined {
  return Buffer.isBuffer(a) && Buffer.isBuffer(b) ? a.equals(b) : undefined;
}

// Test files that share a process share the testers, so they are added once.
const shared = globalThis as { comparesBytes?: true };
if (!shared.comparesBytes) expect.addEqualityTesters([sameBytes]);
shared.comparesBytes = true;
