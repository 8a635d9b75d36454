import {
  Cell,
  Dictionary,
  type DictionaryValue,
  loadCurrencyCollection,
  loadTransaction,
  type Transaction,
} from '@ton/core';
import { readBoc } from '../../src/chain/boc/bag.ts';
import { readBlockTransactions } from '../../test/chain/support/block-readers.ts';

/** The content of a block. */
export interface Counts {
  readonly cells: number;
  readonly transactions: number;
  readonly messages: number;
}

/** Reads a block with both readers and throws if their hashes differ. */
export function compareReaders(bytes: Buffer): Counts {
  const bag = readBoc(bytes);
  if (!bag.hash(bag.root).equals(Cell.fromBoc(bytes)[0]!.hash())) throw new Error('Root hashes differ');
  const ours = readBlockTransactions(bag, bag.root);
  const theirs = readWithCore(bytes);
  const ourHashes = ours.flatMap((transaction) => {
    const { inMessage, outMessages } = transaction;
    const bodies = [...(inMessage ? [inMessage] : []), ...outMessages].map(({ bodyHash }) => bodyHash);
    return [transaction.hash, ...bodies];
  });
  const theirHashes = theirs.flatMap((transaction) => {
    const { inMessage, outMessages } = transaction;
    const bodies = [...(inMessage ? [inMessage] : []), ...outMessages.values()].map(({ body }) =>
      body.hash(),
    );
    return [transaction.hash(), ...bodies];
  });
  const same =
    ourHashes.length === theirHashes.length && ourHashes.every((hash, i) => hash.equals(theirHashes[i]!));
  if (!same) throw new Error('Hashes of transactions or message bodies differ');
  return { cells: bag.count, transactions: ours.length, messages: ourHashes.length - ours.length };
}

/** Reads the transactions of a block with @ton/core, which has no block reader: the way down to them is done by hand. */
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
    throw new Error('Read-only');
  },
};

const ACCOUNT_BLOCK: DictionaryValue<Transaction[]> = {
  parse: (slice) => {
    loadCurrencyCollection(slice);
    slice.skip(4 + 256);
    return slice.loadDictDirect(Dictionary.Keys.BigUint(64), TRANSACTION).values();
  },
  serialize: () => {
    throw new Error('Read-only');
  },
};
