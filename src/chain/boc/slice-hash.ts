import { hash as hashOnce } from 'node:crypto';
import { CellFault } from './cell-fault.ts';
import { MAX_DEPTH } from './cell-kind.ts';
import type { Cells } from './cells.ts';
import type { Slice } from './slice.ts';

/** What the hash of a parent takes from a child. */
export interface CellDigest {
  readonly hash: Buffer;
  readonly depth: number;
}

const HASH_BYTES = 32;
const MAX_BITS = 1023;
const MAX_REFS = 4;

// Used again for every hash: nothing here calls back while it holds something.
const scratch = Buffer.alloc(2 + 128 + MAX_REFS * (2 + HASH_BYTES));

/**
 * The hash of what is left of a slice as an ordinary cell of its own, seen through pruned branches (level 0). The
 * slice stays where it is.
 */
export function hashOfRest(slice: Slice): Buffer {
  const { cells, cell, bit, refAt, refEnd } = slice;
  const bits = slice.bitsLeft;
  slice.copyBits(bits, scratch, 2);
  slice.bit = bit;
  let end = startCell(bits, refEnd - refAt);
  for (let i = refAt; i < refEnd; i++) {
    const depth = cells.depth(cells.ref(cell, i), 0);
    scratch[end++] = depth >> 8;
    scratch[end++] = depth;
  }
  for (let i = refAt; i < refEnd; i++) {
    cells.copyHash(cells.ref(cell, i), 0, scratch, end);
    end += HASH_BYTES;
  }
  return digestOfScratch(end);
}

/** The depth of what is left of a slice as a cell of its own, seen through pruned branches. */
export function depthOfRest(slice: Slice): number {
  const { cells, cell, refAt, refEnd } = slice;
  let depth = 0;
  for (let i = refAt; i < refEnd; i++) depth = Math.max(depth, cells.depth(cells.ref(cell, i), 0) + 1);
  return depth;
}

/** Hash and depth of what is left of a slice, to hash a cell that refers to it. */
export function digestOfRest(slice: Slice): CellDigest {
  return { hash: hashOfRest(slice), depth: depthOfRest(slice) };
}

/** Hash and depth of a cell seen through pruned branches (level 0), to hash a cell that refers to it. */
export function digestOfCell(cells: Cells, cell: number): CellDigest {
  return { hash: cells.hash(cell, 0), depth: cells.depth(cell, 0) };
}

/** The hash of an ordinary cell that is nowhere yet: `bits` bits from the start of `data`, and its children. */
export function hashOfParts(data: Uint8Array, bits: number, refs: readonly CellDigest[]): Buffer {
  if (bits > MAX_BITS || bits > data.length * 8) throw new CellFault('too many bits for a cell');
  if (refs.length > MAX_REFS) throw new CellFault('too many references for a cell');
  scratch.set(data.subarray(0, (bits + 7) >> 3), 2);
  let end = startCell(bits, refs.length);
  for (const { depth } of refs) {
    if (depth >= MAX_DEPTH) throw new CellFault('the cells are too deep');
    scratch[end++] = depth >> 8;
    scratch[end++] = depth;
  }
  for (const { hash } of refs) {
    scratch.set(hash, end);
    end += HASH_BYTES;
  }
  return digestOfScratch(end);
}

/** Writes the descriptors around data that is in place, and completes its last byte; gives where the data ends. */
function startCell(bits: number, refs: number): number {
  const end = 2 + ((bits + 7) >> 3);
  scratch[0] = refs;
  scratch[1] = end - 2 + (bits >> 3);
  const partial = bits & 7;
  if (partial !== 0) scratch[end - 1] = (scratch[end - 1]! & (0xff00 >> partial)) | (0x80 >> partial);
  return end;
}

function digestOfScratch(end: number): Buffer {
  // A string of one byte a character is three times as cheap to get out of OpenSSL as a Buffer.
  return Buffer.from(hashOnce('sha256', scratch.subarray(0, end), 'binary'), 'latin1');
}
