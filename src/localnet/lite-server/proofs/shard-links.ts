import { type BlockId, sameBlock } from '../../../chain/block-id.ts';
import { shardsIntersect } from '../../../chain/shard-prefix.ts';
import type { ShardBlockLink } from '../../../chain/tl/shard-block-links.ts';
import { readBlockRoot } from '../../../chain/tlb/block.ts';
import { readBlockExtra } from '../../../chain/tlb/block-extra.ts';
import { previousBlocks } from '../../../chain/tlb/block-previous.ts';
import { findShard } from '../../../chain/tlb/find-shard.ts';
import { readMasterchainExtra, readMasterchainMessages } from '../../../chain/tlb/masterchain-extra.ts';
import type { ShardIdent } from '../../../chain/tlb/shard-ident.ts';
import type { ChainStore, OpenBlock, StoredBlock } from '../../store/chain-store.ts';
import { knownBlock } from '../known-blocks.ts';
import { LiteRefusal, PLAIN_ERROR, refuse } from '../lite-refusal.ts';
import { readHeader } from './header-proof.ts';
import { ProvenTree } from './proven-tree.ts';

/** The masterchain block that brought a shard block in, and the links from it down to that block. */
export interface ShardLinks {
  readonly masterchain: BlockId;
  readonly links: readonly ShardBlockLink[];
}

/** More blocks of a shard than these never come with one masterchain block. */
const MAX_LINKS = 8;

/** Proves a shard block from the masterchain block that brought it into the chain. */
export function shardLinks(store: ChainStore, { id, masterchainSeqno }: StoredBlock): ShardLinks {
  const masterchain = store.masterchainBlock(masterchainSeqno);
  if (masterchain === undefined) throw new LiteRefusal(PLAIN_ERROR, "block doesn't have masterchain ref");
  const links: ShardBlockLink[] = [];
  let link = linkToTop(store.open(masterchain), id);
  for (links.push(link); !sameBlock(link.id, id); links.push(link)) {
    if (links.length === MAX_LINKS) refuse('proof chain is too long');
    link = linkToPrevious(knownBlock(store, link.id), id);
  }
  return { masterchain: masterchain.id, links };
}

/** From a masterchain block to the newest block of the shard where a block lies. */
function linkToTop(masterchain: OpenBlock, target: BlockId): ShardBlockLink {
  const tree = new ProvenTree(masterchain);
  const { cells } = tree;
  const { extra: extraCell } = readBlockRoot(cells, tree.root);
  const extra = readMasterchainExtra(cells, readBlockExtra(cells, extraCell).masterchain);
  readMasterchainMessages(cells, extra.messages);
  const found = findShard(cells, extra.shardHashes, leftmostLeaf(target), false);
  if (found === undefined) refuse('shard not found');
  const { workchain, shard, seqno, rootHash, fileHash } = found.descr;
  return { id: { workchain, shard, seqno, rootHash, fileHash }, proof: tree.toBoc() };
}

/** From a shard block to one before it. */
function linkToPrevious(block: OpenBlock, target: BlockId): ShardBlockLink {
  const tree = new ProvenTree(block);
  const previous = previousBlocks(readHeader(tree).info);
  const id = previous.find(({ shard }) => shardsIntersect(shard, target.shard));
  if (id === undefined) refuse('failed to find block chain');
  return { id, proof: tree.toBoc() };
}

/** The leftmost of the smallest shards in a shard: the shard itself may be split by now. */
function leftmostLeaf({ workchain, shard }: ShardIdent): ShardIdent {
  return { workchain, shard: (shard & (shard - 1n)) | 1n };
}
