import type { CellBag } from '../../chain/boc/cell-bag.ts';
import { readBoc } from '../../chain/boc/read-boc.ts';
import { writeBoc } from '../../chain/boc/write-boc.ts';
import { CellArena } from '../../chain/state/cell-arena.ts';

/** Account data with more gaps than this is asked for as a whole. */
const MOST_GAPS = 64;

/**
 * Puts the data of an account together from what blocks show of it, one change after the other. Cells are told by
 * their hashes, so it does not matter where one that was left out comes from.
 */
export class WholeData {
  readonly #arena: CellArena;
  #root = -1;

  /** `bytes` is about what the bags that will be added have together. */
  constructor(bytes: number) {
    this.#arena = new CellArena(16 + (bytes >> 5));
  }

  /** Adds a bag whose cells may be needed; its root becomes the data. */
  add(boc: Buffer): void {
    const bag: CellBag = readBoc(boc);
    this.#root = this.#arena.add(bag, bag.root);
  }

  /** Adds cells that may fill gaps; the data stays what it is. */
  addSource(boc: Buffer): void {
    const bag = readBoc(boc);
    this.#arena.add(bag, bag.root);
  }

  /** Hashes of cells that are not known, some of them. */
  gaps(): Buffer[] {
    return this.#arena.missing(this.#root, MOST_GAPS);
  }

  /** The data as a bag of cells, or undefined while there are gaps. */
  toBoc(): Buffer | undefined {
    if (this.gaps().length > 0) return undefined;
    return writeBoc({ cells: this.#arena, roots: [this.#root] }, { order: 'tonlib', crc: false });
  }
}
