import { type BlockId, shortBlockName } from '../../chain/block-id.ts';
import { BuildingArena } from '../../chain/state/building-arena.ts';
import type { ChainStore } from '../store/chain-store.ts';

/** The states that blocks are built on, in an arena where the next ones can be made. */
export class StateArena {
  readonly arena = new BuildingArena();
  readonly #store: ChainStore;
  /** Roots by the hash of the block. */
  readonly #roots = new Map<string, number>();
  readonly #maxBytes: number;
  #limit: number;

  /** States take about `maxBytes` before old ones are forgotten. */
  constructor(store: ChainStore, maxBytes: number) {
    this.#store = store;
    this.#maxBytes = maxBytes;
    this.#limit = maxBytes;
  }

  /** The root of the state after a block: one that was made here, or else as the store has it. */
  rootOf(id: BlockId): number {
    const name = nameOf(id);
    const known = this.#roots.get(name);
    if (known !== undefined) return known;
    const tree = this.#store.state(id);
    if (tree === undefined || tree === 'gone')
      throw new Error(`the state after block ${shortBlockName(id)} is not there to build on`);
    const root = this.arena.add(tree.cells, tree.root);
    this.#roots.set(name, root);
    return root;
  }

  /** Keeps the state after a block that was made here. */
  keep(id: BlockId, root: number): void {
    this.#roots.set(nameOf(id), root);
  }

  /**
   * Forgets all but the states after some blocks if there are too many. All numbers of cells change then, and it gives
   * true.
   */
  tidy(needed: readonly BlockId[]): boolean {
    if (this.arena.memory <= this.#limit) return false;
    const roots = this.arena.compact(needed.map((id) => this.rootOf(id)));
    this.#roots.clear();
    for (const [i, id] of needed.entries()) this.#roots.set(nameOf(id), roots[i]!);
    // A state that is itself this large would be copied again and again.
    this.#limit = Math.max(this.#maxBytes, 2 * this.arena.memory);
    return true;
  }
}

function nameOf({ rootHash }: BlockId): string {
  return rootHash.toString('latin1');
}
