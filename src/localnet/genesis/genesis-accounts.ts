import type { Cell } from '@ton/core';
import { CellBuilder } from '../../chain/boc/cell-builder.ts';
import { fromCoreCell } from '../../chain/boc/core-cell.ts';
import type { BuildingArena } from '../../chain/state/building-arena.ts';
import type { CurrencyCollection, ExtraCurrency } from '../../chain/tlb/currency.ts';
import type { StateInit } from '../../chain/tlb/state-init.ts';
import { buildAccount } from '../../chain/tlb-write/account.ts';
import { buildExtraCurrencies, writeCurrencyCollection } from '../../chain/tlb-write/currency.ts';
import { Dictionary } from '../../chain/tlb-write/dictionary.ts';
import { SHARD_ACCOUNTS } from '../../chain/tlb-write/shard-accounts.ts';
import { writeStateInit } from '../../chain/tlb-write/state-init.ts';

/** A contract that is there from the start. */
export interface GenesisAccount {
  readonly workchain: number;
  readonly id: Buffer;
  /** Nanotons. */
  readonly balance: bigint;
  /** In ascending order of their ids. */
  readonly extraCurrencies?: readonly ExtraCurrency[] | undefined;
  readonly code: Cell;
  readonly data: Cell;
  /** Whether the chain calls it at the beginning and at the end of each masterchain block. */
  readonly special?: { readonly tick: boolean; readonly tock: boolean };
}

const NO_HASH = Buffer.alloc(32);

/** Makes the dictionary of the accounts of a shard (`SHARD_ACCOUNTS`); gives its root. */
export function buildGenesisAccounts(arena: BuildingArena, accounts: readonly GenesisAccount[]): number {
  const sorted = [...accounts].sort((a, b) => a.id.compare(b.id));
  return new Dictionary(arena, SHARD_ACCOUNTS).build(
    sorted.map((account) => [
      account.id,
      { account: build(arena, account), lastTransHash: NO_HASH, lastTransLt: 0n },
    ]),
  );
}

function build(arena: BuildingArena, account: GenesisAccount): number {
  const { workchain, id, special } = account;
  const balance = {
    grams: account.balance,
    extra: buildExtraCurrencies(arena, account.extraCurrencies ?? []),
  };
  const init = {
    fixedPrefixLength: undefined,
    special,
    code: add(arena, account.code),
    data: add(arena, account.data),
    library: -1,
  };
  return buildAccount(arena, {
    address: { kind: 'std', workchain, hash: id, anycast: undefined },
    storageInfo: {
      ...storageUsed(arena, balance, init),
      publicCells: undefined,
      dictHash: undefined,
      // Nothing is due before the first transaction, which is what zero says.
      lastPaid: 0,
      duePayment: undefined,
    },
    lastTransLt: 0n,
    balance,
    state: { kind: 'active', init },
  });
}

/** What an account's storage is paid for: the part of its cell that is its state, and all cells of code and data. */
function storageUsed(
  arena: BuildingArena,
  balance: CurrencyCollection,
  init: StateInit,
): { usedCells: number; usedBits: number } {
  const root = new CellBuilder().uint64(0n);
  writeCurrencyCollection(root, balance);
  writeStateInit(root.boolean(true), init);
  let usedBits = root.bitCount;
  const counted = new Set<number>();
  const count = (cell: number): void => {
    if (counted.has(cell)) return;
    counted.add(cell);
    usedBits += arena.bits[cell]!;
    for (let i = 0; i < arena.refCount(cell); i++) count(arena.ref(cell, i));
  };
  // The extra currencies are not counted.
  count(init.code);
  count(init.data);
  return { usedCells: 1 + counted.size, usedBits };
}

function add(arena: BuildingArena, cell: Cell): number {
  const bag = fromCoreCell(cell);
  return arena.add(bag, bag.root);
}
