import { beginCell } from '@ton/core';
import { type BlockId, MASTERCHAIN } from '../../../src/chain/block-id.ts';
import { toCoreCell } from '../../../src/chain/boc/core-cell.ts';
import { shardContains } from '../../../src/chain/shard-prefix.ts';
import type { BlockHeader, LookupKey } from '../../../src/chain/tl/blocks.ts';
import type { LookupBlockResult } from '../../../src/chain/tl/proven-lookups.ts';
import type { ShardBlockLink, ShardBlockProof } from '../../../src/chain/tl/shard-block-links.ts';
import type { AllShardsInfo, GetShardInfo, ShardInfo } from '../../../src/chain/tl/shards.ts';
import { readBlockRoot } from '../../../src/chain/tlb/block.ts';
import { readBlockInfo } from '../../../src/chain/tlb/block-info.ts';
import { findShard, topBlock } from '../../../src/chain/tlb/find-shard.ts';
import { readMcStateExtra, readMcStateInfo } from '../../../src/chain/tlb/mc-state-extra.ts';
import { lookUpOldMcBlock } from '../../../src/chain/tlb/old-mc-blocks.ts';
import { readShardState } from '../../../src/chain/tlb/shard-state.ts';
import { shardHashesOf } from '../../../src/lite/proofs/shards.ts';
import { NO_BLOCK } from './account-answers.ts';
import type { BuiltBlock } from './block.ts';
import { blockOf, blocksBefore, lookUpBlock, wayTo } from './find-blocks.ts';
import { proofBag, type Shown, showHeader, showRead } from './make-proofs.ts';
import { bagOf } from './merkle-cells.ts';
import type { SampleChain } from './sample-chain.ts';
import { storeShardHashes } from './shard-hashes.ts';

const EMPTY = Buffer.alloc(0);

/** Shows the header of a block alone. */
function showInfo(block: BuiltBlock): Shown<void> {
  return showRead(block.root, (cells, root) => {
    readBlockInfo(cells, readBlockRoot(cells, root).info);
  });
}

/** Answers getBlockHeader and lookupBlock; bit 0 of the mode adds the state update. */
export function answerHeader(block: BuiltBlock, mode: number): BlockHeader {
  const shown = mode & 1 ? showHeader(block.root) : showInfo(block);
  return { id: block.id, mode, headerProof: proofBag(shown) };
}

/** Answers getAllShardsInfo. */
export function answerAllShards(chain: SampleChain, id: BlockId): AllShardsInfo {
  const block = blockOf(chain, id);
  const shown = showRead(block.root, (cells, cell) => shardHashesOf({ cells, cell }));
  const data = storeShardHashes(beginCell(), block.parts.masterchain!.shards).endCell();
  return { id, proof: proofBag(shown), data: bagOf(data) };
}

/** Answers getShardInfo. */
export function answerShard(chain: SampleChain, request: GetShardInfo): ShardInfo {
  const { id, exact } = request;
  const block = blockOf(chain, id);
  const shown = showRead(block.state, (cells, root) => {
    const { shardHashes } = readMcStateExtra(cells, readShardState(cells, root).custom);
    return findShard(cells, shardHashes, request, exact);
  });
  const { value } = shown;
  return {
    id,
    shardBlock: value === undefined ? NO_BLOCK : topBlock(value.descr),
    shardProof: proofBag(showHeader(block.root), shown),
    shardDescr: value === undefined ? EMPTY : bagOf(toCoreCell(value.cells, value.cell)),
  };
}

/** Answers getShardBlockProof. */
export function answerShardBlockProof(chain: SampleChain, id: BlockId): ShardBlockProof {
  if (id.workchain === MASTERCHAIN) return { masterchainId: id, links: [] };
  const { from, way } = wayTo(chain, id);
  return { masterchainId: from.id, links: linksOf(chain, from, way) };
}

function linksOf(chain: SampleChain, from: BuiltBlock, way: readonly BlockId[]): ShardBlockLink[] {
  return way.map((id, i) => {
    if (i > 0) return { id, proof: proofBag(showInfo(blockOf(chain, way[i - 1]!))) };
    const shown = showRead(from.root, (cells, cell) =>
      findShard(cells, shardHashesOf({ cells, cell }), id, true),
    );
    return { id, proof: proofBag(shown) };
  });
}

/** Answers lookupBlockWithProof. */
export function answerLookup(chain: SampleChain, key: LookupKey, reference: BlockId): LookupBlockResult {
  const block = lookUpBlock(chain, key);
  const inMasterchain = block.id.workchain === MASTERCHAIN;
  const { from, way } = inMasterchain ? { from: block, way: [] } : wayTo(chain, block.id);
  const before = blocksBefore(block).find(({ shard }) => shardContains(shard, key.id.shard));
  const head = blockOf(chain, reference);
  const old = showRead(head.state, (cells, root) => {
    const { info } = readMcStateExtra(cells, readShardState(cells, root).custom);
    lookUpOldMcBlock(cells, readMcStateInfo(cells, info).prevBlocks.root, from.id.seqno);
  });
  return {
    id: block.id,
    mode: key.mode,
    mcBlockId: from.id,
    clientMcStateProof: from === head ? EMPTY : proofBag(showHeader(head.root)),
    mcBlockProof: from === head ? EMPTY : proofBag(old),
    shardLinks: linksOf(chain, from, way),
    header: proofBag(showInfo(block)),
    prevHeader: key.mode & 6 ? proofBag(showInfo(blockOf(chain, before!))) : EMPTY,
  };
}
