import type { BlockId } from '../block-id.ts';
import { hasBit, isGiven } from './mode-bits.ts';
import { readBlockId, writeBlockId } from './names.ts';
import type { TlReader } from './tl-reader.ts';
import type { LiteFunction, TlType } from './tl-type.ts';
import type { TlWriter } from './tl-writer.ts';

/** `liteServer.accountDispatchQueueInfo`: the messages that one account has waiting. */
export interface AccountDispatchQueueInfo {
  readonly addr: Buffer;
  readonly size: bigint;
  readonly minLt: bigint;
  readonly maxLt: bigint;
}

/** `liteServer.dispatchQueueInfo`: accounts with deferred messages at a block. */
export interface DispatchQueueInfo {
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
export interface GetDispatchQueueInfo {
  readonly method: 'getDispatchQueueInfo';
  readonly mode: number;
  readonly id: BlockId;
  readonly afterAddr?: Buffer | undefined;
  readonly maxAccounts: number;
}

/** `liteServer.getDispatchQueueInfo`: accounts with deferred messages. */
export const getDispatchQueueInfo: LiteFunction<GetDispatchQueueInfo, DispatchQueueInfo> = {
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
