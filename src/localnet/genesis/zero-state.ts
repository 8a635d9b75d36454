import { hash } from 'node:crypto';
import type { Cell } from '@ton/core';
import { WHOLE_SHARD } from '../../chain/block-id.ts';
import { CellBuilder } from '../../chain/boc/builder.ts';
import { fromCoreCell } from '../../chain/boc/ton-core.ts';
import { writeBoc } from '../../chain/boc/writer.ts';
import type { BuildingArena } from '../../chain/state/building-arena.ts';
import { buildAccount, type StateInit, writeStateInit } from '../../chain/tlb/account.ts';
import {
  buildExtraCurrencies,
  type CurrencyCollection,
  type ExtraCurrency,
  NO_CURRENCY,
  writeCurrencyCollection,
} from '../../chain/tlb/currency.ts';
import { Dictionary } from '../../chain/tlb/dictionary.ts';
import { buildOutMsgQueueInfo } from '../../chain/tlb/queues.ts';
import { buildShardAccounts, SHARD_ACCOUNTS } from '../../chain/tlb/shard-accounts.ts';
import { buildShardState, buildShardStateTotals } from '../../chain/tlb/shard-state.ts';

interface ZeroStateParts {
  readonly workchain: number;
  readonly globalId: number;
  /** Unix seconds. */
  readonly now: number;
  readonly accounts: readonly GenesisAccount[];
  /** Builds the masterchain-only part of the state. */
  readonly buildCustom?: (totalBalance: CurrencyCollection) => number;
}

/** No masterchain block is referenced. */
const NO_SEQNO = 0xffffffff;

export function buildZeroState(arena: BuildingArena, parts: ZeroStateParts) {
  const { workchain, globalId, now, buildCustom } = parts;
  const accounts = buildGenesisAccounts(arena, parts.accounts);
  const totalBalance = new Dictionary(arena, SHARD_ACCOUNTS).extra(accounts).balance;
  const root = buildShardState(arena, {
    globalId,
    workchain,
    shard: WHOLE_SHARD,
    seqno: 0,
    vertSeqno: 0,
    genUtime: now,
    genLt: 0n,
    minRefMcSeqno: NO_SEQNO,
    outMsgQueueInfo: buildOutMsgQueueInfo(arena, { outQueue: -1, processedInfo: -1, extra: undefined }),
    beforeSplit: false,
    accounts: buildShardAccounts(arena, accounts),
    totals: buildShardStateTotals(arena, {
      overloadHistory: 0n,
      underloadHistory: 0n,
      totalBalance,
      totalValidatorFees: NO_CURRENCY,
      libraries: -1,
      masterRef: undefined,
    }),
    custom: buildCustom?.(totalBalance) ?? -1,
  });
  const bytes = writeBoc({ cells: arena, roots: [root] }, { order: 'tonlib', index: true });
  const rootHash = Buffer.from(arena.hash(root));
  const fileHash = hash('sha256', bytes, 'buffer');
  return { id: { workchain, shard: WHOLE_SHARD, seqno: 0, rootHash, fileHash }, bytes, totalBalance };
}

export interface GenesisAccount {
  readonly workchain: number;
  readonly id: Buffer;
  /** Nanotons. */
  readonly balance: bigint;
  /** Ascending by id. */
  readonly extraCurrencies?: readonly ExtraCurrency[] | undefined;
  readonly code: Cell;
  readonly data: Cell;
  /** Whether it gets tick and tock transactions in each masterchain block. */
  readonly special?: { readonly tick: boolean; readonly tock: boolean } | undefined;
}

const NO_HASH = Buffer.alloc(32);

/** Builds the accounts dictionary of a shard (`SHARD_ACCOUNTS`); returns its root. */
function buildGenesisAccounts(arena: BuildingArena, accounts: readonly GenesisAccount[]): number {
  const sorted = [...accounts].sort((a, b) => a.id.compare(b.id));
  const entries = sorted.map((account) => {
    const entry = { account: build(arena, account), lastTransHash: NO_HASH, lastTransLt: 0n };
    return [account.id, entry] as const;
  });
  return new Dictionary(arena, SHARD_ACCOUNTS).build(entries);
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
      // Zero: no storage fee is due before the first transaction.
      lastPaid: 0,
      duePayment: undefined,
    },
    lastTransLt: 0n,
    balance,
    state: { kind: 'active', init },
  });
}

/** Storage that an account pays for: the state part of its cell, and all cells of code and data. */
function storageUsed(arena: BuildingArena, balance: CurrencyCollection, init: StateInit) {
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
  // Extra currencies are not counted.
  count(init.code);
  count(init.data);
  return { usedCells: 1 + counted.size, usedBits };
}

function add(arena: BuildingArena, cell: Cell): number {
  const bag = fromCoreCell(cell);
  return arena.add(bag, bag.root);
}
