import { shortBlockName } from '../../chain/block-id.ts';
import type { CellBag } from '../../chain/boc/cell-bag.ts';
import { readBoc } from '../../chain/boc/read-boc.ts';
import type { StoredBlock } from './chain-store.ts';

/** Cells of blocks that were used lately; of others only the way to load them is kept. */
export class BlockCache {
  readonly #maxBytes: number;
  readonly #loads = new Map<StoredBlock, () => Buffer>();
  /** The one used last comes last. */
  readonly #bags = new Map<StoredBlock, CellBag>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Adds a block whose cells are at hand; `load` gives its bytes again. */
  add(block: StoredBlock, bag: CellBag, load: () => Buffer): void {
    this.#loads.set(block, load);
    this.#keep(block, bag);
  }

  open(block: StoredBlock): CellBag {
    const known = this.#bags.get(block);
    if (known !== undefined) {
      this.#bags.delete(block);
      this.#bags.set(block, known);
      return known;
    }
    const load = this.#loads.get(block);
    if (load === undefined) throw new Error(`block ${shortBlockName(block.id)} is of another store`);
    const bag = readBoc(load());
    this.#keep(block, bag);
    return bag;
  }

  #keep(block: StoredBlock, bag: CellBag): void {
    this.#bags.set(block, bag);
    this.#bytes += bag.bytes.length;
    for (const [oldest, old] of this.#bags) {
      if (this.#bytes <= this.#maxBytes || oldest === block) break;
      this.#bags.delete(oldest);
      this.#bytes -= old.bytes.length;
    }
  }
}
