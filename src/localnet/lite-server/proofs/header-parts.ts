import { readBlockExtra } from '../../../chain/tlb/block-extra.ts';
import { readMasterchainExtra, readMasterchainMessages } from '../../../chain/tlb/masterchain-extra.ts';
import type { CellTree } from '../../store/chain-store.ts';
import { readHeader } from './header-proof.ts';
import { ProvenTree } from './proven-tree.ts';

const WITH_STATE_UPDATE = 1;
const WITH_VALUE_FLOW = 2;
const WITH_EXTRA = 16;
const WITH_SHARD_HASHES = 32;
const WITH_SIGNATURES = 64;

/** A bag with a proof of a block's header and the other parts that bits of a mode ask for. */
export function headerParts(block: CellTree, mode: number): Buffer {
  const tree = new ProvenTree(block);
  const { root } = readHeader(tree);
  if (mode & WITH_STATE_UPDATE) tree.show(root.stateUpdate);
  if (mode & WITH_VALUE_FLOW) tree.showAll(root.valueFlow);
  if (mode & WITH_EXTRA) showExtra(tree, root.extra, mode);
  return tree.toBoc();
}

function showExtra(tree: ProvenTree, cell: number, mode: number): void {
  const { masterchain } = readBlockExtra(tree.cells, cell);
  if (masterchain < 0) return;
  const { shardHashes, messages } = readMasterchainExtra(tree.cells, masterchain);
  const { prevBlockSignatures } = readMasterchainMessages(tree.cells, messages);
  if (mode & WITH_SHARD_HASHES && shardHashes >= 0) tree.showAll(shardHashes);
  if (mode & WITH_SIGNATURES && prevBlockSignatures >= 0) tree.showAll(prevBlockSignatures);
}
