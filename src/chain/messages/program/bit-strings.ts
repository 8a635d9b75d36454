import type { Slice } from '../../boc/slice.ts';
import { hasBits } from './numbers.ts';
import type { Environment, Reader } from './run.ts';

// Used again for every string: nothing here calls back while it holds something.
const scratch = Buffer.alloc(128);

/** A bit string of a fixed width. */
export function bitsReader(bits: number): Reader {
  return (_run, slice) => (hasBits(slice, bits) ? `"${readHex(slice, bits)}"` : undefined);
}

/** A bit string whose length was told before it. */
export function bitsOfReader(length: (env: Environment) => number): Reader {
  return (_run, slice, env) => {
    const bits = length(env);
    return hasBits(slice, bits) ? `"${readHex(slice, bits)}"` : undefined;
  };
}

/** Bits that are there, in hex. A last digit of fewer than four bits is completed by a one and zeros, and marked. */
export function readHex(slice: Slice, bits: number): string {
  slice.copyBits(bits, scratch, 0);
  const isCompleted = (bits & 3) !== 0;
  if (isCompleted) scratch[bits >> 3]! |= 0x80 >> (bits & 7);
  const hex = scratch.toString('hex', 0, (bits + 7) >> 3).toUpperCase();
  const digits = (bits + 3) >> 2;
  return (hex.length === digits ? hex : hex.slice(0, digits)) + (isCompleted ? '_' : '');
}
