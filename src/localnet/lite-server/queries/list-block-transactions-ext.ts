import { listTransactions } from '../block-transactions.ts';
import { showMessageEnvelope } from '../in-message.ts';
import { loadBlock } from '../known-blocks.ts';
import { ProvenTree } from '../proofs/proven-tree.ts';
import { writeRoots } from '../proofs/write-roots.ts';
import type { Query } from '../query.ts';

const WITH_PROOF = 32;
const REVERSE = 64;
/** The proof then shows the envelopes of inbound messages; it is there even if nobody asked for it. */
const WITH_METADATA = 256;
const NO_PROOF = Buffer.alloc(0);

/** A block's transactions. */
export const listBlockTransactionsExt: Query<'listBlockTransactionsExt'> = ({ store }, request) => {
  const { id, mode, count, after } = request;
  const block = loadBlock(store, id);
  const tree = new ProvenTree(block);
  const list = listTransactions(tree, { count, after, reverse: (mode & REVERSE) !== 0 });
  if (mode & WITH_METADATA)
    for (const { cell } of list.transactions) showMessageEnvelope(tree.cells, list.extra, cell);
  return {
    id,
    reqCount: count,
    incomplete: !list.complete,
    transactions: writeRoots(list.transactions.map(({ cell }) => ({ cells: block.cells, root: cell }))),
    proof: mode & (WITH_PROOF | WITH_METADATA) ? tree.toBoc() : NO_PROOF,
  };
};
