import {
  Address,
  beginCell,
  type Cell,
  Dictionary,
  type StateInit,
  storeAccount,
  storeTransaction,
  type Transaction,
} from '@ton/core';
import type { AccountId } from '../../../src/chain/address.ts';

/** An account of a shard state. */
export interface BuiltAccount {
  readonly id: AccountId;
  /** The Account cell. */
  readonly cell: Cell;
  readonly balance: bigint;
  readonly lastTransLt: bigint;
  readonly lastTransHash: Buffer;
}

/** Input for an account. */
interface AccountParts {
  readonly id: AccountId;
  readonly balance: bigint;
  readonly init?: StateInit;
  readonly lastTransLt: bigint;
  readonly lastTransHash: Buffer;
}

/** Builds an account: active with an init, otherwise uninitialised. */
export function buildAccount(parts: AccountParts): BuiltAccount {
  const { id, balance, init, lastTransLt, lastTransHash } = parts;
  const cell = beginCell()
    .storeBit(1)
    .store(
      storeAccount({
        addr: new Address(id.workchain, id.hash),
        storageStats: {
          used: { cells: 1n, bits: 100n },
          storageExtra: null,
          lastPaid: 1_700_000_000,
          duePayment: null,
        },
        storage: {
          lastTransLt: lastTransLt + 1n,
          balance: { coins: balance },
          state: init === undefined ? { type: 'uninit' } : { type: 'active', state: init },
        },
      }),
    )
    .endCell();
  return { id, cell, balance, lastTransLt, lastTransHash };
}

/** A transaction, with the values that a block needs. */
export interface BuiltTransaction {
  readonly account: AccountId;
  readonly lt: bigint;
  readonly hash: Buffer;
  readonly cell: Cell;
}

/** Input for a transaction; the first one of an account has no `previous`. */
interface TransactionParts {
  readonly account: AccountId;
  readonly lt: bigint;
  readonly utime: number;
  readonly previous?: { readonly lt: bigint; readonly hash: Buffer } | undefined;
}

/** Builds a transaction without messages. */
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
