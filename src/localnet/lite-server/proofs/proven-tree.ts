import { makeMerkleProofs, type ProofRequest } from '../../../chain/boc/make-merkle-proof.ts';
import { ReadRecorder } from '../../../chain/boc/read-recorder.ts';
import type { CellTree } from '../../store/chain-store.ts';

/** A tree that is read to answer a query: what was read of it is what a proof of the answer shows. */
export class ProvenTree {
  readonly cells: ReadRecorder;
  readonly root: number;
  readonly #tree: CellTree;

  constructor(tree: CellTree) {
    this.#tree = tree;
    this.root = tree.root;
    this.cells = new ReadRecorder(tree.cells);
  }

  /** Shows a cell that is not opened by a slice: an exotic one. */
  show(cell: number): void {
    this.cells.read.add(cell);
  }

  /** Shows a cell and everything below it. */
  showAll(cell: number): void {
    const { cells } = this;
    const visited = new Set<number>();
    // Cells are at most 1024 deep, and so is the recursion.
    const visit = (next: number): void => {
      if (visited.has(next)) return;
      visited.add(next);
      cells.read.add(next);
      for (let i = 0; i < cells.refCount(next); i++) visit(cells.ref(next, i));
    };
    visit(cell);
  }

  /** Asks for a proof of what was read so far, to be written together with others. */
  get proof(): ProofRequest {
    return { ...this.#tree, keep: this.cells.read };
  }

  /** A bag with a proof of what was read so far. */
  toBoc(): Buffer {
    return makeMerkleProofs([this.proof]);
  }
}
