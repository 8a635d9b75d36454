import {
  Cell,
  Dictionary,
  type DictionaryValue,
  loadCurrencyCollection,
  loadTransaction,
  type Transaction,
} from '@ton/core';

/** Reads the transactions of a block as far as @ton/core can: it knows transactions, the rest is walked by hand. */
export function readWithCore(bytes: Buffer): Transaction[] {
  const accountBlocks = Cell.fromBoc(bytes)[0]!.refs[3]!.refs[2]!;
  const accounts = accountBlocks.beginParse().loadDict(Dictionary.Keys.BigUint(256), ACCOUNT_BLOCK);
  return accounts.values().flat();
}

const TRANSACTION: DictionaryValue<Transaction> = {
  parse: (slice) => {
    loadCurrencyCollection(slice);
    return loadTransaction(slice.loadRef().beginParse());
  },
  serialize: () => {
    throw new Error('only read');
  },
};

const ACCOUNT_BLOCK: DictionaryValue<Transaction[]> = {
  parse: (slice) => {
    loadCurrencyCollection(slice);
    slice.skip(4 + 256);
    return slice.loadDictDirect(Dictionary.Keys.BigUint(64), TRANSACTION).values();
  },
  serialize: () => {
    throw new Error('only read');
  },
};
