import { CellBuilder } from '../boc/cell-builder.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import { readAccount } from '../tlb/account.ts';
import { type DepthBalanceInfo, readDepthBalanceInfo, type ShardAccount } from '../tlb/shard-account.ts';
import { addCurrencies, NO_CURRENCY, writeCurrencyCollection } from './currency.ts';
import { Dictionary } from './dictionary.ts';
import type { DictionaryForm } from './dictionary-form.ts';

const SPLIT_DEPTH_BITS = 5;

/** All accounts of a shard by their id. Their nodes add up the balances. */
export const SHARD_ACCOUNTS: DictionaryForm<ShardAccount, DepthBalanceInfo> = {
  keyBits: 256,
  write: (builder, { account, lastTransHash, lastTransLt }) =>
    builder.ref(account).hash(lastTransHash).uint64(lastTransLt),
  augmentation: {
    empty: { splitDepth: 0, balance: NO_CURRENCY },
    of: ({ account }, arena) => depthBalanceOf(arena, account),
    combine: (left, right, arena) => ({
      splitDepth: Math.max(left.splitDepth, right.splitDepth),
      balance: addCurrencies(left.balance, right.balance, arena),
    }),
    read: readDepthBalanceInfo,
    write: (builder, { splitDepth, balance }) =>
      writeCurrencyCollection(builder.uint(splitDepth, SPLIT_DEPTH_BITS), balance),
  },
};

/** Makes the cell of ShardAccounts from the root of their dictionary. */
export function buildShardAccounts(arena: BuildingArena, root: number): number {
  const builder = new CellBuilder();
  new Dictionary(arena, SHARD_ACCOUNTS).store(builder, root);
  return arena.build(builder);
}

function depthBalanceOf(arena: BuildingArena, cell: number): DepthBalanceInfo {
  const account = readAccount(arena, cell);
  if (account === undefined) return { splitDepth: 0, balance: NO_CURRENCY };
  const { state, balance } = account;
  return { splitDepth: (state.kind === 'active' && state.init.fixedPrefixLength) || 0, balance };
}
