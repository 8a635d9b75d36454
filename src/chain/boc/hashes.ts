import { hash as hashOnce } from 'node:crypto';
import {
  CellError,
  type Cells,
  EXOTIC_BIT,
  LEVEL_SHIFT,
  LEVELS_IN_MASK,
  MAX_DEPTH,
  MERKLE_PROOF,
  MERKLE_UPDATE,
  PRUNED_BRANCH,
} from './cells.ts';
import type { Slice } from './slice.ts';

const HASH_BYTES = 32;
const PRUNED_HASHES_AT = 2;

// The representation of one cell; no callback runs while it is in use.
const scratch = Buffer.alloc(2 + 128 + 4 * (2 + HASH_BYTES));
const beginnings: Buffer[] = [];

/** A view of the first bytes of the scratch space, created once: it costs a good part of what hashing does. */
function beginning(length: number): Buffer {
  beginnings[length] ??= scratch.subarray(0, length);
  return beginnings[length];
}

/**
 * Hashes and depths of the cells of one bag, each computed once and on demand. A cell has one hash for each level in its
 * mask, and one more; they are adjacent in one store, lowest level first. Only requested levels are computed: checking
 * a proof looks through pruned branches (level 0), which is a third of all hashes.
 */
export class CellHashes {
  readonly #cells: Cells;
  readonly #store: Buffer;
  readonly #depths: Uint16Array;
  /** 1 for each hash in the store that was computed. */
  readonly #done: Uint8Array;
  /** Where the hashes of a cell start in the store; undefined when every cell has one. */
  readonly #slots: Uint32Array | undefined;

  constructor(cells: Cells) {
    this.#cells = cells;
    const [slots, total] = layOut(cells);
    this.#slots = slots;
    this.#store = Buffer.allocUnsafeSlow(total * HASH_BYTES);
    this.#depths = new Uint16Array(total);
    this.#done = new Uint8Array(total);
  }

  hash(cell: number, level: number): Buffer {
    const stored = this.#storedAt(cell, level);
    if (stored >= 0) return this.#cells.bytes.subarray(stored, stored + HASH_BYTES);
    const at = this.#slot(cell, level) * HASH_BYTES;
    return this.#store.subarray(at, at + HASH_BYTES);
  }

  copyHash(cell: number, level: number, target: Buffer, at: number): void {
    const stored = this.#storedAt(cell, level);
    const from = stored >= 0 ? this.#cells.bytes : this.#store;
    const start = stored >= 0 ? stored : this.#slot(cell, level) * HASH_BYTES;
    for (let i = 0; i < HASH_BYTES; i++) target[at + i] = from[start + i]!;
  }

  depth(cell: number, level: number): number {
    const stored = this.#storedAt(cell, level);
    if (stored < 0) return this.#depths[this.#slot(cell, level)]!;
    const { bytes, starts } = this.#cells;
    const mask = this.#cells.levelMask(cell);
    const first = starts[cell]! + PRUNED_HASHES_AT + LEVELS_IN_MASK[mask]! * HASH_BYTES;
    const at = first + 2 * levelIndex(mask, level);
    return (bytes[at]! << 8) | bytes[at + 1]!;
  }

  /** Hashes every cell, children first, so that nothing recurses. */
  hashAll(): void {
    for (let cell = this.#cells.count - 1; cell >= 0; cell--) {
      const mask = this.#cells.levelMask(cell);
      for (let level = 0; level <= 3; level++) if (isSignificant(mask, level)) this.#slot(cell, level);
    }
  }

  get bytes(): number {
    const { byteLength: slots } = this.#slots ?? { byteLength: 0 };
    return this.#store.byteLength + this.#depths.byteLength + this.#done.byteLength + slots;
  }

  /** Where a pruned branch itself holds the hash of a lower level, or -1. */
  #storedAt(cell: number, level: number): number {
    const head = this.#cells.heads[cell]!;
    if ((head & EXOTIC_BIT) === 0 || head >> LEVEL_SHIFT === 0) return -1;
    const start = this.#cells.starts[cell]!;
    if (this.#cells.bytes[start] !== PRUNED_BRANCH) return -1;
    const mask = head >> LEVEL_SHIFT;
    const index = levelIndex(mask, level);
    return index === LEVELS_IN_MASK[mask] ? -1 : start + PRUNED_HASHES_AT + index * HASH_BYTES;
  }

  /** The slot of the hash of a cell at a level, computed now if it was not yet. */
  #slot(cell: number, level: number): number {
    const mask = this.#cells.levelMask(cell);
    const isOnly = mask === 0 || this.#cells.isPruned(cell);
    const first = this.#slots === undefined ? cell : this.#slots[cell]!;
    const slot = isOnly ? first : first + levelIndex(mask, level);
    if (this.#done[slot] === 0) this.#compute(cell, isOnly ? 3 : significantLevel(mask, level), first, slot);
    return slot;
  }

  // Depth is bounded by the reader of the bag, so the recursion through #slot is too.
  #compute(cell: number, level: number, first: number, slot: number): void {
    const cells = this.#cells;
    const mask = cells.levelMask(cell);
    const kind = cells.kind(cell);
    const refs = cells.refCount(cell);
    const childLevel = isMerkle(kind) ? level + 1 : level;
    // Children first: the scratch space is shared.
    for (let i = 0; i < refs; i++) {
      const child = cells.ref(cell, i);
      if (this.#storedAt(child, childLevel) < 0) this.#slot(child, childLevel);
    }
    if (slot > first) this.#slot(cell, level - 1);
    else if (isMerkle(kind)) this.#checkMerkle(cell, refs);
    const seen = kind === PRUNED_BRANCH ? mask : mask & ((1 << level) - 1);
    this.#write(cell, slot, seen, childLevel, slot > first ? slot - 1 : -1);
    this.#done[slot] = 1;
  }

  /** One representation hash. From the second on, the previous hash (slot `before`) replaces the data. */
  #write(cell: number, slot: number, mask: number, childLevel: number, before: number): void {
    const { bytes, starts, bits, heads } = this.#cells;
    const refs = heads[cell]! & 7;
    const dataBytes = (bits[cell]! + 7) >> 3;
    scratch[0] = (heads[cell]! & 15) | (mask << LEVEL_SHIFT);
    scratch[1] = dataBytes + (bits[cell]! >> 3);
    const from = before < 0 ? bytes : this.#store;
    const start = before < 0 ? starts[cell]! : before * HASH_BYTES;
    let end = 2 + (before < 0 ? dataBytes : HASH_BYTES);
    // For so few bytes a loop is cheaper than `copy`, which creates a view.
    for (let i = 2; i < end; i++) scratch[i] = from[start + i - 2]!;
    let depth = 0;
    for (let i = 0; i < refs; i++) {
      const childDepth = this.depth(this.#cells.ref(cell, i), childLevel);
      if (childDepth >= depth) depth = childDepth + 1;
      scratch[end++] = childDepth >> 8;
      scratch[end++] = childDepth;
    }
    if (depth > MAX_DEPTH) throw new CellError('the cells are too deep');
    for (let i = 0; i < refs; i++) {
      this.copyHash(this.#cells.ref(cell, i), childLevel, scratch, end);
      end += HASH_BYTES;
    }
    // Getting a one-byte string out of OpenSSL costs a third of getting a Buffer.
    const digest = hashOnce('sha256', beginning(end), 'binary');
    this.#store.write(digest, slot * HASH_BYTES, HASH_BYTES, 'latin1');
    this.#depths[slot] = depth;
  }

  /** A Merkle cell stores the hash and depth of its children, which must match. */
  #checkMerkle(cell: number, refs: number): void {
    const { bytes, starts } = this.#cells;
    for (let i = 0; i < refs; i++) {
      const child = this.#cells.ref(cell, i);
      const at = starts[cell]! + 1 + i * HASH_BYTES;
      const depthAt = starts[cell]! + 1 + refs * HASH_BYTES + 2 * i;
      const depth = (bytes[depthAt]! << 8) | bytes[depthAt + 1]!;
      if (depth !== this.depth(child, 0) || this.hash(child, 0).compare(bytes, at, at + HASH_BYTES) !== 0)
        throw new CellError('Merkle cell does not match the cell it holds');
    }
  }
}

function isMerkle(kind: number): boolean {
  return kind === MERKLE_PROOF || kind === MERKLE_UPDATE;
}

/** Whether a cell has a hash of its own at a level. */
function isSignificant(mask: number, level: number): boolean {
  return level === 0 || (mask & (1 << (level - 1))) !== 0;
}

/** The highest level up to a given one at which a cell has a hash of its own. */
function significantLevel(mask: number, level: number): number {
  return 32 - Math.clz32(mask & ((1 << level) - 1));
}

/** Which of a cell's hashes belongs to a level: the number of lower levels in the mask. */
function levelIndex(mask: number, level: number): number {
  return LEVELS_IN_MASK[mask & ((1 << level) - 1)]!;
}

function layOut(cells: Cells): [slots: Uint32Array | undefined, total: number] {
  const { heads, count } = cells;
  let extra = 0;
  for (let cell = 0; cell < count; cell++) extra += hashCount(cells, heads[cell]!, cell) - 1;
  if (extra === 0) return [undefined, count];
  const slots = new Uint32Array(count);
  let next = 0;
  for (let cell = 0; cell < count; cell++) {
    slots[cell] = next;
    next += hashCount(cells, heads[cell]!, cell);
  }
  return [slots, next];
}

function hashCount(cells: Cells, head: number, cell: number): number {
  const mask = head >> LEVEL_SHIFT;
  return mask === 0 || cells.isPruned(cell) ? 1 : LEVELS_IN_MASK[mask]! + 1;
}

/** The part of a child that the hash of its parent includes. */
type CellDigest = Readonly<ReturnType<typeof digestOfCell>>;

const MAX_BITS = 1023;
const MAX_REFS = 4;

// Reused for every hash; no callback runs while it is in use.
const sliceScratch = Buffer.alloc(2 + 128 + MAX_REFS * (2 + HASH_BYTES));

/** The hash of the rest of a slice as a separate ordinary cell, seen through pruned branches (level 0). It is not moved. */
export function hashOfRest(slice: Slice): Buffer {
  const { cells, cell, bit, refAt, refEnd } = slice;
  const bits = slice.bitsLeft;
  slice.copyBits(bits, sliceScratch, 2);
  slice.bit = bit;
  let end = startCell(bits, refEnd - refAt);
  for (let i = refAt; i < refEnd; i++) {
    const depth = cells.depth(cells.ref(cell, i), 0);
    sliceScratch[end++] = depth >> 8;
    sliceScratch[end++] = depth;
  }
  for (let i = refAt; i < refEnd; i++) {
    cells.copyHash(cells.ref(cell, i), 0, sliceScratch, end);
    end += HASH_BYTES;
  }
  return digestOfScratch(end);
}

/** The depth of the rest of a slice as a separate cell, seen through pruned branches. */
export function depthOfRest(slice: Slice): number {
  const { cells, cell, refAt, refEnd } = slice;
  let depth = 0;
  for (let i = refAt; i < refEnd; i++) depth = Math.max(depth, cells.depth(cells.ref(cell, i), 0) + 1);
  return depth;
}

/** Hash and depth of the rest of a slice, to hash a cell that refers to it. */
export function digestOfRest(slice: Slice): CellDigest {
  return { hash: hashOfRest(slice), depth: depthOfRest(slice) };
}

/** Hash and depth of a cell seen through pruned branches (level 0), to hash a cell that refers to it. */
export function digestOfCell(cells: Cells, cell: number) {
  return { hash: cells.hash(cell, 0), depth: cells.depth(cell, 0) };
}

/** The hash of an ordinary cell that is in no table: the first `bits` bits of `data`, and its children. */
export function hashOfParts(data: Uint8Array, bits: number, refs: readonly CellDigest[]): Buffer {
  if (bits > MAX_BITS || bits > data.length * 8) throw new CellError('too many bits for a cell');
  if (refs.length > MAX_REFS) throw new CellError('too many references for a cell');
  sliceScratch.set(data.subarray(0, (bits + 7) >> 3), 2);
  let end = startCell(bits, refs.length);
  for (const { depth } of refs) {
    if (depth >= MAX_DEPTH) throw new CellError('the cells are too deep');
    sliceScratch[end++] = depth >> 8;
    sliceScratch[end++] = depth;
  }
  for (const { hash } of refs) {
    sliceScratch.set(hash, end);
    end += HASH_BYTES;
  }
  return digestOfScratch(end);
}

/** Writes the descriptors before data that is in place and completes its last byte; returns the end of the data. */
function startCell(bits: number, refs: number): number {
  const end = 2 + ((bits + 7) >> 3);
  sliceScratch[0] = refs;
  sliceScratch[1] = end - 2 + (bits >> 3);
  const partial = bits & 7;
  if (partial !== 0)
    sliceScratch[end - 1] = (sliceScratch[end - 1]! & (0xff00 >> partial)) | (0x80 >> partial);
  return end;
}

function digestOfScratch(end: number): Buffer {
  // Getting a one-byte string out of OpenSSL costs a third of getting a Buffer.
  return Buffer.from(hashOnce('sha256', sliceScratch.subarray(0, end), 'binary'), 'latin1');
}
