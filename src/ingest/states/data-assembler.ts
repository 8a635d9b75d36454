import { type CellBag, readBoc } from '../../chain/boc/bag.ts';
import { writeBoc } from '../../chain/boc/writer.ts';
import { CellArena } from '../../chain/state/arena.ts';

/** Account data with more gaps is fetched as a whole. */
const MAX_GAPS_PER_ACCOUNT = 64;

/**
 * Assembles the data of an account from what blocks show of it, change by change. Cells are identified by their hashes, so
 * it does not matter where a missing one comes from.
 */
export class DataAssembler {
  readonly #arena: CellArena;
  #root = -1;

  /** `bytes` is the approximate total size of the bags that will be added. */
  constructor(bytes: number) {
    this.#arena = new CellArena(16 + (bytes >> 5));
  }

  /** Adds a bag of cells; its root becomes the data. */
  add(boc: Buffer): void {
    const bag: CellBag = readBoc(boc);
    this.#root = this.#arena.add(bag, bag.root);
  }

  /** Adds cells that may fill gaps; the root of the data stays. */
  addSource(boc: Buffer): void {
    const bag = readBoc(boc);
    this.#arena.add(bag, bag.root);
  }

  /** Hashes of missing cells, up to a limit. */
  gaps(): Buffer[] {
    return this.#arena.missing(this.#root, MAX_GAPS_PER_ACCOUNT);
  }

  /** The data as a bag of cells, or undefined while there are gaps. */
  toBoc(): Buffer | undefined {
    if (this.gaps().length > 0) return undefined;
    return writeBoc({ cells: this.#arena, roots: [this.#root] }, { order: 'tonlib', crc: false });
  }
}
