import { createHash } from 'node:crypto';
import { type BlockId, sameBlock } from '../../chain/block-id.ts';
import type { CellBag } from '../../chain/boc/bag.ts';
import { readBlockId, writeBlockId } from '../../chain/tl/ids.ts';
import type { LiteMethodCodec, TlType } from '../../chain/tl/tl.ts';
import { readStateUpdate } from '../../chain/tlb/block.ts';
import { type Ask, askProvable } from './ask.ts';
import {
  type CheckOptions,
  checkHeader,
  formatBlockId,
  openProof,
  type ProvenHeader,
  readWholeBag,
  refuse,
  runProofCheck,
} from './proofs.ts';

/** `liteServer.blockData`: the bag of cells of a block. */
interface BlockData {
  readonly id: BlockId;
  readonly data: Buffer;
}

/** `liteServer.blockState`: the bag of cells of a whole shard state. */
interface BlockState {
  readonly id: BlockId;
  readonly rootHash: Buffer;
  readonly fileHash: Buffer;
  readonly data: Buffer;
}

/** `liteServer.blockHeader`: a Merkle proof of a block's header. */
export interface BlockHeader {
  readonly id: BlockId;
  readonly mode: number;
  readonly headerProof: Buffer;
}

const blockData: TlType<BlockData> = {
  name: 'liteServer.blockData',
  id: 0xa574ed6c,
  write(w, block) {
    writeBlockId(w, block.id);
    w.bytes(block.data);
  },
  read: (r) => ({ id: readBlockId(r), data: r.bytes() }),
};

const blockState: TlType<BlockState> = {
  name: 'liteServer.blockState',
  id: 0xabaddc0c,
  write(w, state) {
    writeBlockId(w, state.id);
    w.int256(state.rootHash);
    w.int256(state.fileHash);
    w.bytes(state.data);
  },
  read: (r) => ({ id: readBlockId(r), rootHash: r.int256(), fileHash: r.int256(), data: r.bytes() }),
};

export const blockHeader: TlType<BlockHeader> = {
  name: 'liteServer.blockHeader',
  id: 0x752d8219,
  write(w, header) {
    writeBlockId(w, header.id);
    w.uint(header.mode);
    w.bytes(header.headerProof);
  },
  read: (r) => ({ id: readBlockId(r), mode: r.uint(), headerProof: r.bytes() }),
};

/** Request of `getBlock`. */
export interface GetBlock {
  readonly method: 'getBlock';
  readonly id: BlockId;
}

/** `liteServer.getBlock`: a whole block. */
export const getBlockCodec: LiteMethodCodec<GetBlock, BlockData> = {
  name: 'liteServer.getBlock',
  id: 0x6377cf0d,
  answer: blockData,
  write: (w, request) => writeBlockId(w, request.id),
  read: (r) => ({ method: 'getBlock', id: readBlockId(r) }),
};

/** Request of `getState`; servers answer for the first thousand blocks only. */
interface GetState {
  readonly method: 'getState';
  readonly id: BlockId;
}

/** `liteServer.getState`: a whole shard state. */
export const getStateCodec: LiteMethodCodec<GetState, BlockState> = {
  name: 'liteServer.getState',
  id: 0xba6e2eb6,
  answer: blockState,
  write: (w, request) => writeBlockId(w, request.id),
  read: (r) => ({ method: 'getState', id: readBlockId(r) }),
};

/** Request of `getBlockHeader`; bits of the mode say which parts of the header the proof shows. */
interface GetBlockHeader {
  readonly method: 'getBlockHeader';
  readonly id: BlockId;
  readonly mode: number;
}

/** `liteServer.getBlockHeader`: the proof of a header. */
export const getBlockHeaderCodec: LiteMethodCodec<GetBlockHeader, BlockHeader> = {
  name: 'liteServer.getBlockHeader',
  id: 0x21ec069e,
  answer: blockHeader,
  write(w, request) {
    writeBlockId(w, request.id);
    w.uint(request.mode);
  },
  read: (r) => ({ method: 'getBlockHeader', id: readBlockId(r), mode: r.uint() }),
};

/** A whole block. */
export async function getBlock(ask: Ask, block: BlockId, options: CheckOptions): Promise<CellBag> {
  const answer = await askProvable(
    ask,
    getBlockCodec,
    { method: 'getBlock', id: block },
    'VALIDATE_BLOCK_PROOF',
  );
  return checkBlock(answer, block, options);
}

/**
 * A whole block as bytes that are not looked into: their hash is that of the block's name. They have memory of their
 * own, which may be handed to another thread.
 */
export async function getBlockBytes(ask: Ask, block: BlockId, { verify }: CheckOptions): Promise<Buffer> {
  const { id, data } = await askProvable(
    ask,
    getBlockCodec,
    { method: 'getBlock', id: block },
    'VALIDATE_BLOCK_PROOF',
  );
  runProofCheck('VALIDATE_BLOCK_PROOF', () => {
    if (!sameBlock(id, block)) refuse('Liteserver responded with wrong block');
    if (verify && !createHash('sha256').update(data).digest().equals(block.fileHash))
      refuse(`data of block ${formatBlockId(block)} has incorrect file hash`);
  });
  const bytes = Buffer.allocUnsafeSlow(data.length);
  data.copy(bytes);
  return bytes;
}

/** The state that a chain starts from. */
export async function getZeroState(ask: Ask, block: BlockId, options: CheckOptions): Promise<CellBag> {
  const answer = await askProvable(
    ask,
    getStateCodec,
    { method: 'getState', id: block },
    'VALIDATE_ZERO_STATE: ',
  );
  return checkZeroState(answer, block, options);
}

/** The whole state after a block, whose hash the block tells. Servers give it for the first thousand blocks only. */
export async function getState(
  ask: Ask,
  block: BlockId,
  stateHash: Buffer,
  options: CheckOptions,
): Promise<CellBag> {
  const answer = await askProvable(
    ask,
    getStateCodec,
    { method: 'getState', id: block },
    'VALIDATE_BLOCK_PROOF',
  );
  return checkWholeState(answer, block, stateHash, options);
}

/** The header of a block. Bits of the mode ask for more: 1 the state update, 2 the value flow, 16 the extra. */
export async function getBlockHeader(
  ask: Ask,
  block: BlockId,
  options: CheckOptions,
  mode = 0,
): Promise<ProvenHeader> {
  const answer = await askProvable(
    ask,
    getBlockHeaderCodec,
    { method: 'getBlockHeader', id: block, mode },
    'VALIDATE_BLOCK_PROOF',
  );
  return checkBlockHeader(answer, block, options);
}

const WITH_STATE_UPDATE = 1;

/** The hash of the state after a block. */
export async function getStateRootHash(ask: Ask, block: BlockId, options: CheckOptions): Promise<Buffer> {
  // A zero state is named by its own hash.
  if (block.seqno === 0) return block.rootHash;
  const { cells, root } = await getBlockHeader(ask, block, options, WITH_STATE_UPDATE);
  const { newHash } = runProofCheck('VALIDATE_BLOCK_PROOF', () => readStateUpdate(cells, root.stateUpdate));
  // A copy, so that whoever keeps it does not keep the whole answer.
  return Buffer.from(newHash);
}

/** Checks the answer of getBlockHeader about a block that is known by all its hashes. */
export function checkBlockHeader(answer: BlockHeader, block: BlockId, options: CheckOptions): ProvenHeader {
  return runProofCheck('VALIDATE_BLOCK_PROOF', () => {
    if (!sameBlock(answer.id, block)) refuse('Liteserver responded with wrong block');
    return checkHeader(openProof(answer.headerProof, options), block, options);
  });
}

/** Checks the answer of getBlock: the bytes and the cells are those of the block. */
export function checkBlock(answer: BlockData, block: BlockId, { verify }: CheckOptions): CellBag {
  return runProofCheck('VALIDATE_BLOCK_PROOF', () => {
    if (!sameBlock(answer.id, block)) refuse('Liteserver responded with wrong block');
    if (verify && !sha256(answer.data).equals(block.fileHash))
      refuse(`data of block ${formatBlockId(block)} has incorrect file hash`);
    const bag = readWholeBag(answer.data);
    if (verify && !bag.hash(bag.root).equals(block.rootHash))
      refuse(`data of block ${formatBlockId(block)} has incorrect root hash`);
    return bag;
  });
}

/** Checks the answer of getState about a zero state, whose name is made of its own hashes. */
export function checkZeroState(answer: BlockState, block: BlockId, options: CheckOptions): CellBag {
  return runProofCheck('VALIDATE_ZERO_STATE: ', () => {
    if (
      block.seqno !== 0 ||
      !answer.rootHash.equals(block.rootHash) ||
      !answer.fileHash.equals(block.fileHash)
    )
      refuse('Masterchain zerostate mismatch');
    return readState(answer, block, block.rootHash, options);
  });
}

/** Checks the answer of getState about the state after a block; its hash is known from the block. */
export function checkWholeState(
  answer: BlockState,
  block: BlockId,
  stateHash: Buffer,
  options: CheckOptions,
): CellBag {
  return runProofCheck('VALIDATE_BLOCK_PROOF', () => readState(answer, block, stateHash, options));
}

function readState(answer: BlockState, block: BlockId, stateHash: Buffer, { verify }: CheckOptions): CellBag {
  if (!sameBlock(answer.id, block)) refuse('Liteserver responded with wrong block');
  if (verify && !sha256(answer.data).equals(answer.fileHash)) refuse('state has incorrect file hash');
  const bag = readWholeBag(answer.data);
  if (verify && !(answer.rootHash.equals(stateHash) && bag.hash(bag.root).equals(stateHash)))
    refuse('state has incorrect root hash');
  return bag;
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
