import { beginCell, type Cell, Dictionary, storeTransaction, type Transaction } from '@ton/core';
import type { AccountId } from '../../../src/chain/tl/names.ts';

/** A transaction with what a block needs to know of it. */
export interface BuiltTransaction {
  readonly account: AccountId;
  readonly lt: bigint;
  readonly hash: Buffer;
  readonly cell: Cell;
}

/** What a transaction is made from; `previous` is left out for the first one of an account. */
export interface TransactionParts {
  readonly account: AccountId;
  readonly lt: bigint;
  readonly utime: number;
  readonly previous?: { readonly lt: bigint; readonly hash: Buffer } | undefined;
}

/** Makes a transaction without messages. */
export function buildTransaction({ account, lt, utime, previous }: TransactionParts): BuiltTransaction {
  const transaction: Omit<Transaction, 'raw' | 'hash'> = {
    address: BigInt(`0x${account.hash.toString('hex')}`),
    lt,
    prevTransactionHash: BigInt(`0x${previous?.hash.toString('hex') ?? '0'}`),
    prevTransactionLt: previous?.lt ?? 0n,
    now: utime,
    outMessagesCount: 0,
    oldStatus: 'active',
    endStatus: 'active',
    inMessage: null,
    outMessages: Dictionary.empty(),
    totalFees: { coins: 1n },
    stateUpdate: { oldHash: Buffer.alloc(32, 1), newHash: Buffer.alloc(32, 2) },
    description: {
      type: 'storage',
      storagePhase: { storageFeesCollected: 1n, statusChange: 'unchanged' },
    },
  };
  const cell = beginCell()
    .store(storeTransaction(transaction as Transaction))
    .endCell();
  return { account, lt, hash: cell.hash(), cell };
}
