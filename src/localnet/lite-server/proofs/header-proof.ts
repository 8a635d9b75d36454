import { makeMerkleProofs, type ProofRequest } from '../../../chain/boc/make-merkle-proof.ts';
import { type BlockRoot, readBlockRoot } from '../../../chain/tlb/block.ts';
import { type BlockInfo, readBlockInfo } from '../../../chain/tlb/block-info.ts';
import type { CellTree } from '../../store/chain-store.ts';
import { ProvenTree } from './proven-tree.ts';

/** The header of a block, and where its parts are. */
export interface ReadHeader {
  readonly root: BlockRoot;
  readonly info: BlockInfo;
}

/** Reads the header of a block with its references to other blocks. */
export function readHeader({ cells, root: cell }: CellTree): ReadHeader {
  const root = readBlockRoot(cells, cell);
  return { root, info: readBlockInfo(cells, root.info) };
}

/** A bag with a proof of a block's header alone. */
export function headerProof(block: CellTree): Buffer {
  const tree = new ProvenTree(block);
  readHeader(tree);
  return tree.toBoc();
}

/** A bag with a proof of which state a block leads to. */
export function stateRootProof(block: CellTree): Buffer {
  return makeMerkleProofs([stateRoot(block)]);
}

/** A bag with two proofs: of which state a block leads to, and of what was read of that state. */
export function stateProofs(block: CellTree, state: ProvenTree): Buffer {
  return makeMerkleProofs([stateRoot(block), state.proof]);
}

function stateRoot(block: CellTree): ProofRequest {
  const tree = new ProvenTree(block);
  tree.show(readHeader(tree).root.stateUpdate);
  return tree.proof;
}
