import type { BlockId } from '../block-id.ts';
import { hasBit, isGiven } from './mode-bits.ts';
import { readBlockId, writeBlockId } from './names.ts';
import type { TlReader } from './tl-reader.ts';
import type { LiteFunction, TlType } from './tl-type.ts';
import type { TlWriter } from './tl-writer.ts';
import {
  readTransactionId,
  readTransactionId3,
  type TransactionId,
  type TransactionId3,
  writeTransactionId,
  writeTransactionId3,
} from './transaction-ids.ts';

/** `liteServer.blockTransactions`: names of a block's transactions; `proof` is empty unless asked for. */
export interface BlockTransactions {
  readonly id: BlockId;
  readonly reqCount: number;
  readonly incomplete: boolean;
  readonly ids: readonly TransactionId[];
  readonly proof: Buffer;
}

/** `liteServer.blockTransactionsExt`: a block's transactions themselves, as roots of one bag. */
export interface BlockTransactionsExt {
  readonly id: BlockId;
  readonly reqCount: number;
  readonly incomplete: boolean;
  readonly transactions: Buffer;
  readonly proof: Buffer;
}

const blockTransactions: TlType<BlockTransactions> = {
  name: 'liteServer.blockTransactions',
  id: 0xbd8cad2b,
  write(w, list) {
    writeBlockId(w, list.id);
    w.uint(list.reqCount);
    w.bool(list.incomplete);
    w.vector(list.ids, writeTransactionId);
    w.bytes(list.proof);
  },
  read: (r) => ({
    id: readBlockId(r),
    reqCount: r.uint(),
    incomplete: r.bool(),
    // An id of mode 0 is its mode alone.
    ids: r.vector(4, readTransactionId),
    proof: r.bytes(),
  }),
};

const blockTransactionsExt: TlType<BlockTransactionsExt> = {
  name: 'liteServer.blockTransactionsExt',
  id: 0xfb8ffce4,
  write(w, list) {
    writeBlockId(w, list.id);
    w.uint(list.reqCount);
    w.bool(list.incomplete);
    w.bytes(list.transactions);
    w.bytes(list.proof);
  },
  read: (r) => ({
    id: readBlockId(r),
    reqCount: r.uint(),
    incomplete: r.bool(),
    transactions: r.bytes(),
    proof: r.bytes(),
  }),
};

interface ListRequest {
  readonly id: BlockId;
  /**
   * Bits 0, 1 and 2 ask for account, lt and hash of each transaction (bit 8 for metadata), bit 5 for a proof,
   * bit 6 for the reverse order; bit 7 goes with `after`.
   */
  readonly mode: number;
  readonly count: number;
  readonly after?: TransactionId3 | undefined;
}

function writeListRequest(writer: TlWriter, request: ListRequest): void {
  writeBlockId(writer, request.id);
  writer.uint(request.mode);
  writer.uint(request.count);
  if (isGiven(request.mode, 7, request.after, 'after')) writeTransactionId3(writer, request.after);
}

function readListRequest<M extends string>(
  method: M,
  reader: TlReader,
): ListRequest & { readonly method: M } {
  const id = readBlockId(reader);
  const mode = reader.uint();
  const count = reader.uint();
  return { method, id, mode, count, after: hasBit(mode, 7) ? readTransactionId3(reader) : undefined };
}

/** Request of `listBlockTransactions`; servers give 256 at most. */
export interface ListBlockTransactions extends ListRequest {
  readonly method: 'listBlockTransactions';
}

/** `liteServer.listBlockTransactions`: names of a block's transactions. */
export const listBlockTransactions: LiteFunction<ListBlockTransactions, BlockTransactions> = {
  name: 'liteServer.listBlockTransactions',
  id: 0xadfcc7da,
  answer: blockTransactions,
  write: writeListRequest,
  read: (r) => readListRequest('listBlockTransactions', r),
};

/** Request of `listBlockTransactionsExt`; servers give 256 at most. */
export interface ListBlockTransactionsExt extends ListRequest {
  readonly method: 'listBlockTransactionsExt';
}

/** `liteServer.listBlockTransactionsExt`: a block's transactions. */
export const listBlockTransactionsExt: LiteFunction<ListBlockTransactionsExt, BlockTransactionsExt> = {
  name: 'liteServer.listBlockTransactionsExt',
  id: 0x0079dd5c,
  answer: blockTransactionsExt,
  write: writeListRequest,
  read: (r) => readListRequest('listBlockTransactionsExt', r),
};
