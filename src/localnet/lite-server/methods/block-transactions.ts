import { CellError, type CellRef, type Cells } from '../../../chain/boc/cells.ts';
import { Slice } from '../../../chain/boc/slice.ts';
import { type BlockTransaction, iterateTransactions } from '../../../chain/tlb/account-blocks.ts';
import { type BlockExtra, readBlockExtra, readBlockRoot } from '../../../chain/tlb/block.ts';
import { skipCurrencyCollection } from '../../../chain/tlb/currency.ts';
import { lookUp } from '../../../chain/tlb/dictionary.ts';
import { readInMsg, readMessageEnvelope } from '../../../chain/tlb/msg-descr.ts';
import {
  LIST_ACCOUNT,
  LIST_HASH,
  LIST_LT,
  LIST_METADATA,
  LIST_REVERSE,
  LIST_WITH_PROOF,
  MAX_LISTED_TRANSACTIONS,
  type TransactionId,
  type TransactionId3,
  type TransactionMetadata,
} from '../../../lite/methods/block-transactions.ts';
import type { MethodHandler } from './method-context.ts';
import { EMPTY, ProvenTree, writeRoots } from './proofs.ts';
import { loadBlock } from './stored-blocks.ts';

/** Ids of a block's transactions. */
export const listBlockTransactions: MethodHandler<'listBlockTransactions'> = ({ store }, request) => {
  const { id, mode, count } = request;
  const tree = new ProvenTree(loadBlock(store, id));
  const list = listTransactions(tree, request);
  const { cells } = tree;

  const idOf = ({ account, lt, cell }: BlockTransaction): TransactionId => {
    const metadata = mode & LIST_METADATA ? messageMetadata(cells, list.extra, cell) : undefined;
    return {
      mode: metadata === undefined ? mode & ~LIST_METADATA : mode,
      account: mode & LIST_ACCOUNT ? account : undefined,
      lt: mode & LIST_LT ? BigInt.asIntN(64, lt) : undefined,
      hash: mode & LIST_HASH ? cells.hash(cell) : undefined,
      metadata,
    };
  };
  const ids = list.transactions.map(idOf);
  const proof = mode & LIST_WITH_PROOF ? tree.toBoc() : EMPTY;
  return { id, reqCount: count, incomplete: !list.complete, ids, proof };
};

/** A block's transactions. */
export const listBlockTransactionsExt: MethodHandler<'listBlockTransactionsExt'> = ({ store }, request) => {
  const { id, mode, count } = request;
  const block = loadBlock(store, id);
  const tree = new ProvenTree(block);
  const list = listTransactions(tree, request);
  if (mode & LIST_METADATA)
    for (const { cell } of list.transactions) showMessageEnvelope(tree.cells, list.extra, cell);
  return {
    id,
    reqCount: count,
    incomplete: !list.complete,
    transactions: writeRoots(list.transactions.map(({ cell }) => ({ cells: block.cells, cell }))),
    proof: mode & (LIST_WITH_PROOF | LIST_METADATA) ? tree.toBoc() : EMPTY,
  };
};

interface TransactionList {
  readonly transactions: readonly BlockTransaction[];
  readonly complete: boolean;
  readonly extra: BlockExtra;
}

/** Lists transactions of a block. A full list is complete only if more were wanted. */
function listTransactions(
  { cells, cell }: CellRef,
  {
    mode,
    count,
    after,
  }: { readonly mode: number; readonly count: number; readonly after?: TransactionId3 | undefined },
): TransactionList {
  const extra = readBlockExtra(cells, readBlockRoot(cells, cell).extra);
  const limit = Math.min(count, MAX_LISTED_TRANSACTIONS);
  const transactions: BlockTransaction[] = [];
  if (limit === 0) return { transactions, complete: false, extra };
  const reverse = (mode & LIST_REVERSE) !== 0;
  for (const transaction of iterateTransactions(cells, extra.accountBlocks, { after, reverse })) {
    transactions.push(transaction);
    if (transactions.length >= limit) return { transactions, complete: false, extra };
  }
  return { transactions, complete: true, extra };
}

const HASH_BITS = 256;
/** The reference of a transaction to its messages. */
const MESSAGES = 0;

/** The transaction that a trace started from, where its block says so. */
function messageMetadata(
  cells: Cells,
  extra: BlockExtra,
  transaction: number,
): TransactionMetadata | undefined {
  const envelope = envelopeOf(cells, extra, transaction);
  const metadata = envelope < 0 ? undefined : readMessageEnvelope(cells, envelope).metadata;
  if (metadata === undefined) return undefined;
  const { depth, initiator, initiatorLt } = metadata;
  if (initiator.kind !== 'std') throw new CellError('message metadata without an account');
  const { workchain, hash } = initiator;
  return { mode: 0, depth, initiator: { workchain, hash }, initiatorLt: BigInt.asIntN(64, initiatorLt) };
}

/** Opens the envelope of the message that led to a transaction, so that a proof shows it. */
function showMessageEnvelope(cells: Cells, extra: BlockExtra, transaction: number): void {
  const envelope = envelopeOf(cells, extra, transaction);
  if (envelope >= 0) cells.assertReadable(envelope);
}

/** The envelope of the inbound message of a transaction, or -1 for one without. */
function envelopeOf(cells: Cells, extra: BlockExtra, transaction: number): number {
  cells.assertReadable(transaction);
  const message = new Slice(cells, cells.ref(transaction, MESSAGES)).maybeRef();
  if (message < 0) return -1;
  const messages = new Slice(cells, extra.inMsgDescr).maybeRef();
  const entry = lookUp(cells, messages, HASH_BITS, cells.hash(message));
  if (entry === undefined) throw new CellError('a block without one of its inbound messages');
  // The import fees.
  entry.coins();
  skipCurrencyCollection(entry);
  const inMsg = readInMsg(entry);
  return inMsg.kind === 'imm' || inMsg.kind === 'fin' || inMsg.kind === 'deferred_fin' ? inMsg.envelope : -1;
}
