import { randomInt } from 'node:crypto';
import {
  CellError,
  Cells,
  EXOTIC_BIT,
  LEVEL_SHIFT,
  LEVELS_IN_MASK,
  MERKLE_PROOF,
  MERKLE_UPDATE,
  PRUNED_BRANCH,
  PrunedCellError,
} from '../boc/cells.ts';

const HASH_BYTES = 32;
const MIN_SLOTS = 64;
const MAX_FACTOR = 2 ** 31;

/**
 * Finds the number of a cell by its hash: a table with open addressing, four bytes per slot. The hashes themselves are
 * in a store of the caller, the hash of cell n at byte 32 n.
 */
class HashIndex {
  #slots: Uint32Array;
  #shift: number;
  // Secret factors, so that nobody can craft many cells that fall into the same slot.
  readonly #first = randomInt(MAX_FACTOR) * 2 + 1;
  readonly #second = randomInt(MAX_FACTOR) * 2 + 1;

  constructor(cells: number) {
    const bits = Math.ceil(Math.log2(Math.max(MIN_SLOTS, cells * 2)));
    this.#slots = new Uint32Array(2 ** bits);
    this.#shift = 32 - bits;
  }

  find(store: Buffer, hash: Buffer): number {
    const slots = this.#slots;
    for (let slot = this.#slotOf(hash, 0); ; slot = (slot + 1) & (slots.length - 1)) {
      const cell = slots[slot]! - 1;
      if (cell < 0 || sameHash(store, cell * HASH_BYTES, hash)) return cell;
    }
  }

  /** Adds a cell whose hash is in the store but not in the table; `cells` is the new number of cells. */
  insert(store: Buffer, cell: number, cells: number): void {
    if (cells * 2 > this.#slots.length) this.#grow(store);
    this.#put(store, cell);
  }

  get bytes(): number {
    return this.#slots.byteLength;
  }

  #grow(store: Buffer): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(old.length * 2);
    this.#shift--;
    for (const entry of old) if (entry !== 0) this.#put(store, entry - 1);
  }

  #put(store: Buffer, cell: number): void {
    const slots = this.#slots;
    let slot = this.#slotOf(store, cell * HASH_BYTES);
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = cell + 1;
  }

  #slotOf(hashes: Buffer, at: number): number {
    const first = Math.imul(hashes.readInt32LE(at), this.#first);
    return (first + Math.imul(hashes.readInt32LE(at + 4), this.#second)) >>> this.#shift;
  }
}

function sameHash(store: Buffer, at: number, hash: Buffer): boolean {
  for (let i = 0; i < HASH_BYTES; i++) if (store[at + i] !== hash[i]) return false;
  return true;
}

const REF_BYTES = 4;
const PRUNED_HASHES_AT = 2;
const MAX_LEVEL = 3;
const MAX_BYTES = 2 ** 32 - 1;
const BYTES_PER_CELL = 48;
/** A placeholder has only the type byte of a pruned branch as data; a real pruned branch is longer. */
const PLACEHOLDER_BITS = 8;
const PLACEHOLDER_AT = 0;

/**
 * A growing table of cells, each with its hash. A row is a real cell or a placeholder for one: its hash and depth are
 * known, reading it throws a PrunedCellError, and the real cell may replace it later.
 *
 * The data and references of a row whose level is not 0 (part of a Merkle proof that a contract keeps) are followed by its
 * hashes and depths of lower levels, except for a pruned branch, whose data are exactly these.
 */
class CellStore extends Cells {
  #hashes: Buffer;
  #depths: Uint16Array;
  #complete: Uint8Array;
  #index: HashIndex;
  #bytesUsed = 1;

  constructor(capacity = 1024) {
    super({
      bytes: Buffer.allocUnsafeSlow(capacity * BYTES_PER_CELL + 1),
      refSize: REF_BYTES,
      count: 0,
      heads: new Uint8Array(capacity),
      starts: new Uint32Array(capacity),
      bits: new Uint16Array(capacity),
    });
    this.bytes[PLACEHOLDER_AT] = PRUNED_BRANCH;
    this.#hashes = Buffer.allocUnsafeSlow(capacity * HASH_BYTES);
    this.#depths = new Uint16Array(capacity);
    this.#complete = new Uint8Array(capacity);
    this.#index = new HashIndex(capacity);
  }

  override hash(cell: number, level = MAX_LEVEL): Buffer {
    const which = this.#lowerHash(cell, level);
    if (which < 0) return this.#hashes.subarray(cell * HASH_BYTES, (cell + 1) * HASH_BYTES);
    const at = this.#lowerHashesAt(cell) + which * HASH_BYTES;
    return this.bytes.subarray(at, at + HASH_BYTES);
  }

  override depth(cell: number, level = MAX_LEVEL): number {
    const which = this.#lowerHash(cell, level);
    if (which < 0) return this.#depths[cell]!;
    const hashes = LEVELS_IN_MASK[this.levelMask(cell)]!;
    return this.bytes.readUInt16BE(this.#lowerHashesAt(cell) + hashes * HASH_BYTES + which * 2);
  }

  override copyHash(cell: number, level: number, target: Buffer, at: number): void {
    if (this.#lowerHash(cell, level) >= 0) this.hash(cell, level).copy(target, at);
    else this.#hashes.copy(target, at, cell * HASH_BYTES, (cell + 1) * HASH_BYTES);
  }

  /** The number of references behind a placeholder is unknown. */
  override refCount(cell: number): number {
    if (this.isPlaceholder(cell)) throw new PrunedCellError();
    return super.refCount(cell);
  }

  isPlaceholder(cell: number): boolean {
    return this.bits[cell] === PLACEHOLDER_BITS && this.isPruned(cell);
  }

  /** Whether a cell is known to have no placeholder at or below it. */
  isComplete(cell: number): boolean {
    return this.#complete[cell] === 1;
  }

  protected setComplete(cell: number): void {
    this.#complete[cell] = 1;
  }

  /** The row with a hash, possibly a placeholder, or -1. */
  find(hash: Buffer): number {
    return this.#index.find(this.#hashes, hash);
  }

  get memory(): number {
    return (
      this.bytes.length +
      this.heads.byteLength +
      this.starts.byteLength +
      this.bits.byteLength +
      this.#hashes.length +
      this.#depths.byteLength +
      this.#complete.byteLength +
      this.#index.bytes
    );
  }

  /** Adds a placeholder for a cell, named by its hash at `level`. */
  protected addPlaceholder(cells: Cells, cell: number, level: number): number {
    const row = this.#addRow(cells, cell, level);
    const mask = cells.levelMask(cell) & ((1 << level) - 1);
    this.heads[row] = EXOTIC_BIT | (mask << LEVEL_SHIFT);
    this.bits[row] = PLACEHOLDER_BITS;
    this.starts[row] = PLACEHOLDER_AT;
    if (mask !== 0) {
      const at = this.#reserve(1 + lowerHashBytes(mask));
      this.bytes[at] = PRUNED_BRANCH;
      this.#copyLowerHashes(cells, cell, mask, at + 1);
      this.starts[row] = at;
    }
    return row;
  }

  /** Writes a cell, named by its hash at `level`, to the row of its placeholder or (-1) to a new row. */
  protected putCell(
    cells: Cells,
    cell: number,
    level: number,
    refs: readonly number[],
    place: number,
  ): number {
    const dataBytes = (cells.bits[cell]! + 7) >> 3;
    const mask = cells.levelMask(cell) & ((1 << level) - 1);
    const lowerBytes = cells.isPruned(cell) ? 0 : lowerHashBytes(mask);
    const start = this.#reserve(dataBytes + refs.length * REF_BYTES + lowerBytes);
    cells.bytes.copy(this.bytes, start, cells.starts[cell]!, cells.starts[cell]! + dataBytes);
    let at = start + dataBytes;
    for (let i = 0; i < refs.length; i++) at = this.bytes.writeUInt32BE(refs[i]!, at);
    if (lowerBytes > 0) this.#copyLowerHashes(cells, cell, mask, at);
    const row = place < 0 ? this.#addRow(cells, cell, level) : place;
    this.heads[row] = refs.length | (cells.heads[cell]! & EXOTIC_BIT) | (mask << LEVEL_SHIFT);
    this.bits[row] = cells.bits[cell]!;
    this.starts[row] = start;
    return row;
  }

  /** Takes over all rows of another store, which must not be used afterwards. */
  protected become(other: CellStore): void {
    this.bytes = other.bytes;
    this.count = other.count;
    this.heads = other.heads;
    this.starts = other.starts;
    this.bits = other.bits;
    this.#hashes = other.#hashes;
    this.#depths = other.#depths;
    this.#complete = other.#complete;
    this.#index = other.#index;
    this.#bytesUsed = other.#bytesUsed;
  }

  /** Which of a row's lower hashes belongs to a level, or -1 for the row's own hash. */
  #lowerHash(cell: number, level: number): number {
    const mask = this.levelMask(cell);
    if (mask === 0) return -1;
    const which = LEVELS_IN_MASK[mask & ((1 << level) - 1)]!;
    return which === LEVELS_IN_MASK[mask] ? -1 : which;
  }

  #lowerHashesAt(cell: number): number {
    const start = this.starts[cell]!;
    const bits = this.bits[cell]!;
    if (bits !== PLACEHOLDER_BITS && this.isPruned(cell)) return start + PRUNED_HASHES_AT;
    return start + ((bits + 7) >> 3) + (this.heads[cell]! & 7) * REF_BYTES;
  }

  #copyLowerHashes(cells: Cells, cell: number, mask: number, start: number): void {
    let at = start;
    let depthAt = start + LEVELS_IN_MASK[mask]! * HASH_BYTES;
    for (let level = 0; level < MAX_LEVEL; level++) {
      if ((mask & (1 << level)) === 0) continue;
      cells.copyHash(cell, level, this.bytes, at);
      at += HASH_BYTES;
      depthAt = this.bytes.writeUInt16BE(cells.depth(cell, level), depthAt);
    }
  }

  #addRow(cells: Cells, cell: number, level: number): number {
    const row = this.count;
    if (row === this.heads.length) this.#growColumns(row * 2 + 1);
    cells.copyHash(cell, level, this.#hashes, row * HASH_BYTES);
    this.#depths[row] = cells.depth(cell, level);
    this.count++;
    this.#index.insert(this.#hashes, row, this.count);
    return row;
  }

  #reserve(size: number): number {
    const at = this.#bytesUsed;
    const end = at + size;
    if (end > MAX_BYTES) throw new CellError('cell arena is full');
    if (end > this.bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.min(MAX_BYTES, Math.max(end, this.bytes.length * 2)));
      this.bytes.copy(grown, 0, 0, at);
      this.bytes = grown;
    }
    this.#bytesUsed = end;
    return at;
  }

  #growColumns(rows: number): void {
    const hashes = Buffer.allocUnsafeSlow(rows * HASH_BYTES);
    this.#hashes.copy(hashes);
    this.#hashes = hashes;
    this.heads = grown(this.heads, new Uint8Array(rows));
    this.starts = grown(this.starts, new Uint32Array(rows));
    this.bits = grown(this.bits, new Uint16Array(rows));
    this.#depths = grown(this.#depths, new Uint16Array(rows));
    this.#complete = grown(this.#complete, new Uint8Array(rows));
  }
}

function grown<Column extends Uint8Array | Uint16Array | Uint32Array>(old: Column, larger: Column): Column {
  larger.set(old);
  return larger;
}

function lowerHashBytes(mask: number): number {
  return LEVELS_IN_MASK[mask]! * (HASH_BYTES + 2);
}

/**
 * The cells of states, each once, no matter how many blocks, proofs and account states contain them. Import only
 * proven cells: hash and depth in a pruned branch are trusted.
 */
export class CellArena extends CellStore {
  readonly #hash = Buffer.alloc(32);

  /**
   * Imports a cell and everything below it; returns its number here. Known cells are found by their hash. A pruned
   * branch becomes the cell it stands for if that is known, otherwise a placeholder until it is.
   *
   * Pruned branches below a Merkle cell of the imported tree may be part of what a contract keeps: those
   * are ordinary data. `merkleDepth` is the number of such Merkle cells above the imported cell itself, not
   * counting the proof or update that the tree comes in.
   */
  add(cells: Cells, cell: number, merkleDepth = 0): number {
    return this.#add(cells, cell, Math.min(merkleDepth, MAX_LEVEL), new Map());
  }

  /** Hashes of placeholders at or below a cell, at most `limit` of them. */
  missing(root: number, limit: number): Buffer[] {
    const results: Buffer[] = [];
    const visited = new Set<number>();
    const visit = (cell: number): void => {
      if (this.isComplete(cell) || visited.has(cell) || results.length >= limit) return;
      visited.add(cell);
      if (this.isPlaceholder(cell)) {
        results.push(Buffer.from(this.hash(cell)));
        return;
      }
      const refs = this.refCount(cell);
      for (let i = 0; i < refs; i++) visit(this.ref(cell, i));
      this.#settle(cell);
    };
    visit(root);
    return results;
  }

  /**
   * Drops all cells but those at and below the given roots; returns the new numbers of the roots. All other numbers
   * and slices are invalid afterwards.
   */
  compact(roots: readonly number[]): number[] {
    const fresh = new CellArena();
    // Cells in an arena are named by their own hash: level 3.
    const copies = roots.map((root) => fresh.add(this, root, MAX_LEVEL));
    this.become(fresh);
    return copies;
  }

  // Depths decrease along references (checked below), which bounds the recursion.
  #add(cells: Cells, cell: number, level: number, incomplete: Map<number, number>): number {
    const depth = cells.depth(cell, level);
    cells.copyHash(cell, level, this.#hash, 0);
    const existing = this.find(this.#hash);
    if (existing >= 0) {
      if (this.depth(existing) !== depth) throw new CellError('pruned branch has a wrong depth');
      if (this.isComplete(existing)) return existing;
    }
    if (isHidden(cells, cell, level))
      return existing >= 0 ? existing : this.addPlaceholder(cells, cell, level);

    // Otherwise shared cells that stay incomplete would be walked again and again.
    const key = cell * (MAX_LEVEL + 1) + level;
    const done = incomplete.get(key);
    if (done !== undefined) return done;
    const kind = cells.kind(cell);
    const isMerkle = kind === MERKLE_PROOF || kind === MERKLE_UPDATE;
    const childLevel = isMerkle ? Math.min(level + 1, MAX_LEVEL) : level;
    const refs: number[] = [];
    const count = cells.refCount(cell);
    for (let i = 0; i < count; i++) refs.push(this.#add(cells, cells.ref(cell, i), childLevel, incomplete));
    const row =
      existing >= 0 && !this.isPlaceholder(existing)
        ? existing
        : this.putCell(cells, cell, level, refs, existing);
    if (!this.#settle(row)) incomplete.set(key, row);
    return row;
  }

  /** Marks a real cell as complete if all its children are. */
  #settle(cell: number): boolean {
    const refs = this.refCount(cell);
    for (let i = 0; i < refs; i++) if (!this.isComplete(this.ref(cell, i))) return false;
    this.setComplete(cell);
    return true;
  }
}

/** Whether a cell only stands for another one: a pruned branch of the outermost Merkle cell, or a placeholder. */
function isHidden(cells: Cells, cell: number, level: number): boolean {
  return (
    cells.isPruned(cell) && (cells.levelMask(cell) >> level !== 0 || cells.bits[cell] === PLACEHOLDER_BITS)
  );
}
