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
import { LANE_BYTES, LANES, MESSAGES_AT, type Sha256Lanes, sha256Lanes } from './sha256-lanes.ts';
import type { Slice } from './slice.ts';

const HASH_BYTES = 32;
const PRUNED_HASHES_AT = 2;

// The representation of one cell; no callback runs while it is in use.
const scratch = Buffer.alloc(2 + 128 + 4 * (2 + HASH_BYTES));
const scratchView = viewOf(scratch);
const beginnings: Buffer[] = [];

/** A view of the first bytes of the scratch space, created once: it costs a good part of what hashing does. */
function beginning(length: number): Buffer {
  beginnings[length] ??= scratch.subarray(0, length);
  return beginnings[length];
}

/** In the table of computed hashes: the depth is known, the hash will be. It is so only while a batch is collected. */
const COLLECTED = 2;
/** Cells that are hashed together, at most. More would not fill the lanes better. */
const MAX_BATCH = 4096;
/** Of a key that orders a batch: the depth, then seven less the number of blocks, then the place in the batch. */
const DEPTH_SHIFT = 21;
const BLOCKS_SHIFT = 18;
const PLACE_MASK = (1 << BLOCKS_SHIFT) - 1;
const keys = new Uint32Array(MAX_BATCH);
const lengths = new Uint16Array(LANES);

/**
 * Hashes and depths of the cells of one bag, each computed once and on demand. A cell has one hash for each level in its
 * mask, and one more; they are adjacent in one store, lowest level first. Only requested levels are computed: checking
 * a proof looks through pruned branches (level 0), which is a third of all hashes.
 */
export class CellHashes {
  readonly #cells: Cells;
  readonly #store: Buffer;
  readonly #bytesView: DataView;
  readonly #storeView: DataView;
  readonly #depths: Uint16Array;
  /** 1 for each hash in the store that was computed. */
  readonly #done: Uint8Array;
  /** Where the hashes of a cell start in the store; undefined when every cell has one. */
  readonly #slots: Uint32Array | undefined;
  readonly #lanes = sha256Lanes();

  constructor(cells: Cells) {
    this.#cells = cells;
    const [slots, total] = layOut(cells);
    this.#slots = slots;
    this.#store = Buffer.allocUnsafeSlow(total * HASH_BYTES);
    this.#bytesView = viewOf(cells.bytes);
    this.#storeView = viewOf(this.#store);
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
    if (this.#lanes !== undefined) this.#hashPlain(this.#lanes);
    for (let cell = this.#cells.count - 1; cell >= 0; cell--) {
      const mask = this.#cells.levelMask(cell);
      for (let level = 0; level <= 3; level++) if (isSignificant(mask, level)) this.#slot(cell, level);
    }
  }

  /** Hashes a plain cell and what is below it now, if that is cheaper than one cell after the other when they are asked for. */
  hashAhead(cell: number): void {
    if (this.#lanes !== undefined && isPlain(this.#cells.heads[cell]!)) this.#hashBelow(cell, this.#lanes);
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
    const first = this.#first(cell);
    const slot = isOnly ? first : first + levelIndex(mask, level);
    if (this.#done[slot] === 0) {
      const head = this.#cells.heads[cell]!;
      if (this.#lanes !== undefined && head > 0 && isPlain(head)) this.#hashBelow(cell, this.#lanes);
      else this.#compute(cell, isOnly ? 3 : significantLevel(mask, level), first, slot);
    }
    return slot;
  }

  /** The slot of the first hash of a cell. */
  #first(cell: number): number {
    return this.#slots === undefined ? cell : this.#slots[cell]!;
  }

  /** Hashes a plain cell and what is below it: those of the same depth together. */
  #hashBelow(cell: number, lanes: Sha256Lanes): void {
    const batch: number[] = [];
    this.#collect(cell, batch, lanes);
    this.#hashBatch(batch, lanes);
  }

  #hashPlain(lanes: Sha256Lanes): void {
    const batch: number[] = [];
    const { heads, count } = this.#cells;
    for (let cell = count - 1; cell >= 0; cell--)
      if (isPlain(heads[cell]!)) this.#collect(cell, batch, lanes);
    this.#hashBatch(batch, lanes);
  }

  /**
   * Adds a plain cell to a batch, after what is below it, unless it is there or was hashed. Where a cell that is not plain is
   * below, the batch is hashed first: that cell is hashed at once, and what is below it may be in the batch.
   */
  #collect(cell: number, batch: number[], lanes: Sha256Lanes): void {
    const cells = this.#cells;
    const slot = this.#first(cell);
    if (this.#done[slot] !== 0) return;
    const head = cells.heads[cell]!;
    if (!isPlain(head)) {
      // A library reference or a Merkle cell.
      this.#hashBatch(batch, lanes);
      this.#slot(cell, 3);
      return;
    }
    let depth = 0;
    for (let i = 0; i < head; i++) {
      const child = cells.ref(cell, i);
      this.#collect(child, batch, lanes);
      depth = Math.max(depth, this.#depths[this.#first(child)]! + 1);
    }
    if (depth > MAX_DEPTH) {
      this.#hashBatch(batch, lanes);
      throw new CellError('the cells are too deep');
    }
    this.#depths[slot] = depth;
    this.#done[slot] = COLLECTED;
    if (batch.push(cell) === MAX_BATCH) this.#hashBatch(batch, lanes);
  }

  /** Hashes the cells of a batch, the lowest first, and empties it. Cells of one depth do not depend on each other. */
  #hashBatch(batch: number[], lanes: Sha256Lanes): void {
    const { length } = batch;
    if (length === 0) return;
    const { heads, bits } = this.#cells;
    for (let i = 0; i < length; i++) {
      const cell = batch[i]!;
      const bytes = 2 + ((bits[cell]! + 7) >> 3) + heads[cell]! * (2 + HASH_BYTES);
      // The most blocks first, so that those that do not fill all lanes are short.
      const blocks = ((bytes + 8) >> 6) + 1;
      keys[i] = (this.#depths[this.#first(cell)]! << DEPTH_SHIFT) | ((7 - blocks) << BLOCKS_SHIFT) | i;
    }
    keys.subarray(0, length).sort();
    for (let from = 0; from < length; ) {
      const depth = keys[from]! >>> DEPTH_SHIFT;
      let to = from + 1;
      while (to < length && to < from + LANES && keys[to]! >>> DEPTH_SHIFT === depth) to++;
      if (to === from + 1) this.#hashAlone(batch[keys[from]! & PLACE_MASK]!);
      else this.#hashLanes(batch, from, to, lanes);
      from = to;
    }
    batch.length = 0;
  }

  /** One cell alone leaves three lanes empty, so node:crypto is as fast, or faster. */
  #hashAlone(cell: number): void {
    const slot = this.#first(cell);
    this.#digest(slot, this.#represent(scratchView, 0, cell, 0, 3, -1));
    this.#done[slot] = 1;
  }

  /** Hashes the cells of the keys from `from` to `to`, each in a lane. */
  #hashLanes(batch: readonly number[], from: number, to: number, { memory, hash }: Sha256Lanes): void {
    lengths.fill(0);
    for (let lane = 0; lane < to - from; lane++) {
      const start = MESSAGES_AT + lane * LANE_BYTES;
      const cell = batch[keys[from + lane]! & PLACE_MASK]!;
      lengths[lane] = this.#represent(memory, start, cell, 0, 3, -1) - start;
    }
    hash(lengths[0]!, lengths[1]!, lengths[2]!, lengths[3]!);
    for (let lane = 0; lane < to - from; lane++) {
      const slot = this.#first(batch[keys[from + lane]! & PLACE_MASK]!);
      copy(memory, lane * HASH_BYTES, this.#storeView, slot * HASH_BYTES, HASH_BYTES);
      this.#done[slot] = 1;
    }
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

  /** One representation hash. */
  #write(cell: number, slot: number, mask: number, childLevel: number, before: number): void {
    const refs = this.#cells.refCount(cell);
    let depth = 0;
    for (let i = 0; i < refs; i++)
      depth = Math.max(depth, this.depth(this.#cells.ref(cell, i), childLevel) + 1);
    if (depth > MAX_DEPTH) throw new CellError('the cells are too deep');
    this.#depths[slot] = depth;
    this.#digest(slot, this.#represent(scratchView, 0, cell, mask, childLevel, before));
  }

  /** Hashes the first bytes of the scratch space. */
  #digest(slot: number, length: number): void {
    // Getting a one-byte string out of OpenSSL costs a third of getting a Buffer.
    const digest = hashOnce('sha256', beginning(length), 'binary');
    this.#store.write(digest, slot * HASH_BYTES, HASH_BYTES, 'latin1');
  }

  /**
   * Writes what is hashed for a cell and returns its end. From its second hash on, the previous one (slot `before`) replaces
   * the data.
   */
  #represent(
    target: DataView,
    at: number,
    cell: number,
    mask: number,
    childLevel: number,
    before: number,
  ): number {
    const cells = this.#cells;
    const head = cells.heads[cell]!;
    const bits = cells.bits[cell]!;
    const refs = head & 7;
    const dataBytes = (bits + 7) >> 3;
    target.setUint8(at, (head & 15) | (mask << LEVEL_SHIFT));
    target.setUint8(at + 1, dataBytes + (bits >> 3));
    const length = before < 0 ? dataBytes : HASH_BYTES;
    if (before < 0) copy(this.#bytesView, cells.starts[cell]!, target, at + 2, length);
    else copy(this.#storeView, before * HASH_BYTES, target, at + 2, length);
    let depthAt = at + 2 + length;
    let hashAt = depthAt + 2 * refs;
    for (let i = 0; i < refs; i++) {
      const child = cells.ref(cell, i);
      target.setUint16(depthAt, this.depth(child, childLevel));
      const stored = this.#storedAt(child, childLevel);
      if (stored >= 0) copy(this.#bytesView, stored, target, hashAt, HASH_BYTES);
      else copy(this.#storeView, this.#slot(child, childLevel) * HASH_BYTES, target, hashAt, HASH_BYTES);
      depthAt += 2;
      hashAt += HASH_BYTES;
    }
    return hashAt;
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

function viewOf({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** For so few bytes this is cheaper than the `copy` of buffers, which creates a view, and four at a time than one by one. */
function copy(from: DataView, start: number, to: DataView, at: number, length: number): void {
  const words = length & ~3;
  for (let i = 0; i < words; i += 4) to.setInt32(at + i, from.getInt32(start + i));
  for (let i = words; i < length; i++) to.setUint8(at + i, from.getUint8(start + i));
}

/** Whether a cell is ordinary and has no pruned branch below: then it has one hash, and its head is its number of children. */
function isPlain(head: number): boolean {
  return head <= MAX_REFS;
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
