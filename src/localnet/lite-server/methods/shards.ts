import { type BlockId, INVALID_WORKCHAIN, MASTERCHAIN, sameBlock } from '../../../chain/block-id.ts';
import { Slice } from '../../../chain/boc/slice.ts';
import { writeBoc } from '../../../chain/boc/writer.ts';
import { shardsIntersect } from '../../../chain/shards.ts';
import { previousBlocks, readBlockExtra, readBlockRoot, type ShardIdent } from '../../../chain/tlb/block.ts';
import { readMasterchainExtra, readMasterchainMessages } from '../../../chain/tlb/masterchain-block.ts';
import { findShard, topBlock } from '../../../chain/tlb/shard-hashes.ts';
import { MAX_SHARD_LINKS, type ShardBlockLink } from '../../../lite/methods/shards.ts';
import type { StoredBlock } from '../../store/block-index.ts';
import type { ChainStore, OpenBlock } from '../../store/chain-store.ts';
import { type MethodHandlers, refuse, refusePlainly } from './method-context.ts';
import { EMPTY, ProvenTree, readHeader, readMasterchainState, stateProofs, writeRoot } from './proofs.ts';
import {
  type BlockAndState,
  loadMasterchainBlock,
  loadMasterchainBlockAndState,
  NO_BLOCK,
  openStoredBlock,
  storedBlock,
} from './stored-blocks.ts';

export const shardMethods = {
  getShardInfo({ store }, { id, workchain, shard, exact }) {
    if (workchain === INVALID_WORKCHAIN) refuse('requested shard is invalid');
    const block = loadMasterchainBlockAndState(store, id);
    const { proof, shard: top } = topBlockProof(block, { workchain, shard }, exact);
    return {
      id,
      shardBlock: top?.descr ?? NO_BLOCK,
      shardProof: proof,
      shardDescr: top ? writeRoot({ cells: block.state.cells, cell: top.cell }) : EMPTY,
    };
  },

  getAllShardsInfo({ store }, { id }) {
    const block = loadMasterchainBlock(store, id);
    const tree = new ProvenTree(block);
    const { extra } = readBlockRoot(tree.cells, tree.cell);
    const { masterchain } = readBlockExtra(tree.cells, extra);
    readMasterchainMessages(tree.cells, readMasterchainExtra(tree.cells, masterchain).messages);
    // The data is the dictionary as in the block: one bit and, unless it is empty, one reference.
    const data = new Slice(block.cells, masterchain);
    data.skip(SHARD_HASHES_AT);
    data.refEnd = data.refAt + data.peek(1);
    data.bitEnd = data.bit + 1;
    return { id, proof: tree.toBoc(), data: writeBoc(data, { order: 'tonlib', crc: false }) };
  },

  /** Proves a shard block from the masterchain block that included it. */
  getShardBlockProof({ store }, { id }) {
    if (id.workchain === INVALID_WORKCHAIN || id.shard === 0n) refuse('invalid block id');
    if (id.workchain === MASTERCHAIN) return { masterchainId: id, links: [] };
    const { masterchain, links } = shardLinks(store, storedBlock(store, id));
    return { masterchainId: masterchain, links };
  },
} satisfies Partial<MethodHandlers>;

/** Bits of a McBlockExtra before the dictionary of shards. */
const SHARD_HASHES_AT = 16 + 1;

/** Finds the shard that contains another one, or with `exact` that one itself, in the state after a masterchain block. */
export function topBlockProof(block: BlockAndState, ident: ShardIdent, exact: boolean) {
  const tree = new ProvenTree(block.state);
  const { extra } = readMasterchainState(tree);
  const shard = findShard(tree.cells, extra.shardHashes, ident, exact);
  return { proof: stateProofs(block, tree), shard };
}

/** Proves a shard block from the masterchain block that included it. */
export function shardLinks(store: ChainStore, { id, masterchainSeqno }: StoredBlock) {
  const masterchain = store.masterchainBlock(masterchainSeqno);
  if (masterchain === undefined) refusePlainly("block doesn't have masterchain ref");
  const links: ShardBlockLink[] = [];
  let link = linkToTop(store.open(masterchain), id);
  for (links.push(link); !sameBlock(link.id, id); links.push(link)) {
    if (links.length === MAX_SHARD_LINKS) refuse('proof chain is too long');
    link = linkToPrevious(openStoredBlock(store, link.id), id);
  }
  return { masterchain: masterchain.id, links };
}

/** From a masterchain block to the newest block of the shard of a block. */
function linkToTop(masterchain: OpenBlock, target: BlockId): ShardBlockLink {
  const tree = new ProvenTree(masterchain);
  const { cells } = tree;
  const { extra: extraCell } = readBlockRoot(cells, tree.cell);
  const extra = readMasterchainExtra(cells, readBlockExtra(cells, extraCell).masterchain);
  readMasterchainMessages(cells, extra.messages);
  // The leftmost of the smallest shards in the target's shard, which may have been split.
  const leaf = { workchain: target.workchain, shard: (target.shard & (target.shard - 1n)) | 1n };
  const top = findShard(cells, extra.shardHashes, leaf, false);
  if (top === undefined) refuse('shard not found');
  return { id: topBlock(top.descr), proof: tree.toBoc() };
}

/** From a shard block to one before it. */
function linkToPrevious(block: OpenBlock, target: BlockId): ShardBlockLink {
  const tree = new ProvenTree(block);
  const previous = previousBlocks(readHeader(tree).info);
  const id = previous.find(({ shard }) => shardsIntersect(shard, target.shard));
  if (id === undefined) refuse('failed to find block chain');
  return { id, proof: tree.toBoc() };
}
