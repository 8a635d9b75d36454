import type { TransactionId } from '../../../chain/tl/transaction-ids.ts';
import { type ListedTransaction, listTransactions } from '../block-transactions.ts';
import { messageMetadata } from '../in-message.ts';
import { loadBlock } from '../known-blocks.ts';
import { ProvenTree } from '../proofs/proven-tree.ts';
import type { Query } from '../query.ts';

const WITH_ACCOUNT = 1;
const WITH_LT = 2;
const WITH_HASH = 4;
const WITH_PROOF = 32;
const REVERSE = 64;
const WITH_METADATA = 256;
const NO_PROOF = Buffer.alloc(0);

/** Names of a block's transactions. */
export const listBlockTransactions: Query<'listBlockTransactions'> = ({ store }, request) => {
  const { id, mode, count, after } = request;
  const tree = new ProvenTree(loadBlock(store, id));
  const list = listTransactions(tree, { count, after, reverse: (mode & REVERSE) !== 0 });
  const { cells } = tree;

  const nameOf = ({ account, lt, cell }: ListedTransaction): TransactionId => {
    const metadata = mode & WITH_METADATA ? messageMetadata(cells, list.extra, cell) : undefined;
    return {
      mode: metadata === undefined ? mode & ~WITH_METADATA : mode,
      account: mode & WITH_ACCOUNT ? account : undefined,
      lt: mode & WITH_LT ? lt : undefined,
      hash: mode & WITH_HASH ? cells.hash(cell) : undefined,
      metadata,
    };
  };
  const ids = list.transactions.map(nameOf);
  const proof = mode & WITH_PROOF ? tree.toBoc() : NO_PROOF;
  return { id, reqCount: count, incomplete: !list.complete, ids, proof };
};
