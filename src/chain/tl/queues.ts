import type { BlockId } from '../block-id.ts';
import { hasBit, isGiven } from './mode-bits.ts';
import { BLOCK_ID_BYTES, readBlockId, writeBlockId } from './names.ts';
import type { LiteFunction, TlType } from './tl-type.ts';

/** `liteServer.blockOutMsgQueueSize`: how many messages wait in the out-queue after a block. */
export interface BlockOutMsgQueueSize {
  readonly mode: number;
  readonly id: BlockId;
  readonly size: bigint;
  /** Bit 0. */
  readonly proof?: Buffer | undefined;
}

/** `liteServer.outMsgQueueSize`: the size of one shard's out-queue. */
export interface OutMsgQueueSize {
  readonly id: BlockId;
  readonly size: number;
}

/** `liteServer.outMsgQueueSizes`: sizes at the head, and from which size on external messages are refused. */
export interface OutMsgQueueSizes {
  readonly shards: readonly OutMsgQueueSize[];
  readonly extMsgQueueSizeLimit: number;
}

const blockOutMsgQueueSize: TlType<BlockOutMsgQueueSize> = {
  name: 'liteServer.blockOutMsgQueueSize',
  id: 0x8acdbe1b,
  write(w, queue) {
    w.uint(queue.mode);
    writeBlockId(w, queue.id);
    w.long(queue.size);
    if (isGiven(queue.mode, 0, queue.proof, 'proof')) w.bytes(queue.proof);
  },
  read(r) {
    const mode = r.uint();
    return { mode, id: readBlockId(r), size: r.long(), proof: hasBit(mode, 0) ? r.bytes() : undefined };
  },
};

const outMsgQueueSizes: TlType<OutMsgQueueSizes> = {
  name: 'liteServer.outMsgQueueSizes',
  id: 0xf8504a03,
  write(w, sizes) {
    w.vector(sizes.shards, (writer, queue) => {
      writeBlockId(writer, queue.id);
      writer.int(queue.size);
    });
    w.int(sizes.extMsgQueueSizeLimit);
  },
  read: (r) => ({
    shards: r.vector(BLOCK_ID_BYTES + 4, (reader) => ({ id: readBlockId(reader), size: reader.int() })),
    extMsgQueueSizeLimit: r.int(),
  }),
};

/** Request of `getBlockOutMsgQueueSize`; bit 0 of the mode asks for a proof. */
export interface GetBlockOutMsgQueueSize {
  readonly method: 'getBlockOutMsgQueueSize';
  readonly mode: number;
  readonly id: BlockId;
}

/** `liteServer.getBlockOutMsgQueueSize`: the size of the out-queue after a block. */
export const getBlockOutMsgQueueSize: LiteFunction<GetBlockOutMsgQueueSize, BlockOutMsgQueueSize> = {
  name: 'liteServer.getBlockOutMsgQueueSize',
  id: 0x8f6c7779,
  answer: blockOutMsgQueueSize,
  write(w, request) {
    w.uint(request.mode);
    writeBlockId(w, request.id);
  },
  read: (r) => ({ method: 'getBlockOutMsgQueueSize', mode: r.uint(), id: readBlockId(r) }),
};

/** Request of `getOutMsgQueueSizes`; bit 0 of the mode goes with the shard to which the answer is cut. */
export interface GetOutMsgQueueSizes {
  readonly method: 'getOutMsgQueueSizes';
  readonly mode: number;
  readonly workchain?: number | undefined;
  readonly shard?: bigint | undefined;
}

/** `liteServer.getOutMsgQueueSizes`: the sizes of all out-queues at the head. */
export const getOutMsgQueueSizes: LiteFunction<GetOutMsgQueueSizes, OutMsgQueueSizes> = {
  name: 'liteServer.getOutMsgQueueSizes',
  id: 0x7bc19c36,
  answer: outMsgQueueSizes,
  write(w, request) {
    w.uint(request.mode);
    if (isGiven(request.mode, 0, request.workchain, 'workchain')) w.int(request.workchain);
    if (isGiven(request.mode, 0, request.shard, 'shard')) w.long(request.shard);
  },
  read(r) {
    const mode = r.uint();
    return {
      method: 'getOutMsgQueueSizes',
      mode,
      workchain: hasBit(mode, 0) ? r.int() : undefined,
      shard: hasBit(mode, 0) ? r.long() : undefined,
    };
  },
};
