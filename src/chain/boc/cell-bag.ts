import { CellFault } from './cell-fault.ts';
import { CellHashes } from './cell-hashes.ts';
import { type CellColumns, Cells } from './cells.ts';

/** The cells of one bag, over the bytes it was read from. References always lead to a higher number. */
export class CellBag extends Cells {
  readonly roots: readonly number[];
  #hashes: CellHashes | undefined;

  constructor(columns: CellColumns, roots: readonly number[]) {
    super(columns);
    this.roots = roots;
  }

  /** The only root. */
  get root(): number {
    if (this.roots.length !== 1) throw new CellFault(`expected one root cell, found ${this.roots.length}`);
    return this.roots[0]!;
  }

  override hash(cell: number, level = 3): Buffer {
    return this.#computed.hash(cell, level);
  }

  override depth(cell: number, level = 3): number {
    return this.#computed.depth(cell, level);
  }

  override copyHash(cell: number, level: number, target: Buffer, at: number): void {
    this.#computed.copyHash(cell, level, target, at);
  }

  /** Computes the hashes of all cells. */
  hashAll(): void {
    this.#computed.hashAll();
  }

  /** Bytes that the tables of this bag hold, apart from the bytes it was read from. */
  get tableBytes(): number {
    const { heads, starts, bits } = this;
    return heads.byteLength + starts.byteLength + bits.byteLength + (this.#hashes?.bytes ?? 0);
  }

  get #computed(): CellHashes {
    this.#hashes ??= new CellHashes(this);
    return this.#hashes;
  }
}
