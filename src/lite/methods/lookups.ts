import { type BlockId, isMasterchainBlock, sameBlock } from '../../chain/block-id.ts';
import { shardContains } from '../../chain/shards.ts';
import type { BlockInfo, ShardIdent } from '../../chain/tlb/block.ts';
import { lookUpOldMcBlock, readMcStateInfo } from '../../chain/tlb/masterchain-state.ts';
import type { BlockHeader } from './blocks.ts';
import type { LiteArguments, LiteResponseOf } from './codec.ts';
import {
  type CheckOptions,
  checkHeader,
  checkStateProofs,
  hashOf,
  masterchainExtra,
  openProof,
  type ProvenHeader,
  type QueryServer,
  queryProvable,
  refuse,
  runProofCheck,
  withErrorContext,
} from './proofs.ts';
import { followShardLinks } from './shards.ts';

/** Bits of the mode: the key of the look-up, exactly one of them. */
export const LOOKUP_BY_SEQNO = 1;
export const LOOKUP_BY_LT = 2;
export const LOOKUP_BY_UTIME = 4;

/** A look-up as the lite-server functions take it; `utime` is in unix seconds. */
export type LookupKey = LiteArguments<'lookupBlock'>;

/** The key of a look-up: a seqno, or a time (`utime` in unix seconds) that lies in it. */
export type BlockKey = ShardIdent &
  ({ readonly seqno: number } | { readonly lt: bigint } | { readonly utime: number });

function lookupKey(key: BlockKey): LookupKey {
  const { workchain, shard } = key;
  if ('seqno' in key) return { mode: LOOKUP_BY_SEQNO, id: { workchain, shard, seqno: key.seqno } };
  const id = { workchain, shard, seqno: 0 };
  return 'lt' in key
    ? { mode: LOOKUP_BY_LT, id, lt: key.lt }
    : { mode: LOOKUP_BY_UTIME, id, utime: key.utime };
}

/**
 * Finds a block by its seqno or by a time in it. That the block belongs to the chain is not proven; use
 * lookupBlockWithProof for that.
 */
export async function lookupBlock(query: QueryServer, key: BlockKey, options: CheckOptions) {
  const wanted = lookupKey(key);
  const response = await queryProvable(query, 'lookupBlock', wanted, 'VALIDATE_BLOCK_PROOF');
  return checkLookupBlock(response, wanted, options);
}

/**
 * Checks the response of lookupBlock: a header that matches the look-up. Nothing proves that the block belongs to the
 * chain, nor that its file hash is right. For a time before its oldest block an honest server returns that block, so
 * an earlier one may exist.
 */
export function checkLookupBlock(response: BlockHeader, key: LookupKey, options: CheckOptions): ProvenHeader {
  return runProofCheck('VALIDATE_BLOCK_PROOF', () => {
    const header = checkHeader(openProof(response.headerProof, options), response.id, options);
    checkPlace(response.id, key);
    checkBounds(header.info, key);
    return header;
  });
}

/** A matching block, proven from a masterchain block that the client trusts. */
export type LookupBlockResult = LiteResponseOf<'lookupBlockWithProof'>;

/** Finds a block by its seqno or by a time in it, in the chain whose head is `reference`, a masterchain block. */
export async function lookupBlockWithProof(
  query: QueryServer,
  reference: BlockId,
  key: BlockKey,
  options: CheckOptions,
): Promise<ProvenHeader> {
  const wanted = lookupKey(key);
  const request = { ...wanted, mcBlockId: reference };
  const response = await queryProvable(query, 'lookupBlockWithProof', request, 'VALIDATE_BLOCK_PROOF');
  return checkLookupBlockWithProof(response, wanted, reference, options);
}

/**
 * Checks the response of lookupBlockWithProof: the block belongs to the chain whose head is `reference`, a masterchain
 * block, and it matches the look-up.
 */
export function checkLookupBlockWithProof(
  response: LookupBlockResult,
  key: LookupKey,
  reference: BlockId,
  options: CheckOptions,
): ProvenHeader {
  return runProofCheck('VALIDATE_BLOCK_PROOF', () => {
    if (!isMasterchainBlock(response.mcBlockId))
      refuse('invalid response: mc block id is not from masterchain');
    checkOldBlock(response, reference, options);
    const block = followShardLinks(response.mcBlockId, response.shardLinks, options);
    checkPlace(block, key);
    if (!sameBlock(block, response.id)) refuse("response blkid doesn't match header");
    const header = withErrorContext('invalid header in proof: ', () =>
      checkHeader(openProof(response.header, options), block, options),
    );
    checkBounds(header.info, key);
    if (key.mode & (LOOKUP_BY_LT | LOOKUP_BY_UTIME)) checkPrevious(response, header, key, options);
    else if (response.prevHeader.length > 0) refuse('unexpected prev header in proof');
    return header;
  });
}

/** Checks that a masterchain block is the reference block, or one that the state of the reference block lists. */
function checkOldBlock(response: LookupBlockResult, reference: BlockId, options: CheckOptions): void {
  const { mcBlockId, clientMcStateProof, mcBlockProof } = response;
  if (sameBlock(mcBlockId, reference)) {
    if (clientMcStateProof.length + mcBlockProof.length > 0) refuse('unexpected masterchain state proof');
    return;
  }
  const state = checkStateProofs(clientMcStateProof, mcBlockProof, reference, options);
  const { prevBlocks } = readMcStateInfo(state.cells, masterchainExtra(state).info);
  const old = lookUpOldMcBlock(state.cells, prevBlocks.root, mcBlockId.seqno);
  const isListed = old?.rootHash.equals(mcBlockId.rootHash) && old.fileHash.equals(mcBlockId.fileHash);
  if (!isListed) refuse("couldn't check old mc block id");
}

function checkPlace(block: BlockId, { mode, id }: LookupKey): void {
  if (block.workchain !== id.workchain || !shardContains(block.shard, id.shard))
    refuse('response block has incorrect workchain/shard');
  if (mode & LOOKUP_BY_SEQNO && block.seqno !== id.seqno) refuse('invalid seqno in proof');
}

/** A block looked up by time is the first one that ends at that time or later. */
function checkBounds(info: BlockInfo, { mode, lt = 0n, utime = 0 }: LookupKey): void {
  if (mode & LOOKUP_BY_LT && info.endLt < lt) refuse('header end_lt < lt');
  if (mode & LOOKUP_BY_UTIME && info.genUtime < utime) refuse('header gen_utime < utime');
}

/** Checks that the block before the found one ends before the requested time. */
function checkPrevious(
  response: LookupBlockResult,
  header: ProvenHeader,
  { mode, id, lt = 0n, utime = 0 }: LookupKey,
  options: CheckOptions,
): void {
  const proof = openProof(response.prevHeader, options);
  const candidates = header.previous.filter(({ shard }) => shardContains(shard, id.shard));
  const previous = options.verify
    ? candidates.find(({ rootHash }) => rootHash.equals(hashOf(proof)))
    : candidates[0];
  if (previous === undefined) refuse('invalid prev header hash in proof');
  const { info } = checkHeader(proof, previous, options);
  if (mode & LOOKUP_BY_LT && info.endLt > lt) refuse('prev header end_lt > lt');
  if (mode & LOOKUP_BY_UTIME && info.genUtime > utime) refuse('prev header gen_utime > utime');
}
