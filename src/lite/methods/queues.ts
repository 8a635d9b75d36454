import { type BlockId, sameBlock } from '../../chain/block-id.ts';
import { BLOCK_ID_BYTES, readBlockId, writeBlockId } from '../../chain/tl/ids.ts';
import {
  hasBit,
  isGiven,
  type LiteMethodCodec,
  type TlReader,
  type TlType,
  type TlWriter,
} from '../../chain/tl/tl.ts';
import type { ShardIdent } from '../../chain/tlb/block-refs.ts';
import { readOutMsgQueueInfo } from '../../chain/tlb/queues.ts';
import { type Ask, askProvable, askUnproven } from './ask.ts';
import {
  type CheckOptions,
  checkState,
  openProofPair,
  refuse,
  runProofCheck,
  withErrorContext,
} from './proofs.ts';

/** `liteServer.blockOutMsgQueueSize`: how many messages wait in the out-queue after a block. */
export interface BlockOutMsgQueueSize {
  readonly mode: number;
  readonly id: BlockId;
  readonly size: bigint;
  /** Bit 0. */
  readonly proof?: Buffer | undefined;
}

/** `liteServer.outMsgQueueSize`: the size of one shard's out-queue. */
interface OutMsgQueueSize {
  readonly id: BlockId;
  readonly size: number;
}

/** `liteServer.outMsgQueueSizes`: sizes at the head, and from which size on external messages are refused. */
interface OutMsgQueueSizes {
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
interface GetBlockOutMsgQueueSize {
  readonly method: 'getBlockOutMsgQueueSize';
  readonly mode: number;
  readonly id: BlockId;
}

/** `liteServer.getBlockOutMsgQueueSize`: the size of the out-queue after a block. */
export const getBlockOutMsgQueueSizeCodec: LiteMethodCodec<GetBlockOutMsgQueueSize, BlockOutMsgQueueSize> = {
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
interface GetOutMsgQueueSizes {
  readonly method: 'getOutMsgQueueSizes';
  readonly mode: number;
  readonly workchain?: number | undefined;
  readonly shard?: bigint | undefined;
}

/** `liteServer.getOutMsgQueueSizes`: the sizes of all out-queues at the head. */
export const getOutMsgQueueSizesCodec: LiteMethodCodec<GetOutMsgQueueSizes, OutMsgQueueSizes> = {
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

/** `liteServer.accountDispatchQueueInfo`: the messages that one account has waiting. */
export interface AccountDispatchQueueInfo {
  readonly addr: Buffer;
  readonly size: bigint;
  readonly minLt: bigint;
  readonly maxLt: bigint;
}

/** `liteServer.dispatchQueueInfo`: accounts with deferred messages at a block. */
interface DispatchQueueInfo {
  readonly mode: number;
  readonly id: BlockId;
  readonly accountDispatchQueues: readonly AccountDispatchQueueInfo[];
  readonly complete: boolean;
  /** Bit 0. */
  readonly proof?: Buffer | undefined;
}

const ACCOUNT_QUEUE_BYTES = 32 + 3 * 8;

function writeAccountQueue(writer: TlWriter, queue: AccountDispatchQueueInfo): void {
  writer.int256(queue.addr);
  writer.long(queue.size);
  writer.long(queue.minLt);
  writer.long(queue.maxLt);
}

function readAccountQueue(reader: TlReader): AccountDispatchQueueInfo {
  return { addr: reader.int256(), size: reader.long(), minLt: reader.long(), maxLt: reader.long() };
}

const dispatchQueueInfo: TlType<DispatchQueueInfo> = {
  name: 'liteServer.dispatchQueueInfo',
  id: 0x5d1132d0,
  write(w, info) {
    w.uint(info.mode);
    writeBlockId(w, info.id);
    w.vector(info.accountDispatchQueues, writeAccountQueue);
    w.bool(info.complete);
    if (isGiven(info.mode, 0, info.proof, 'proof')) w.bytes(info.proof);
  },
  read(r) {
    const mode = r.uint();
    return {
      mode,
      id: readBlockId(r),
      accountDispatchQueues: r.vector(ACCOUNT_QUEUE_BYTES, readAccountQueue),
      complete: r.bool(),
      proof: hasBit(mode, 0) ? r.bytes() : undefined,
    };
  },
};

/** Request of `getDispatchQueueInfo`; bit 0 of the mode asks for a proof, bit 1 goes with `afterAddr`. */
interface GetDispatchQueueInfo {
  readonly method: 'getDispatchQueueInfo';
  readonly mode: number;
  readonly id: BlockId;
  readonly afterAddr?: Buffer | undefined;
  readonly maxAccounts: number;
}

/** `liteServer.getDispatchQueueInfo`: accounts with deferred messages. */
export const getDispatchQueueInfoCodec: LiteMethodCodec<GetDispatchQueueInfo, DispatchQueueInfo> = {
  name: 'liteServer.getDispatchQueueInfo',
  id: 0x01e66bf3,
  answer: dispatchQueueInfo,
  write(w, request) {
    w.uint(request.mode);
    writeBlockId(w, request.id);
    if (isGiven(request.mode, 1, request.afterAddr, 'afterAddr')) w.int256(request.afterAddr);
    w.int(request.maxAccounts);
  },
  read(r) {
    const mode = r.uint();
    return {
      method: 'getDispatchQueueInfo',
      mode,
      id: readBlockId(r),
      afterAddr: hasBit(mode, 1) ? r.int256() : undefined,
      maxAccounts: r.int(),
    };
  },
};

const WITH_PROOF = 1;

/** How many messages wait in the out-queue of a shard after a block. */
export async function getBlockOutMsgQueueSize(
  ask: Ask,
  block: BlockId,
  options: CheckOptions,
): Promise<number> {
  const mode = options.verify ? WITH_PROOF : 0;
  const request = { method: 'getBlockOutMsgQueueSize', mode, id: block } as const;
  return checkQueueSize(
    await askProvable(ask, getBlockOutMsgQueueSizeCodec, request, 'VALIDATE_BLOCK_PROOF'),
    block,
    options,
  );
}

const OF_SHARD = 1;

/** Sizes of the out-queues at the server's head, of all shards or of those that meet one; nothing proves them. */
export function getOutMsgQueueSizes(ask: Ask, shard?: ShardIdent): Promise<OutMsgQueueSizes> {
  const method = 'getOutMsgQueueSizes';
  if (shard === undefined) return askUnproven(ask, getOutMsgQueueSizesCodec, { method, mode: 0 });
  return askUnproven(ask, getOutMsgQueueSizesCodec, {
    method,
    mode: OF_SHARD,
    workchain: shard.workchain,
    shard: shard.shard,
  });
}

/** Checks the answer of getBlockOutMsgQueueSize, with a proof unless `verify` is off: the size of a block's out-queue. */
export function checkQueueSize(answer: BlockOutMsgQueueSize, block: BlockId, options: CheckOptions): number {
  return runProofCheck('VALIDATE_BLOCK_PROOF', () => {
    if (!sameBlock(answer.id, block)) refuse('Liteserver responded with wrong block');
    if (!options.verify) return Number(answer.size);
    if (answer.proof === undefined) refuse('no proof of the size of the out message queue');
    const [headerCell, stateCell] = openProofPair(answer.proof, 'proof', options);
    const { cells, state } = withErrorContext('error in block header proof: ', () =>
      checkState(headerCell, stateCell, block, options),
    );
    const size = readOutMsgQueueInfo(cells, state.outMsgQueueInfo).extra?.outQueueSize;
    if (size === undefined) refuse('no out_msg_queue_size in shard state');
    if (BigInt(size) !== answer.size) refuse('queue size mismatch');
    return size;
  });
}
