import { type BlockId, isMasterchainBlock, MASTERCHAIN, sameBlock } from '../../chain/block-id.ts';
import type { CellRef } from '../../chain/boc/cells.ts';
import { Slice } from '../../chain/boc/slice.ts';
import { readBlockExtra, readBlockRoot } from '../../chain/tlb/block.ts';
import { readMasterchainExtra } from '../../chain/tlb/masterchain-block.ts';
import { findShard, readShardHashes, type ShardDescr, topBlock } from '../../chain/tlb/shard-hashes.ts';
import type { LiteResponseOf, LiteType } from './codec.ts';
import {
  type CheckOptions,
  checkHeader,
  checkRootHash,
  openProof,
  type QueryServer,
  queryProvable,
  queryUnproven,
  readWholeBag,
  refuse,
  runProofCheck,
} from './proofs.ts';

/**
 * The newest blocks of all shards at a masterchain block, workchains in ascending order, shards of one from left to
 * right.
 */
export async function getAllShardsInfo(query: QueryServer, block: BlockId, options: CheckOptions) {
  const response = await queryProvable(query, 'getAllShardsInfo', { id: block }, 'VALIDATE_BLOCK_PROOF');
  return checkAllShards(response, block, options);
}

export function checkAllShards(
  response: LiteResponseOf<'getAllShardsInfo'>,
  block: BlockId,
  options: CheckOptions,
): ShardDescr[] {
  return runProofCheck('VALIDATE_BLOCK_PROOF', () => {
    if (!sameBlock(response.id, block)) refuse('Liteserver responded with wrong block');
    if (!isMasterchainBlock(block))
      refuse('Shard configuration can be requested only for a masterchain block');
    const data = readWholeBag(response.data);
    const slice = new Slice(data, data.root);
    const root = slice.maybeRef();
    slice.end();
    const proof = openProof(response.proof, options);
    checkRootHash(proof, block, options);
    const expected = shardHashesOf(proof);
    if (root < 0 !== expected < 0) refuse('Block shards data or proof missing root reference');
    if (options.verify && root >= 0 && !data.hash(root).equals(proof.cells.hash(expected, 0)))
      refuse("Block shards data and proof hashes don't match");
    return readShardHashes(data, root);
  });
}

/** The root of ShardHashes in a masterchain block, -1 when it is empty. */
function shardHashesOf({ cells, cell }: CellRef): number {
  const extra = readBlockExtra(cells, readBlockRoot(cells, cell).extra);
  if (extra.masterchain < 0) refuse('cannot unpack block extra: not a masterchain block');
  return readMasterchainExtra(cells, extra.masterchain).shardHashes;
}

/**
 * Shard blocks that the masterchain has not taken yet: of each validator group the newest one with signatures, and a
 * candidate for the next. Nothing proves them, and nodes refuse the query by default.
 */
export function getPendingShardBlocks(query: QueryServer) {
  return queryUnproven(query, 'nonfinal.getPendingShardBlocks', { mode: 0 });
}

/** One step from a masterchain block down to a shard block. */
export type ShardBlockLink = LiteType<'shardBlockLink'>;

/** The steps that prove a shard block from a masterchain block. */
export type ShardBlockProof = LiteResponseOf<'getShardBlockProof'>;

/** The links that lead from a masterchain block, which is still to be proven, to a shard block. */
export async function getShardBlockProof(query: QueryServer, block: BlockId, options: CheckOptions) {
  const response = await queryProvable(query, 'getShardBlockProof', { id: block }, 'VALIDATE_BLOCK_PROOF');
  return checkShardBlockProof(response, block, options);
}

export function checkShardBlockProof(
  response: ShardBlockProof,
  block: BlockId,
  options: CheckOptions,
): ShardBlockProof {
  return runProofCheck('VALIDATE_BLOCK_PROOF', () => {
    const { masterchainId, links } = response;
    if (!isMasterchainBlock(masterchainId)) refuse('got invalid masterchain block id');
    if (masterchainId.seqno === 0) refuse('got masterchain block id with seqno=0');
    if (!sameBlock(followShardLinks(masterchainId, links, options), block)) refuse('got invalid proof chain');
    return response;
  });
}

/** A shard makes no more blocks than this between two masterchain blocks. */
export const MAX_SHARD_LINKS = 8;

/** Follows links from a masterchain block through shard blocks, each of which refers to the next; returns the last one. */
export function followShardLinks(
  from: BlockId,
  links: readonly ShardBlockLink[],
  options: CheckOptions,
): BlockId {
  if (links.length > MAX_SHARD_LINKS) refuse('chain is too long');
  let at = from;
  for (const { id, proof } of links) {
    const root = openProof(proof, options);
    if (at.workchain === MASTERCHAIN) {
      checkRootHash(root, at, options);
      const shard = findShard(root.cells, shardHashesOf(root), id, true);
      if (shard === undefined || !sameBlock(topBlock(shard.descr), id))
        refuse('invalid proof chain: prev block is not in mc shard list');
    } else if (!checkHeader(root, at, options).previous.some((previous) => sameBlock(previous, id)))
      refuse('invalid proof chain: prev block is not in prev blocks list');
    at = id;
  }
  return at;
}
