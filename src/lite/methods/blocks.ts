import { createHash } from 'node:crypto';
import { type BlockId, fullBlockName, sameBlock } from '../../chain/block-id.ts';
import type { CellBag } from '../../chain/boc/bag.ts';
import { liteMethod, liteType, type TlValue, tl } from '../../chain/tl/fields.ts';
import { readStateUpdate } from '../../chain/tlb/block.ts';
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

// liteServer.blockData id:tonNode.blockIdExt data:bytes = liteServer.BlockData
const blockData = liteType('blockData', 0xa574ed6c, { id: tl.blockId, data: tl.bytes });

// liteServer.getBlock id:tonNode.blockIdExt = liteServer.BlockData
export const getBlockCodec = liteMethod('getBlock', 0x6377cf0d, { id: tl.blockId }, blockData);

/**
 * A whole block as bytes that are not parsed. They have memory of their own, which may be transferred to another
 * thread.
 */
export async function getBlockBytes(
  query: QueryServer,
  block: BlockId,
  options: CheckOptions,
): Promise<Buffer> {
  const response = await queryProvable(query, getBlockCodec, { id: block }, 'VALIDATE_BLOCK_PROOF');
  const data = checkBlockBytes(response, block, options);
  const bytes = Buffer.allocUnsafeSlow(data.length);
  data.copy(bytes);
  return bytes;
}

/** Checks the response of getBlock: the hash of the bytes is part of the block's id. */
export function checkBlockBytes(
  { id, data }: TlValue<typeof blockData>,
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

// liteServer.blockState id:tonNode.blockIdExt root_hash:int256 file_hash:int256 data:bytes = liteServer.BlockState
const blockState = liteType('blockState', 0xabaddc0c, {
  id: tl.blockId,
  rootHash: tl.int256,
  fileHash: tl.int256,
  data: tl.bytes,
});

// liteServer.getState id:tonNode.blockIdExt = liteServer.BlockState
export const getStateCodec = liteMethod('getState', 0xba6e2eb6, { id: tl.blockId }, blockState);

/** The state that a chain starts from. */
export async function getZeroState(
  query: QueryServer,
  block: BlockId,
  options: CheckOptions,
): Promise<CellBag> {
  const response = await queryProvable(query, getStateCodec, { id: block }, 'VALIDATE_ZERO_STATE: ');
  return checkZeroState(response, block, options);
}

/** Checks the response of getState about a zero state, whose id consists of its own hashes. */
export function checkZeroState(
  response: TlValue<typeof blockState>,
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

// liteServer.blockHeader id:tonNode.blockIdExt mode:# header_proof:bytes = liteServer.BlockHeader
export const blockHeader = liteType('blockHeader', 0x752d8219, {
  id: tl.blockId,
  mode: tl.uint,
  headerProof: tl.bytes,
});

/** A Merkle proof of a block's header. */
export type BlockHeader = TlValue<typeof blockHeader>;

// liteServer.getBlockHeader id:tonNode.blockIdExt mode:# = liteServer.BlockHeader
export const getBlockHeaderCodec = liteMethod(
  'getBlockHeader',
  0x21ec069e,
  { id: tl.blockId, mode: tl.uint },
  blockHeader,
);

/** Bits of the mode: parts of a block that its header proof shows as well. */
export const HEADER_WITH_STATE_UPDATE = 1;
export const HEADER_WITH_VALUE_FLOW = 2;
export const HEADER_WITH_EXTRA = 16;
export const HEADER_WITH_SHARD_HASHES = 32;
export const HEADER_WITH_SIGNATURES = 64;

/** The header of a block; bits of the mode ask for more. */
export async function getBlockHeader(
  query: QueryServer,
  block: BlockId,
  options: CheckOptions,
  mode = 0,
): Promise<ProvenHeader> {
  const response = await queryProvable(
    query,
    getBlockHeaderCodec,
    { id: block, mode },
    'VALIDATE_BLOCK_PROOF',
  );
  return checkBlockHeader(response, block, options);
}

/** Checks the response of getBlockHeader about a block that is known by all its hashes. */
export function checkBlockHeader(response: BlockHeader, block: BlockId, options: CheckOptions): ProvenHeader {
  return runProofCheck('VALIDATE_BLOCK_PROOF', () => {
    if (!sameBlock(response.id, block)) refuse('Liteserver responded with wrong block');
    return checkHeader(openProof(response.headerProof, options), block, options);
  });
}

/** The hash of the state after a block. */
export async function getStateRootHash(
  query: QueryServer,
  block: BlockId,
  options: CheckOptions,
): Promise<Buffer> {
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
