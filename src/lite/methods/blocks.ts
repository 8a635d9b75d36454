import { createHash } from 'node:crypto';
import { type BlockId, fullBlockName, sameBlock } from '../../chain/block-id.ts';
import type { CellBag } from '../../chain/boc/bag.ts';
import { readStateUpdate } from '../../chain/tlb/block.ts';
import type { LiteResponseOf } from './codec.ts';
import {
  type CheckOptions,
  checkHeader,
  openProof,
  type ProvenHeader,
  type QueryServer,
  queryProvable,
  readWholeBag,
  refuse,
  runProofCheck,
} from './proofs.ts';

/** A whole block as bytes. They have memory of their own, which may be transferred to another thread. */
export async function getBlockBytes(query: QueryServer, block: BlockId, options: CheckOptions) {
  const response = await queryProvable(query, 'getBlock', { id: block }, 'VALIDATE_BLOCK_PROOF');
  const data = checkBlockBytes(response, block, options);
  const bytes = Buffer.allocUnsafeSlow(data.length);
  data.copy(bytes);
  return bytes;
}

/** Checks the response of getBlock: the hash of the bytes is part of the block's id. */
export function checkBlockBytes(
  { id, data }: LiteResponseOf<'getBlock'>,
  block: BlockId,
  { verify }: CheckOptions,
): Buffer {
  return runProofCheck('VALIDATE_BLOCK_PROOF', () => {
    if (!sameBlock(id, block)) refuse('Liteserver responded with wrong block');
    if (verify && !sha256(data).equals(block.fileHash))
      refuse(`data of block ${fullBlockName(block)} has incorrect file hash`);
    return data;
  });
}

/** The state that a chain starts from. */
export async function getZeroState(query: QueryServer, block: BlockId, options: CheckOptions) {
  const response = await queryProvable(query, 'getState', { id: block }, 'VALIDATE_ZERO_STATE: ');
  return checkZeroState(response, block, options);
}

/** Checks the response of getState about a zero state, whose id consists of its own hashes. */
export function checkZeroState(
  response: LiteResponseOf<'getState'>,
  block: BlockId,
  { verify }: CheckOptions,
): CellBag {
  return runProofCheck('VALIDATE_ZERO_STATE: ', () => {
    const { id, rootHash, fileHash, data } = response;
    if (block.seqno !== 0 || !rootHash.equals(block.rootHash) || !fileHash.equals(block.fileHash))
      refuse('Masterchain zerostate mismatch');
    if (!sameBlock(id, block)) refuse('Liteserver responded with wrong block');
    if (verify && !sha256(data).equals(fileHash)) refuse('state has incorrect file hash');
    const bag = readWholeBag(data);
    if (verify && !bag.hash(bag.root).equals(rootHash)) refuse('state has incorrect root hash');
    return bag;
  });
}

export type BlockHeader = LiteResponseOf<'getBlockHeader'>;

/** Bits of the mode: parts of a block that its header proof shows as well. */
export const HEADER_WITH_STATE_UPDATE = 1;
export const HEADER_WITH_VALUE_FLOW = 2;
export const HEADER_WITH_EXTRA = 16;
export const HEADER_WITH_SHARD_HASHES = 32;
export const HEADER_WITH_SIGNATURES = 64;

/** The header of a block; bits of the mode ask for more. */
export async function getBlockHeader(query: QueryServer, block: BlockId, options: CheckOptions, mode = 0) {
  const request = { id: block, mode };
  const response = await queryProvable(query, 'getBlockHeader', request, 'VALIDATE_BLOCK_PROOF');
  return checkBlockHeader(response, block, options);
}

/** Checks the response of getBlockHeader about a block that is known by all its hashes. */
export function checkBlockHeader(response: BlockHeader, block: BlockId, options: CheckOptions): ProvenHeader {
  return runProofCheck('VALIDATE_BLOCK_PROOF', () => {
    if (!sameBlock(response.id, block)) refuse('Liteserver responded with wrong block');
    return checkHeader(openProof(response.headerProof, options), block, options);
  });
}

export async function getStateRootHash(query: QueryServer, block: BlockId, options: CheckOptions) {
  // The id of a zero state has its own hash.
  if (block.seqno === 0) return block.rootHash;
  const { cells, root } = await getBlockHeader(query, block, options, HEADER_WITH_STATE_UPDATE);
  const { newHash } = runProofCheck('VALIDATE_BLOCK_PROOF', () => readStateUpdate(cells, root.stateUpdate));
  // A copy, which does not keep the whole response in memory.
  return Buffer.from(newHash);
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
