import { type BlockId, sameBlock } from '../../chain/block-id.ts';
import { shardContains } from '../../chain/shard-prefix.ts';
import type { BlockHeader, LookupKey } from '../../chain/tl/blocks.ts';
import type { LookupBlockResult } from '../../chain/tl/proven-lookups.ts';
import type { BlockInfo } from '../../chain/tlb/block-info.ts';
import { readMcStateInfo } from '../../chain/tlb/mc-state-extra.ts';
import { lookUpOldMcBlock } from '../../chain/tlb/old-mc-blocks.ts';
import { checkHeader, type ProvenHeader } from './block-header.ts';
import { isMasterchainBlock } from './block-place.ts';
import { hashOf, openProof } from './open-proof.ts';
import { type CheckOptions, explaining, proving, refuse } from './proof-scope.ts';
import { followLinks } from './shard-links.ts';
import { checkStateProofs, masterchainPart } from './state-proof.ts';

const BY_SEQNO = 1;
const BY_LT = 2;
const BY_UTIME = 4;

/**
 * Checks the answer of lookupBlock: a header that fits what was looked for. Nothing proves that the block belongs to
 * the chain, nor that its file hash is right. For a time before its oldest block an honest server answers with that
 * block, so that an earlier one may be missing.
 */
export function checkLookedUp(answer: BlockHeader, key: LookupKey, options: CheckOptions): ProvenHeader {
  return proving('VALIDATE_BLOCK_PROOF', () => {
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
export function checkLookup(
  answer: LookupBlockResult,
  key: LookupKey,
  reference: BlockId,
  options: CheckOptions,
): ProvenHeader {
  return proving('VALIDATE_BLOCK_PROOF', () => {
    if (!isMasterchainBlock(answer.mcBlockId))
      refuse('invalid response: mc block id is not from masterchain');
    checkOldBlock(answer, reference, options);
    const block = followLinks(answer.mcBlockId, answer.shardLinks, options);
    checkPlace(block, key);
    if (!sameBlock(block, answer.id)) refuse("response blkid doesn't match header");
    const header = explaining('invalid header in proof: ', () =>
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
  const { prevBlocks } = readMcStateInfo(state.cells, masterchainPart(state).info);
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
