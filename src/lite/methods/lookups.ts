import { type BlockId, sameBlock } from '../../chain/block-id.ts';
import { shardContains } from '../../chain/shards.ts';
import {
  readBlockId,
  readBlockPlace,
  type ShortBlockId,
  writeBlockId,
  writeBlockPlace,
} from '../../chain/tl/ids.ts';
import { hasBit, isGiven, type LiteMethodCodec, type TlType } from '../../chain/tl/tl.ts';
import type { BlockInfo } from '../../chain/tlb/block.ts';
import type { ShardIdent } from '../../chain/tlb/block-refs.ts';
import { lookUpOldMcBlock, readMcStateInfo } from '../../chain/tlb/masterchain-state.ts';
import { type Ask, askProvable } from './ask.ts';
import { type BlockHeader, blockHeader } from './blocks.ts';
import {
  type CheckOptions,
  checkHeader,
  checkStateProofs,
  hashOf,
  isMasterchainBlock,
  masterchainExtra,
  openProof,
  type ProvenHeader,
  refuse,
  runProofCheck,
  withErrorContext,
} from './proofs.ts';
import {
  followShardLinks,
  readShardBlockLink,
  SHARD_BLOCK_LINK_BYTES,
  type ShardBlockLink,
  writeShardBlockLink,
} from './shards.ts';

/** What a look-up goes by: bit 0 of its mode the seqno of `id`, bit 1 `lt`, bit 2 `utime` in unix seconds. */
export interface LookupKey {
  readonly mode: number;
  readonly id: ShortBlockId;
  readonly lt?: bigint | undefined;
  readonly utime?: number | undefined;
}

/** Request of `lookupBlock`. */
interface LookupBlock extends LookupKey {
  readonly method: 'lookupBlock';
}

/** `liteServer.lookupBlock`: finds a block by seqno, logical time or time. */
export const lookupBlockCodec: LiteMethodCodec<LookupBlock, BlockHeader> = {
  name: 'liteServer.lookupBlock',
  id: 0xfac8f71e,
  answer: blockHeader,
  write(w, request) {
    w.uint(request.mode);
    writeBlockPlace(w, request.id);
    if (isGiven(request.mode, 1, request.lt, 'lt')) w.long(request.lt);
    if (isGiven(request.mode, 2, request.utime, 'utime')) w.uint(request.utime);
  },
  read(r) {
    const mode = r.uint();
    return {
      method: 'lookupBlock',
      mode,
      id: readBlockPlace(r),
      lt: hasBit(mode, 1) ? r.long() : undefined,
      utime: hasBit(mode, 2) ? r.uint() : undefined,
    };
  },
};

/** `liteServer.lookupBlockResult`: a found block, proven from a masterchain block that the client trusts. */
export interface LookupBlockResult {
  readonly id: BlockId;
  readonly mode: number;
  readonly mcBlockId: BlockId;
  readonly clientMcStateProof: Buffer;
  readonly mcBlockProof: Buffer;
  readonly shardLinks: readonly ShardBlockLink[];
  readonly header: Buffer;
  /** Empty where the block was looked up by seqno. */
  readonly prevHeader: Buffer;
}

const lookupBlockResult: TlType<LookupBlockResult> = {
  name: 'liteServer.lookupBlockResult',
  id: 0x99786be7,
  write(w, result) {
    writeBlockId(w, result.id);
    w.uint(result.mode);
    writeBlockId(w, result.mcBlockId);
    w.bytes(result.clientMcStateProof);
    w.bytes(result.mcBlockProof);
    w.vector(result.shardLinks, writeShardBlockLink);
    w.bytes(result.header);
    w.bytes(result.prevHeader);
  },
  read: (r) => ({
    id: readBlockId(r),
    mode: r.uint(),
    mcBlockId: readBlockId(r),
    clientMcStateProof: r.bytes(),
    mcBlockProof: r.bytes(),
    shardLinks: r.vector(SHARD_BLOCK_LINK_BYTES, readShardBlockLink),
    header: r.bytes(),
    prevHeader: r.bytes(),
  }),
};

/** Request of `lookupBlockWithProof`; `mcBlockId` is the masterchain block that the client trusts. */
interface LookupBlockWithProof extends LookupKey {
  readonly method: 'lookupBlockWithProof';
  readonly mcBlockId: BlockId;
}

/** `liteServer.lookupBlockWithProof`: finds a block and proves that it is the right one. */
export const lookupBlockWithProofCodec: LiteMethodCodec<LookupBlockWithProof, LookupBlockResult> = {
  name: 'liteServer.lookupBlockWithProof',
  id: 0x9c045ff8,
  answer: lookupBlockResult,
  write(w, request) {
    w.uint(request.mode);
    writeBlockPlace(w, request.id);
    writeBlockId(w, request.mcBlockId);
    if (isGiven(request.mode, 1, request.lt, 'lt')) w.long(request.lt);
    if (isGiven(request.mode, 2, request.utime, 'utime')) w.uint(request.utime);
  },
  read(r) {
    const mode = r.uint();
    return {
      method: 'lookupBlockWithProof',
      mode,
      id: readBlockPlace(r),
      mcBlockId: readBlockId(r),
      lt: hasBit(mode, 1) ? r.long() : undefined,
      utime: hasBit(mode, 2) ? r.uint() : undefined,
    };
  },
};

/** What a block is looked up by: its place, or a time (`utime` in unix seconds) that lies in it. */
export type BlockKey = ShardIdent &
  ({ readonly seqno: number } | { readonly lt: bigint } | { readonly utime: number });

/** The same as the lite-server functions take it. */
function lookupKey(key: BlockKey): LookupKey {
  const { workchain, shard } = key;
  if ('seqno' in key) return { mode: 1, id: { workchain, shard, seqno: key.seqno } };
  const id = { workchain, shard, seqno: 0 };
  return 'lt' in key ? { mode: 2, id, lt: key.lt } : { mode: 4, id, utime: key.utime };
}

/**
 * Finds a block by its place or by a time in it. That the block belongs to the chain is not proven; use
 * lookupBlockWithProof for that.
 */
export async function lookupBlock(ask: Ask, key: BlockKey, options: CheckOptions): Promise<ProvenHeader> {
  const wanted = lookupKey(key);
  const answer = await askProvable(
    ask,
    lookupBlockCodec,
    { method: 'lookupBlock', ...wanted },
    'VALIDATE_BLOCK_PROOF',
  );
  return checkLookupBlock(answer, wanted, options);
}

/** Finds a block by its place or by a time in it, in the chain whose head is `reference`, a masterchain block. */
export async function lookupBlockWithProof(
  ask: Ask,
  reference: BlockId,
  key: BlockKey,
  options: CheckOptions,
): Promise<ProvenHeader> {
  const wanted = lookupKey(key);
  const request = { method: 'lookupBlockWithProof', ...wanted, mcBlockId: reference } as const;
  const answer = await askProvable(ask, lookupBlockWithProofCodec, request, 'VALIDATE_BLOCK_PROOF');
  return checkLookupBlockWithProof(answer, wanted, reference, options);
}

const BY_SEQNO = 1;
const BY_LT = 2;
const BY_UTIME = 4;

/**
 * Checks the answer of lookupBlock: a header that fits what was looked for. Nothing proves that the block belongs to
 * the chain, nor that its file hash is right. For a time before its oldest block an honest server answers with that
 * block, so that an earlier one may be missing.
 */
export function checkLookupBlock(answer: BlockHeader, key: LookupKey, options: CheckOptions): ProvenHeader {
  return runProofCheck('VALIDATE_BLOCK_PROOF', () => {
    const header = checkHeader(openProof(answer.headerProof, options), answer.id, options);
    checkPlace(answer.id, key);
    checkBounds(header.info, key);
    return header;
  });
}

/**
 * Checks the answer of lookupBlockWithProof: the block found belongs to the chain that `reference`, a masterchain
 * block, is the head of, and it is the one that was looked for.
 */
export function checkLookupBlockWithProof(
  answer: LookupBlockResult,
  key: LookupKey,
  reference: BlockId,
  options: CheckOptions,
): ProvenHeader {
  return runProofCheck('VALIDATE_BLOCK_PROOF', () => {
    if (!isMasterchainBlock(answer.mcBlockId))
      refuse('invalid response: mc block id is not from masterchain');
    checkOldBlock(answer, reference, options);
    const block = followShardLinks(answer.mcBlockId, answer.shardLinks, options);
    checkPlace(block, key);
    if (!sameBlock(block, answer.id)) refuse("response blkid doesn't match header");
    const header = withErrorContext('invalid header in proof: ', () =>
      checkHeader(openProof(answer.header, options), block, options),
    );
    checkBounds(header.info, key);
    if (key.mode & (BY_LT | BY_UTIME)) checkPrevious(answer, header, key, options);
    else if (answer.prevHeader.length > 0) refuse('unexpected prev header in proof');
    return header;
  });
}

/** Checks that a masterchain block is the reference block, or one that its state remembers. */
function checkOldBlock(answer: LookupBlockResult, reference: BlockId, options: CheckOptions): void {
  const { mcBlockId, clientMcStateProof, mcBlockProof } = answer;
  if (sameBlock(mcBlockId, reference)) {
    if (clientMcStateProof.length + mcBlockProof.length > 0) refuse('unexpected masterchain state proof');
    return;
  }
  const state = checkStateProofs(clientMcStateProof, mcBlockProof, reference, options);
  const { prevBlocks } = readMcStateInfo(state.cells, masterchainExtra(state).info);
  const old = lookUpOldMcBlock(state.cells, prevBlocks.root, mcBlockId.seqno);
  if (
    old === undefined ||
    !old.rootHash.equals(mcBlockId.rootHash) ||
    !old.fileHash.equals(mcBlockId.fileHash)
  )
    refuse("couldn't check old mc block id");
}

function checkPlace(block: BlockId, { mode, id }: LookupKey): void {
  if (block.workchain !== id.workchain || !shardContains(block.shard, id.shard))
    refuse('response block has incorrect workchain/shard');
  if (mode & BY_SEQNO && block.seqno !== id.seqno) refuse('invalid seqno in proof');
}

/** A block looked up by time is the first one that ends at that time or later. */
function checkBounds(info: BlockInfo, { mode, lt = 0n, utime = 0 }: LookupKey): void {
  if (mode & BY_LT && info.endLt < lt) refuse('header end_lt < lt');
  if (mode & BY_UTIME && info.genUtime < utime) refuse('header gen_utime < utime');
}

/** Checks that the block before the one found ends before the time that was looked for. */
function checkPrevious(
  answer: LookupBlockResult,
  header: ProvenHeader,
  { mode, id, lt = 0n, utime = 0 }: LookupKey,
  options: CheckOptions,
): void {
  const found = openProof(answer.prevHeader, options);
  const candidates = header.previous.filter(({ shard }) => shardContains(shard, id.shard));
  const previous = options.verify
    ? candidates.find(({ rootHash }) => rootHash.equals(hashOf(found)))
    : candidates[0];
  if (previous === undefined) refuse('invalid prev header hash in proof');
  const { info } = checkHeader(found, previous, options);
  if (mode & BY_LT && info.endLt > lt) refuse('prev header end_lt > lt');
  if (mode & BY_UTIME && info.genUtime > utime) refuse('prev header gen_utime > utime');
}
