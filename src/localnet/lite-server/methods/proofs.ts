import type { BlockId } from '../../../chain/block-id.ts';
import { CellList, collectCells } from '../../../chain/boc/cell-list.ts';
import type { CellRef } from '../../../chain/boc/cells.ts';
import { makeMerkleProofs, type ProofRequest, ReadRecorder } from '../../../chain/boc/merkle.ts';
import { writeBoc, writeCells } from '../../../chain/boc/writer.ts';
import { readBlockExtra, readBlockInfo, readBlockRoot } from '../../../chain/tlb/block.ts';
import { readMasterchainExtra, readMasterchainMessages } from '../../../chain/tlb/masterchain-block.ts';
import { lookUpOldMcBlock, readMcStateExtra, readMcStateInfo } from '../../../chain/tlb/masterchain-state.ts';
import { readShardState, readShardStateTotals } from '../../../chain/tlb/shard-state.ts';
import { refuse } from './method-context.ts';

/** A tree that is read to create a response: the proof of the response shows the cells that were read. */
export class ProvenTree {
  readonly cells: ReadRecorder;
  readonly cell: number;
  readonly #tree: CellRef;

  constructor(tree: CellRef) {
    this.#tree = tree;
    this.cell = tree.cell;
    this.cells = new ReadRecorder(tree.cells);
  }

  /** Shows a cell that is not opened by a slice, such as an exotic one. */
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

  /** A request for a proof of what was read so far, to be written together with others. */
  get proof(): ProofRequest {
    return { ...this.#tree, shows: this.cells.read };
  }

  /** A bag with a proof of what was read so far. */
  toBoc(): Buffer {
    return makeMerkleProofs([this.proof]);
  }
}

/** Reads the header of a block with its references to other blocks. */
export function readHeader({ cells, cell }: CellRef) {
  const root = readBlockRoot(cells, cell);
  return { root, info: readBlockInfo(cells, root.info) };
}

/** A bag with a proof of a block's header alone. */
export function headerProof(block: CellRef): Buffer {
  const tree = new ProvenTree(block);
  readHeader(tree);
  return tree.toBoc();
}

/** A bag with a proof of which state a block leads to. */
export function stateRootProof(block: CellRef): Buffer {
  return makeMerkleProofs([stateRoot(block)]);
}

/** A bag with two proofs: of which state a block leads to, and of what was read of that state. */
export function stateProofs(block: CellRef, state: ProvenTree): Buffer {
  return makeMerkleProofs([stateRoot(block), state.proof]);
}

function stateRoot(block: CellRef): ProofRequest {
  const tree = new ProvenTree(block);
  tree.show(readHeader(tree).root.stateUpdate);
  return tree.proof;
}

/** Reads the first fields of a state. Clients generated from the schema always read the totals too. */
export function readState({ cells, cell: root }: CellRef) {
  const state = readShardState(cells, root);
  return { state, totals: readShardStateTotals(cells, state.totals) };
}

/** Reads the first fields of the masterchain's state, for such clients with all that is not in a dictionary. */
export function readMasterchainState(tree: CellRef) {
  const { state, totals } = readState(tree);
  const extra = readMcStateExtra(tree.cells, state.custom);
  return { state, totals, extra, info: readMcStateInfo(tree.cells, extra.info) };
}

const ZERO_STATE = 0;

/**
 * A bag with a proof that a state of the masterchain lists an earlier block; undefined if it does not. Clients that
 * unpack the whole configuration look for the zero state there too.
 */
export function oldBlockProof(state: CellRef, old: BlockId, withZeroState: boolean): Buffer | undefined {
  const tree = new ProvenTree(state);
  const { prevBlocks } = readMasterchainState(tree).info;
  const listed = lookUpOldMcBlock(tree.cells, prevBlocks.root, old.seqno);
  if (!listed?.rootHash.equals(old.rootHash) || !listed.fileHash.equals(old.fileHash)) return undefined;
  if (withZeroState) lookUpOldMcBlock(tree.cells, prevBlocks.root, ZERO_STATE);
  return tree.toBoc();
}

/** The root of the configuration in a key block. */
export function readKeyBlockConfig({ cells, cell: root }: CellRef): number {
  const { masterchain } = readBlockExtra(cells, readBlockRoot(cells, root).extra);
  const extra = masterchain < 0 ? undefined : readMasterchainExtra(cells, masterchain);
  if (extra?.config === undefined) refuse('cannot unpack extra header of key block to extract configuration');
  // Clients generated from the schema read this part too.
  readMasterchainMessages(cells, extra.messages);
  return extra.config.root;
}

const AS_NODES_DO = { order: 'tonlib', crc: false } as const;
/** Stands for a part that a response does not have. */
export const EMPTY: Buffer = Buffer.alloc(0);

/** Writes cells of any number of tables as the roots of one bag, as a node does; empty without cells. */
export function writeRoots(trees: readonly CellRef[]): Buffer {
  if (trees.length === 0) return EMPTY;
  const list = new CellList();
  const roots = trees.flatMap(({ cells, cell: root }) => collectCells({ cells, roots: [root] }, list, false));
  return writeCells(list, roots, AS_NODES_DO);
}

/** Writes a cell as a bag, as a node does. */
export function writeRoot({ cells, cell: root }: CellRef): Buffer {
  return writeBoc({ cells, roots: [root] }, AS_NODES_DO);
}
