import type { BlockId } from '../block-id.ts';
import { type AccountId, readAccountId, readBlockId, writeAccountId, writeBlockId } from './names.ts';
import type { LiteFunction, TlType } from './tl-type.ts';

/** `liteServer.accountState`: an account with the proofs that lead to it; `state` is empty where there is none. */
export interface AccountState {
  readonly id: BlockId;
  readonly shardBlock: BlockId;
  readonly shardProof: Buffer;
  readonly proof: Buffer;
  readonly state: Buffer;
}

const accountState: TlType<AccountState> = {
  name: 'liteServer.accountState',
  id: 0x7079c751,
  write(w, account) {
    writeBlockId(w, account.id);
    writeBlockId(w, account.shardBlock);
    w.bytes(account.shardProof);
    w.bytes(account.proof);
    w.bytes(account.state);
  },
  read: (r) => ({
    id: readBlockId(r),
    shardBlock: readBlockId(r),
    shardProof: r.bytes(),
    proof: r.bytes(),
    state: r.bytes(),
  }),
};

/** Request of `getAccountState`. */
export interface GetAccountState {
  readonly method: 'getAccountState';
  readonly id: BlockId;
  readonly account: AccountId;
}

/** `liteServer.getAccountState`: an account's state at a block. */
export const getAccountState: LiteFunction<GetAccountState, AccountState> = {
  name: 'liteServer.getAccountState',
  id: 0x6b890e25,
  answer: accountState,
  write(w, request) {
    writeBlockId(w, request.id);
    writeAccountId(w, request.account);
  },
  read: (r) => ({ method: 'getAccountState', id: readBlockId(r), account: readAccountId(r) }),
};

/** Request of `getAccountStatePrunned`. */
export interface GetAccountStatePrunned {
  readonly method: 'getAccountStatePrunned';
  readonly id: BlockId;
  readonly account: AccountId;
}

/** `liteServer.getAccountStatePrunned` (spelt so in the schema): the same without code and data. */
export const getAccountStatePrunned: LiteFunction<GetAccountStatePrunned, AccountState> = {
  name: 'liteServer.getAccountStatePrunned',
  id: 0x5a698507,
  answer: accountState,
  write(w, request) {
    writeBlockId(w, request.id);
    writeAccountId(w, request.account);
  },
  read: (r) => ({ method: 'getAccountStatePrunned', id: readBlockId(r), account: readAccountId(r) }),
};
