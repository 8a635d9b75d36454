import type { BlockId } from '../../../chain/block-id.ts';
import { lookUpOldMcBlock } from '../../../chain/tlb/old-mc-blocks.ts';
import type { CellTree } from '../../store/chain-store.ts';
import { ProvenTree } from './proven-tree.ts';
import { readMasterchainState } from './state-reading.ts';

const ZERO_STATE = 0;

/**
 * A bag with a proof that a state of the masterchain remembers an earlier block; undefined if it does not. Clients
 * that unpack the whole configuration look for the zero state there too.
 */
export function oldBlockProof(state: CellTree, old: BlockId, withZeroState: boolean): Buffer | undefined {
  const tree = new ProvenTree(state);
  const { prevBlocks } = readMasterchainState(tree).info;
  const found = lookUpOldMcBlock(tree.cells, prevBlocks.root, old.seqno);
  if (!found?.rootHash.equals(old.rootHash) || !found.fileHash.equals(old.fileHash)) return undefined;
  if (withZeroState) lookUpOldMcBlock(tree.cells, prevBlocks.root, ZERO_STATE);
  return tree.toBoc();
}
