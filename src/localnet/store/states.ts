import { type BlockId, shortBlockName } from '../../chain/block-id.ts';
import { type CellBag, readBoc } from '../../chain/boc/bag.ts';
import type { CellRef, Cells } from '../../chain/boc/cells.ts';
import { CellArena } from '../../chain/state/arena.ts';
import { applyMerkleUpdate } from '../../chain/state/merkle-updates.ts';
import { readStateUpdate } from '../../chain/tlb/block.ts';
import { joinStates } from '../../chain/tlb/shard-state.ts';
import type { NewBlock, ParsedBlock } from './parse-block.ts';

const SPARE_BYTES = 2 ** 20;

/**
 * The states after all blocks in one arena, where they share what no block between them changed. When they take too
 * much room the older half of them is forgotten.
 */
export class StateStore {
  readonly #arena = new CellArena();
  /** Roots by block id, in the order of arrival. */
  readonly #roots = new Map<string, number>();
  #maxBytes: number;
  /** Memory after the last compaction. */
  #compactBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(id: BlockId, cells: Cells, root: number): void {
    this.#set(id, this.#arena.add(cells, root));
  }

  /** Adds the state after a block: by its update, as given, or not at all. */
  addAfter(block: ParsedBlock, given: NewBlock['state']): void {
    if (given === undefined) this.#set(block.id, this.#apply(block));
    else if (given !== 'none') this.#addGiven(block, readBoc(given));
  }

  get(id: BlockId): CellRef | undefined {
    const root = this.#roots.get(shortBlockName(id));
    return root === undefined ? undefined : { cells: this.#arena, cell: root };
  }

  /** Drops old states if there are too many, but never those of `needed`. All cell numbers change then. */
  tidy(needed: readonly BlockId[]): void {
    if (this.#arena.memory <= this.#maxBytes) return;
    const names = new Set(needed.map(shortBlockName));
    let toForget = this.#roots.size >> 1;
    for (const name of this.#roots.keys()) {
      if (toForget === 0) break;
      if (names.has(name)) continue;
      this.#roots.delete(name);
      toForget--;
    }
    this.#compact();
    // A state that is itself this large would be copied after each block.
    this.#maxBytes = Math.max(this.#maxBytes, 2 * this.#arena.memory);
  }

  /** Forgets states that the chain went back from. Their cells go when they take as much room as all others. */
  remove(ids: readonly BlockId[]): void {
    for (const id of ids) this.#roots.delete(shortBlockName(id));
    if (this.#arena.memory > 2 * this.#compactBytes + SPARE_BYTES) this.#compact();
  }

  /** Applies the update of a block to the state after the blocks before, which are two where shards merge. */
  #apply({ id, previous, bag, stateUpdate }: ParsedBlock): number {
    const [first, second] = previous.map((block) => this.#rootOf(block));
    const old = second === undefined ? first! : joinStates(this.#arena, first!, second);
    const root = applyMerkleUpdate(this.#arena, old, bag, stateUpdate);
    if (!this.#arena.isComplete(root))
      throw new Error(
        `the update of block ${shortBlockName(id)} leaves out parts of the state that are not known`,
      );
    return root;
  }

  #addGiven({ id, bag, stateUpdate }: ParsedBlock, state: CellBag): void {
    if (!state.hash(state.root).equals(readStateUpdate(bag, stateUpdate).newHash))
      throw new Error(`block ${shortBlockName(id)} leads to another state than the given one`);
    this.add(id, state, state.root);
  }

  #compact(): void {
    const roots = this.#arena.compact([...this.#roots.values()]);
    for (const [i, name] of [...this.#roots.keys()].entries()) this.#roots.set(name, roots[i]!);
    this.#compactBytes = this.#arena.memory;
  }

  #set(id: BlockId, root: number): void {
    this.#roots.set(shortBlockName(id), root);
  }

  #rootOf(id: BlockId): number {
    const state = this.get(id);
    if (state === undefined) throw new Error(`the state after block ${shortBlockName(id)} is not known`);
    return state.cell;
  }
}
