import { Cell } from '@ton/core';
import { readBoc } from '../../src/chain/boc/bag.ts';
import { readBlockTransactions } from '../../src/chain/tlb/account-blocks.ts';
import { readWithCore } from './core-reader.ts';

/** What a block holds. */
export interface Counts {
  readonly cells: number;
  readonly transactions: number;
  readonly messages: number;
}

/** Reads a block in both ways and throws unless they find the same: a fast wrong reader proves nothing. */
export function compareReaders(bytes: Buffer): Counts {
  const bag = readBoc(bytes);
  if (!bag.hash(bag.root).equals(Cell.fromBoc(bytes)[0]!.hash())) throw new Error('the root hashes differ');
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
  if (!same) throw new Error('the hashes of transactions or message bodies differ');
  return { cells: bag.count, transactions: ours.length, messages: ourHashes.length - ours.length };
}
