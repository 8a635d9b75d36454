/** The first byte of an exotic cell's data is its type. */
export const PRUNED_BRANCH = 1;
export const LIBRARY_REFERENCE = 2;
export const MERKLE_PROOF = 3;
export const MERKLE_UPDATE = 4;

/** The maximum depth of a cell. It also bounds the recursion of everything that walks cells. */
export const MAX_DEPTH = 1024;

/** The number of levels in a level mask, by its value (0 to 7). */
export const LEVELS_IN_MASK = Uint8Array.of(0, 1, 1, 2, 1, 2, 2, 3);

/** The bits of a hash with a depth, as exotic cells hold them. */
export const HASH_AND_DEPTH_BITS = 256 + 16;

/** Malformed cells: a bag that does not parse, data that ends too early, or an unexpected record. */
export class CellError extends Error {
  override readonly name: string = 'CellError';
}

/** A cell was read that a proof leaves out. */
export class PrunedCellError extends CellError {
  override readonly name = 'PrunedCellError';

  constructor() {
    super('the cell is pruned');
  }
}

/** The result of a read, or undefined where the cells are malformed. */
export function undefinedOnCellError<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof CellError) return undefined;
    throw error;
  }
}

/** Bits of `heads`: the number of references, whether the cell is exotic, and its level mask. */
const REFS_MASK = 7;
export const EXOTIC_BIT = 8;
export const LEVEL_SHIFT = 5;

export interface CellColumns {
  /** The data of all cells; the references of a cell follow its data. */
  readonly bytes: Buffer;
  readonly refSize: number;
  readonly count: number;
  /** The first descriptor byte of each cell, without the flag of stored hashes. */
  readonly heads: Uint8Array;
  readonly starts: Uint32Array;
  readonly bits: Uint16Array;
}

/**
 * Cells as rows of typed arrays over the bytes they came in: a cell is a number, not an object. Readers of
 * cells take this class; a bag and the arena of a state extend it.
 */
export abstract class Cells implements CellColumns {
  // Not readonly because an arena grows; nothing else changes them.
  bytes: Buffer;
  refSize: number;
  count: number;
  heads: Uint8Array;
  starts: Uint32Array;
  bits: Uint16Array;

  constructor(columns: CellColumns) {
    this.bytes = columns.bytes;
    this.refSize = columns.refSize;
    this.count = columns.count;
    this.heads = columns.heads;
    this.starts = columns.starts;
    this.bits = columns.bits;
  }

  /**
   * The hash of a cell at a level: 3 is its own (representation) hash, 0 the one that looks through all pruned
   * branches. It is a view into the store of all hashes: copy it to keep it.
   */
  abstract hash(cell: number, level?: number): Buffer;

  abstract depth(cell: number, level?: number): number;

  /** Writes the hash of a cell at a level to `target` without allocating a view. */
  abstract copyHash(cell: number, level: number, target: Buffer, at: number): void;

  refCount(cell: number): number {
    return this.heads[cell]! & REFS_MASK;
  }

  isExotic(cell: number): boolean {
    return (this.heads[cell]! & EXOTIC_BIT) !== 0;
  }

  /** The level mask: which levels of pruned branches are below. */
  levelMask(cell: number): number {
    return this.heads[cell]! >> LEVEL_SHIFT;
  }

  kind(cell: number): number {
    return this.isExotic(cell) ? this.bytes[this.starts[cell]!]! : 0;
  }

  isPruned(cell: number): boolean {
    return this.kind(cell) === PRUNED_BRANCH;
  }

  /** The number of a referenced cell. */
  ref(cell: number, index: number): number {
    if (index >= this.refCount(cell)) throw new CellError('not enough references in the cell');
    const { bytes, refSize } = this;
    let at = this.starts[cell]! + ((this.bits[cell]! + 7) >> 3) + index * refSize;
    if (refSize === 2) return (bytes[at]! << 8) | bytes[at + 1]!;
    let value = 0;
    for (const end = at + refSize; at < end; at++) value = value * 256 + bytes[at]!;
    return value;
  }

  /** Throws unless the cell is an ordinary one, whose data may be read. */
  assertReadable(cell: number): void {
    if (!this.isExotic(cell)) return;
    throw this.isPruned(cell) ? new PrunedCellError() : new CellError('the cell is exotic');
  }
}

export interface CellRef {
  readonly cells: Cells;
  readonly cell: number;
}
