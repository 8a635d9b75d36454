import { CellBuilder } from '../boc/cell-builder.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import { type CurrencyCollection, readCurrencyCollection } from '../tlb/currency.ts';
import { addCurrencies, NO_CURRENCY, writeCurrencyCollection } from './currency.ts';
import { Dictionary } from './dictionary.ts';
import type { Augmentation, DictionaryForm } from './dictionary-form.ts';

/** What a block did to one account. */
export interface AccountBlock {
  readonly account: Buffer;
  /** The root of `ACCOUNT_TRANSACTIONS`, which has at least one. */
  readonly transactions: number;
  /** The cell with the hashes of the account's state before and after; `buildHashUpdate` makes it. */
  readonly stateUpdate: number;
}

const ACCOUNT_BLOCK = 5;
/** The fields of a transaction before its fees: tag, account, times, hashes, number of messages, statuses. */
const BITS_BEFORE_FEES = 4 + 256 + 64 + 256 + 64 + 32 + 15 + 2 + 2;

/** The cells of one account's transactions by logical time. Their nodes add up the fees. */
export const ACCOUNT_TRANSACTIONS: DictionaryForm<number, CurrencyCollection> = {
  keyBits: 64,
  write: (builder, transaction) => builder.ref(transaction),
  augmentation: fees((transaction, arena) => totalFees(arena, transaction)),
};

/** What a block did to accounts by their id. Its nodes add up the fees. */
export const SHARD_ACCOUNT_BLOCKS: DictionaryForm<AccountBlock, CurrencyCollection> = {
  keyBits: 256,
  write(builder, { account, transactions, stateUpdate }, arena) {
    builder.uint(ACCOUNT_BLOCK, 4).hash(account);
    // The dictionary of transactions has no cell of its own.
    builder.slice(new Slice(arena, transactions)).ref(stateUpdate);
  },
  augmentation: fees(({ transactions }, arena) =>
    new Dictionary(arena, ACCOUNT_TRANSACTIONS).extra(transactions),
  ),
};

/** The key of a transaction in `ACCOUNT_TRANSACTIONS`. */
export function transactionKey(lt: bigint): Buffer {
  const key = Buffer.allocUnsafe(8);
  key.writeBigUInt64BE(lt);
  return key;
}

/** Makes the cell of ShardAccountBlocks from the root of their dictionary. */
export function buildShardAccountBlocks(arena: BuildingArena, root: number): number {
  const builder = new CellBuilder();
  new Dictionary(arena, SHARD_ACCOUNT_BLOCKS).store(builder, root);
  return arena.build(builder);
}

function fees<Value>(
  of: Augmentation<Value, CurrencyCollection>['of'],
): Augmentation<Value, CurrencyCollection> {
  return {
    empty: NO_CURRENCY,
    of,
    combine: addCurrencies,
    read: readCurrencyCollection,
    write: writeCurrencyCollection,
  };
}

function totalFees(cells: Cells, transaction: number): CurrencyCollection {
  const slice = new Slice(cells, transaction);
  slice.skip(BITS_BEFORE_FEES);
  slice.ref();
  return readCurrencyCollection(slice);
}
