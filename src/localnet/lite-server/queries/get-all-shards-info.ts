import { Slice } from '../../../chain/boc/slice.ts';
import { writeBoc } from '../../../chain/boc/write-boc.ts';
import { readBlockRoot } from '../../../chain/tlb/block.ts';
import { readBlockExtra } from '../../../chain/tlb/block-extra.ts';
import { readMasterchainExtra, readMasterchainMessages } from '../../../chain/tlb/masterchain-extra.ts';
import { loadMasterchainBlock } from '../known-blocks.ts';
import { ProvenTree } from '../proofs/proven-tree.ts';
import type { Query } from '../query.ts';

/** Bits of a McBlockExtra before the dictionary of shards. */
const SHARD_HASHES_AT = 16 + 1;

/** The newest blocks of all shards that a masterchain block names. */
export const getAllShardsInfo: Query<'getAllShardsInfo'> = ({ store }, { id }) => {
  const block = loadMasterchainBlock(store, id);
  const tree = new ProvenTree(block);
  const { extra } = readBlockRoot(tree.cells, tree.root);
  const { masterchain } = readBlockExtra(tree.cells, extra);
  readMasterchainMessages(tree.cells, readMasterchainExtra(tree.cells, masterchain).messages);
  // The data is the dictionary as the block has it: one bit and, unless it is empty, one reference.
  const data = new Slice(block.cells, masterchain);
  data.skip(SHARD_HASHES_AT);
  data.refEnd = data.refAt + data.peek(1);
  data.bitEnd = data.bit + 1;
  return { id, proof: tree.toBoc(), data: writeBoc(data, { order: 'tonlib', crc: false }) };
};
