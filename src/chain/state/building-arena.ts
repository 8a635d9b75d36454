import { hash as hashOnce } from 'node:crypto';
import { CellBuilder } from '../boc/builder.ts';
import {
  CellError,
  Cells,
  EXOTIC_BIT,
  LEVEL_SHIFT,
  LEVELS_IN_MASK,
  LIBRARY_REFERENCE,
  MAX_DEPTH,
  MERKLE_PROOF,
  MERKLE_UPDATE,
  PRUNED_BRANCH,
} from '../boc/cells.ts';
import { CellArena } from './arena.ts';

const HASH_BYTES = 32;
const DATA_AT = 2;
const MAX_LEVEL = 3;
const SCRATCH_BYTES = DATA_AT + 128 + 4 * (2 + HASH_BYTES);

/**
 * A cell that is not in its arena yet, while its hashes are computed: a table with a single row, whose children
 * are cells of the arena. It is reused for every cell.
 */
class DraftCell extends Cells {
  /** The hash of the cell at level 3. */
  readonly ownHash = Buffer.alloc(HASH_BYTES);
  readonly #lowerHashes = Buffer.alloc(MAX_LEVEL * HASH_BYTES);
  readonly #depths = new Uint16Array(MAX_LEVEL + 1);
  /** For the hashes of higher levels, where the lower hash replaces the data. */
  readonly #higher = Buffer.alloc(SCRATCH_BYTES);
  readonly #children: Cells;

  constructor(children: Cells) {
    super({
      bytes: Buffer.alloc(SCRATCH_BYTES),
      refSize: 0,
      count: 1,
      heads: new Uint8Array(1),
      starts: Uint32Array.of(DATA_AT),
      bits: new Uint16Array(1),
    });
    this.#children = children;
  }

  load({ data, bitCount, refs }: CellBuilder, exotic: boolean): void {
    const { bytes } = this;
    const end = DATA_AT + ((bitCount + 7) >> 3);
    data.copy(bytes, DATA_AT, 0, end - DATA_AT);
    const partial = bitCount & 7;
    if (partial !== 0) bytes[end - 1] = bytes[end - 1]! | (0x80 >> partial);
    let below = 0;
    for (let i = 0; i < refs.length; i++) below |= this.#children.levelMask(refs[i]!);
    const kind = exotic ? bytes[DATA_AT]! : 0;
    const mask = kind === 0 ? below : exoticMask(kind, bytes[DATA_AT + 1]!, below);
    this.heads[0] = refs.length | (exotic ? EXOTIC_BIT : 0) | (mask << LEVEL_SHIFT);
    this.bits[0] = bitCount;
    const size = end - DATA_AT + (bitCount >> 3);
    if (mask === 0 || kind === PRUNED_BRANCH) {
      this.#digest(bytes, end, size, mask, refs, kind, MAX_LEVEL, 0);
      return;
    }
    let index = 0;
    for (let level = 0; level <= MAX_LEVEL; level++) {
      if (level > 0 && (mask & (1 << (level - 1))) === 0) continue;
      const lower = mask & ((1 << level) - 1);
      if (index === 0) this.#digest(bytes, end, size, lower, refs, kind, level, index);
      else {
        this.ownHash.copy(this.#lowerHashes, (index - 1) * HASH_BYTES);
        this.ownHash.copy(this.#higher, DATA_AT);
        this.#digest(this.#higher, DATA_AT + HASH_BYTES, size, lower, refs, kind, level, index);
      }
      index++;
    }
  }

  override hash(cell: number, level = MAX_LEVEL): Buffer {
    const index = this.#index(cell, level);
    if (index === this.#index(cell, MAX_LEVEL)) return this.ownHash;
    return this.#lowerHashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);
  }

  override depth(cell: number, level = MAX_LEVEL): number {
    return this.#depths[this.#index(cell, level)]!;
  }

  override copyHash(cell: number, level: number, target: Buffer, at: number): void {
    this.hash(cell, level).copy(target, at);
  }

  /** Which of the hashes belongs to a level. A pruned branch has its lower hashes in its data. */
  #index(cell: number, level: number): number {
    return this.isPruned(cell) ? 0 : LEVELS_IN_MASK[this.levelMask(cell) & ((1 << level) - 1)]!;
  }

  /** Writes descriptors and children around the data that ends at `start`, and hashes the result. */
  #digest(
    scratch: Buffer,
    start: number,
    size: number,
    mask: number,
    refs: readonly number[],
    kind: number,
    level: number,
    index: number,
  ): void {
    const children = this.#children;
    const childLevel = kind === MERKLE_PROOF || kind === MERKLE_UPDATE ? level + 1 : level;
    scratch[0] = (this.heads[0]! & (EXOTIC_BIT | 7)) | (mask << LEVEL_SHIFT);
    scratch[1] = size;
    let end = start;
    let depth = 0;
    for (let i = 0; i < refs.length; i++) {
      const childDepth = children.depth(refs[i]!, childLevel);
      if (childDepth >= depth) depth = childDepth + 1;
      scratch[end++] = childDepth >> 8;
      scratch[end++] = childDepth;
    }
    if (depth > MAX_DEPTH) throw new CellError('the cells are too deep');
    for (let i = 0; i < refs.length; i++) {
      children.copyHash(refs[i]!, childLevel, scratch, end);
      end += HASH_BYTES;
    }
    this.#depths[index] = depth;
    // Getting a one-byte string out of OpenSSL costs a third of getting a Buffer.
    this.ownHash.write(hashOnce('sha256', scratch.subarray(0, end), 'binary'), 0, HASH_BYTES, 'latin1');
  }
}

function exoticMask(kind: number, second: number, below: number): number {
  if (kind === LIBRARY_REFERENCE) return 0;
  if (kind === PRUNED_BRANCH) return second;
  if (kind === MERKLE_PROOF || kind === MERKLE_UPDATE) return below >> 1;
  throw new CellError('exotic cell of an unknown type');
}

/** An arena that also builds cells: each is hashed once, and equal cells share a number. */
export class BuildingArena extends CellArena {
  readonly #draft = new DraftCell(this);

  /** Builds an ordinary cell; returns its number and resets the builder. */
  build(builder: CellBuilder): number {
    return this.#put(builder, false);
  }

  /** Builds an exotic cell, whose data start with its type. Its layout is not checked. */
  buildExotic(builder: CellBuilder): number {
    return this.#put(builder, true);
  }

  buildLibrary(hash: Buffer): number {
    return this.buildExotic(new CellBuilder().uint(LIBRARY_REFERENCE, 8).hash(hash));
  }

  #put(builder: CellBuilder, exotic: boolean): number {
    const draft = this.#draft;
    const { refs } = builder;
    draft.load(builder, exotic);
    const existing = this.find(draft.ownHash);
    const isNew = existing < 0 || this.isPlaceholder(existing);
    const row = isNew ? this.putCell(draft, 0, 3, refs, existing) : existing;
    if (isNew && refs.every((child) => this.isComplete(child))) this.setComplete(row);
    builder.reset();
    return row;
  }
}
