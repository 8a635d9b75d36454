import { Address, beginCell, type Cell, type StateInit, storeAccount } from '@ton/core';
import type { AccountId } from '../../../src/chain/tl/names.ts';

/** An account as a state holds it. */
export interface BuiltAccount {
  readonly id: AccountId;
  /** The Account cell. */
  readonly cell: Cell;
  readonly balance: bigint;
  readonly lastTransLt: bigint;
  readonly lastTransHash: Buffer;
}

/** What an account is made from. */
export interface AccountParts {
  readonly id: AccountId;
  readonly balance: bigint;
  readonly init?: StateInit;
  readonly lastTransLt: bigint;
  readonly lastTransHash: Buffer;
}

/** Makes an account: active if it has an init, else uninitialised. */
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
