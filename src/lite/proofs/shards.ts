import { type BlockId, sameBlock } from '../../chain/block-id.ts';
import { Slice } from '../../chain/boc/slice.ts';
import type { AllShardsInfo, ShardInfo } from '../../chain/tl/shards.ts';
import { readBlockRoot } from '../../chain/tlb/block.ts';
import { readBlockExtra } from '../../chain/tlb/block-extra.ts';
import { findShard, topBlock } from '../../chain/tlb/find-shard.ts';
import { readMasterchainExtra } from '../../chain/tlb/masterchain-extra.ts';
import { readShardHashes } from '../../chain/tlb/shard-hashes.ts';
import type { ShardDescr } from '../../chain/tlb/shard-hashes-descr.ts';
import type { ShardIdent } from '../../chain/tlb/shard-ident.ts';
import { checkRootHash } from './block-header.ts';
import { isMasterchainBlock, isPossibleBlock } from './block-place.ts';
import { type FoundCell, hashOf, openProof, openProofPair, readWholeBag } from './open-proof.ts';
import { type CheckOptions, proving, refuse } from './proof-scope.ts';
import { checkState, masterchainPart } from './state-proof.ts';

/** The root of ShardHashes in a masterchain block, -1 when it is empty. */
export function shardHashesOf({ cells, cell }: FoundCell): number {
  const extra = readBlockExtra(cells, readBlockRoot(cells, cell).extra);
  if (extra.masterchain < 0) refuse('cannot unpack block extra: not a masterchain block');
  return readMasterchainExtra(cells, extra.masterchain).shardHashes;
}

/**
 * Checks the answer of getAllShardsInfo: the newest blocks of all shards that a masterchain block names, workchains in
 * ascending order, shards of one from left to right.
 */
export function checkAllShards(answer: AllShardsInfo, block: BlockId, options: CheckOptions): ShardDescr[] {
  return proving('VALIDATE_BLOCK_PROOF', () => {
    if (!sameBlock(answer.id, block)) refuse('Liteserver responded with wrong block');
    if (!isMasterchainBlock(block))
      refuse('Shard configuration can be requested only for a masterchain block');
    const data = readWholeBag(answer.data);
    const slice = new Slice(data, data.root);
    const root = slice.maybeRef();
    slice.end();
    const proof = openProof(answer.proof, options);
    checkRootHash(proof, block, options);
    const expected = shardHashesOf(proof);
    if (root < 0 !== expected < 0) refuse('Block shards data or proof missing root reference');
    if (options.verify && root >= 0 && !data.hash(root).equals(proof.cells.hash(expected, 0)))
      refuse("Block shards data and proof hashes don't match");
    return readShardHashes(data, root);
  });
}

/** A question about one shard as a masterchain block sees it. */
export interface ShardQuestion extends ShardIdent {
  readonly block: BlockId;
  /** Whether a shard that holds the given one is no answer. */
  readonly exact: boolean;
}

/** Checks the answer of getShardInfo: the newest block of a shard, or undefined where there is no such shard. */
export function checkShardInfo(
  answer: ShardInfo,
  question: ShardQuestion,
  options: CheckOptions,
): ShardDescr | undefined {
  return proving('VALIDATE_BLOCK_PROOF', () => {
    const { block, exact } = question;
    const { shardBlock, shardDescr } = answer;
    if (!sameBlock(answer.id, block)) refuse('Liteserver responded with wrong block');
    const [headerCell, stateCell] = openProofPair(answer.shardProof, 'shard configuration proof', options);
    const state = checkState(headerCell, stateCell, block, options);
    const found = findShard(state.cells, masterchainPart(state).shardHashes, question, exact);
    if (found === undefined) {
      if (isPossibleBlock(shardBlock) || shardDescr.length > 0)
        refuse('shard configuration proof shows no such shard, but the answer names one');
      return undefined;
    }
    if (!sameBlock(topBlock(found.descr), shardBlock))
      refuse('shard configuration proof shows another block than the answer names');
    const received = readWholeBag(shardDescr);
    if (options.verify && !received.hash(received.root).equals(hashOf(found)))
      refuse('shard configuration proof shows another shard description than the answer holds');
    return found.descr;
  });
}
