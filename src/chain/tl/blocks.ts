import type { BlockId } from '../block-id.ts';
import { hasBit, isGiven } from './mode-bits.ts';
import { type BlockPlace, readBlockId, readBlockPlace, writeBlockId, writeBlockPlace } from './names.ts';
import type { LiteFunction, TlType } from './tl-type.ts';

/** `liteServer.blockData`: the bag of cells of a block. */
export interface BlockData {
  readonly id: BlockId;
  readonly data: Buffer;
}

/** `liteServer.blockState`: the bag of cells of a whole shard state. */
export interface BlockState {
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

const blockHeader: TlType<BlockHeader> = {
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
export const getBlock: LiteFunction<GetBlock, BlockData> = {
  name: 'liteServer.getBlock',
  id: 0x6377cf0d,
  answer: blockData,
  write: (w, request) => writeBlockId(w, request.id),
  read: (r) => ({ method: 'getBlock', id: readBlockId(r) }),
};

/** Request of `getState`; servers answer for the first thousand blocks only. */
export interface GetState {
  readonly method: 'getState';
  readonly id: BlockId;
}

/** `liteServer.getState`: a whole shard state. */
export const getState: LiteFunction<GetState, BlockState> = {
  name: 'liteServer.getState',
  id: 0xba6e2eb6,
  answer: blockState,
  write: (w, request) => writeBlockId(w, request.id),
  read: (r) => ({ method: 'getState', id: readBlockId(r) }),
};

/** Request of `getBlockHeader`; bits of the mode say which parts of the header the proof shows. */
export interface GetBlockHeader {
  readonly method: 'getBlockHeader';
  readonly id: BlockId;
  readonly mode: number;
}

/** `liteServer.getBlockHeader`: the proof of a header. */
export const getBlockHeader: LiteFunction<GetBlockHeader, BlockHeader> = {
  name: 'liteServer.getBlockHeader',
  id: 0x21ec069e,
  answer: blockHeader,
  write(w, request) {
    writeBlockId(w, request.id);
    w.uint(request.mode);
  },
  read: (r) => ({ method: 'getBlockHeader', id: readBlockId(r), mode: r.uint() }),
};

/** What a look-up goes by: bit 0 of its mode the seqno of `id`, bit 1 `lt`, bit 2 `utime` in unix seconds. */
export interface LookupKey {
  readonly mode: number;
  readonly id: BlockPlace;
  readonly lt?: bigint | undefined;
  readonly utime?: number | undefined;
}

/** Request of `lookupBlock`. */
export interface LookupBlock extends LookupKey {
  readonly method: 'lookupBlock';
}

/** `liteServer.lookupBlock`: finds a block by seqno, logical time or time. */
export const lookupBlock: LiteFunction<LookupBlock, BlockHeader> = {
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
