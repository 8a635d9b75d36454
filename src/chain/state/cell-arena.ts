import { CellFault } from '../boc/cell-fault.ts';
import { MERKLE_PROOF, MERKLE_UPDATE } from '../boc/cell-kind.ts';
import type { Cells } from '../boc/cells.ts';
import { CellStore, PLACEHOLDER_BITS } from './cell-store.ts';

const MAX_LEVEL = 3;

/**
 * The cells of states, each once, whatever number of blocks, proofs and account states they came from. Import only
 * what is proven: a pruned branch is believed to tell hash and depth of what it stands for.
 */
export class CellArena extends CellStore {
  readonly #hash = Buffer.alloc(32);

  /**
   * Imports a cell and everything below it; gives its number here. What is known is found again by its hash. A pruned
   * branch becomes the cell it stands for if that is known, else a placeholder until it is.
   *
   * Pruned branches that stand below a Merkle cell of the imported tree may be part of what a contract keeps: those
   * are cells like others. `merkleDepth` tells how many such Merkle cells are above the imported cell itself, not
   * counting the proof or update that the tree comes in.
   */
  add(cells: Cells, cell: number, merkleDepth = 0): number {
    return this.#add(cells, cell, Math.min(merkleDepth, MAX_LEVEL), new Map());
  }

  /** Hashes of placeholders at or below a cell, at most `limit` of them. */
  missing(root: number, limit: number): Buffer[] {
    const found: Buffer[] = [];
    const visited = new Set<number>();
    const visit = (cell: number): void => {
      if (this.isComplete(cell) || visited.has(cell) || found.length >= limit) return;
      visited.add(cell);
      if (this.isPlaceholder(cell)) {
        found.push(Buffer.from(this.hash(cell)));
        return;
      }
      const refs = this.refCount(cell);
      for (let i = 0; i < refs; i++) visit(this.ref(cell, i));
      this.#settle(cell);
    };
    visit(root);
    return found;
  }

  /**
   * Forgets all cells but those at and below the given roots; gives the new numbers of the roots. All other numbers
   * and slices are void afterwards.
   */
  compact(roots: readonly number[]): number[] {
    const fresh = new CellArena();
    // The hash of a cell here is its own at any depth: level 3.
    const kept = roots.map((root) => fresh.add(this, root, MAX_LEVEL));
    this.become(fresh);
    return kept;
  }

  // Depths fall along references (they are compared below), so the recursion is bounded as they are.
  #add(cells: Cells, cell: number, level: number, incomplete: Map<number, number>): number {
    const depth = cells.depth(cell, level);
    cells.copyHash(cell, level, this.#hash, 0);
    const known = this.find(this.#hash);
    if (known >= 0) {
      if (this.depth(known) !== depth) throw new CellFault('a pruned branch with a wrong depth');
      if (this.isComplete(known)) return known;
    }
    if (isHidden(cells, cell, level)) return known >= 0 ? known : this.addPlaceholder(cells, cell, level);

    // Without this, cells that others share and that stay incomplete would be walked through again and again.
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
      known >= 0 && !this.isPlaceholder(known) ? known : this.putCell(cells, cell, level, refs, known);
    if (!this.#settle(row)) incomplete.set(key, row);
    return row;
  }

  /** Notes that a real cell is complete if all its children are. */
  #settle(cell: number): boolean {
    const refs = this.refCount(cell);
    for (let i = 0; i < refs; i++) if (!this.isComplete(this.ref(cell, i))) return false;
    this.setComplete(cell);
    return true;
  }
}

/** Whether a cell only stands for another: a pruned branch that the outermost Merkle cell made, or a placeholder. */
function isHidden(cells: Cells, cell: number, level: number): boolean {
  return (
    cells.isPruned(cell) && (cells.levelMask(cell) >> level !== 0 || cells.bits[cell] === PLACEHOLDER_BITS)
  );
}
