import type { BlockId } from '../block-id.ts';
import {
  type AccountId,
  BLOCK_ID_BYTES,
  readAccountId,
  readBlockId,
  writeAccountId,
  writeBlockId,
} from './names.ts';
import type { LiteFunction, TlType } from './tl-type.ts';

/** `liteServer.transactionInfo`: one transaction, or nothing where the block has none such; `proof` proves either. */
export interface TransactionInfo {
  readonly id: BlockId;
  readonly proof: Buffer;
  readonly transaction: Buffer;
}

/** `liteServer.transactionList`: transactions of an account, newest first, as roots of one bag, and the block of each. */
export interface TransactionList {
  readonly ids: readonly BlockId[];
  readonly transactions: Buffer;
}

const transactionInfo: TlType<TransactionInfo> = {
  name: 'liteServer.transactionInfo',
  id: 0x0edeed47,
  write(w, info) {
    writeBlockId(w, info.id);
    w.bytes(info.proof);
    w.bytes(info.transaction);
  },
  read: (r) => ({ id: readBlockId(r), proof: r.bytes(), transaction: r.bytes() }),
};

const transactionList: TlType<TransactionList> = {
  name: 'liteServer.transactionList',
  id: 0x6f26c60b,
  write(w, list) {
    w.vector(list.ids, writeBlockId);
    w.bytes(list.transactions);
  },
  read: (r) => ({ ids: r.vector(BLOCK_ID_BYTES, readBlockId), transactions: r.bytes() }),
};

/** Request of `getOneTransaction`. */
export interface GetOneTransaction {
  readonly method: 'getOneTransaction';
  readonly id: BlockId;
  readonly account: AccountId;
  readonly lt: bigint;
}

/** `liteServer.getOneTransaction`: a transaction of a known block. */
export const getOneTransaction: LiteFunction<GetOneTransaction, TransactionInfo> = {
  name: 'liteServer.getOneTransaction',
  id: 0xd40f24ea,
  answer: transactionInfo,
  write(w, request) {
    writeBlockId(w, request.id);
    writeAccountId(w, request.account);
    w.long(request.lt);
  },
  read: (r) => ({
    method: 'getOneTransaction',
    id: readBlockId(r),
    account: readAccountId(r),
    lt: r.long(),
  }),
};

/** Request of `getTransactions`: `count` transactions back from the one with `lt` and `hash`; servers give 16 at most. */
export interface GetTransactions {
  readonly method: 'getTransactions';
  readonly count: number;
  readonly account: AccountId;
  readonly lt: bigint;
  readonly hash: Buffer;
}

/** `liteServer.getTransactions`: an account's history. */
export const getTransactions: LiteFunction<GetTransactions, TransactionList> = {
  name: 'liteServer.getTransactions',
  id: 0x1c40e7a1,
  answer: transactionList,
  write(w, request) {
    w.uint(request.count);
    writeAccountId(w, request.account);
    w.long(request.lt);
    w.int256(request.hash);
  },
  read: (r) => ({
    method: 'getTransactions',
    count: r.uint(),
    account: readAccountId(r),
    lt: r.long(),
    hash: r.int256(),
  }),
};
