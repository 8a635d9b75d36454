import type { CellRef } from '../../../chain/boc/cells.ts';
import { CellError, type Cells } from '../../../chain/boc/cells.ts';
import { Slice } from '../../../chain/boc/slice.ts';
import { type BlockExtra, readBlockExtra, readBlockRoot } from '../../../chain/tlb/block.ts';
import { skipCurrencyCollection } from '../../../chain/tlb/currency.ts';
import { dictionaryEntries, lookUp } from '../../../chain/tlb/dictionary.ts';
import { readInMsg } from '../../../chain/tlb/in-msg.ts';
import { readMessageEnvelope } from '../../../chain/tlb/message-envelope.ts';
import type {
  TransactionId,
  TransactionId3,
  TransactionMetadata,
} from '../../../lite/methods/transactions.ts';
import { loadBlock } from '../known-blocks.ts';
import { ProvenTree, writeRoots } from '../proofs.ts';
import type { MethodHandler } from '../query.ts';

const WITH_ACCOUNT = 1;
const WITH_LT = 2;
const WITH_HASH = 4;
const WITH_PROOF = 32;
const REVERSE = 64;
const WITH_METADATA = 256;
const NO_PROOF = Buffer.alloc(0);

/** Names of a block's transactions. */
export const listBlockTransactions: MethodHandler<'listBlockTransactions'> = ({ store }, request) => {
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

/** A block's transactions. */
export const listBlockTransactionsExt: MethodHandler<'listBlockTransactionsExt'> = ({ store }, request) => {
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

/** A transaction in a block. */
interface ListedTransaction {
  readonly account: Buffer;
  readonly lt: bigint;
  readonly cell: number;
}

/** Which transactions of a block are wanted. */
interface ListRange {
  readonly count: number;
  readonly reverse: boolean;
  readonly after: TransactionId3 | undefined;
}

/** Transactions of a block, and whether the list came to its end. */
interface TransactionList {
  readonly transactions: readonly ListedTransaction[];
  readonly complete: boolean;
  readonly extra: BlockExtra;
}

const ACCOUNT_BITS = 256;
const LT_BITS = 64;
const ACCOUNT_BLOCK = 5;
const MAX_TRANSACTIONS = 256;

/** Lists transactions of a block by account and logical time. A full list is complete only if more were wanted. */
export function listTransactions({ cells, cell: root }: CellRef, range: ListRange): TransactionList {
  const { reverse } = range;
  const extra = readBlockExtra(cells, readBlockRoot(cells, root).extra);
  const accounts = new Slice(cells, extra.accountBlocks).maybeRef();
  const limit = Math.min(range.count, MAX_TRANSACTIONS);
  const edge = reverse ? 0xff : 0;
  const startAccount = range.after?.account ?? Buffer.alloc(32, edge);
  const startLt = Buffer.alloc(8, edge);
  if (range.after !== undefined) startLt.writeBigInt64BE(range.after.lt);
  const transactions: ListedTransaction[] = [];
  if (limit === 0) return { transactions, complete: false, extra };

  if (accounts < 0) return { transactions, complete: true, extra };
  const order = { from: startAccount, inclusive: true, reverse };
  for (const { key, value } of dictionaryEntries(new Slice(cells, accounts), ACCOUNT_BITS, order)) {
    const account = Buffer.from(key);
    const from = account.equals(startAccount) ? startLt : Buffer.alloc(8, edge);
    for (const entry of dictionaryEntries(openAccountBlock(value), LT_BITS, { from, reverse })) {
      skipCurrencyCollection(entry.value);
      transactions.push({ account, lt: entry.key.readBigInt64BE(), cell: entry.value.ref() });
      if (transactions.length >= limit) return { transactions, complete: false, extra };
    }
  }
  return { transactions, complete: true, extra };
}

/** The cell of an account's transaction in a block, or -1. */
export function findTransaction(cells: Cells, extra: BlockExtra, account: Buffer, lt: bigint): number {
  const accounts = new Slice(cells, extra.accountBlocks).maybeRef();
  const value = accounts < 0 ? undefined : lookUp(cells, accounts, ACCOUNT_BITS, account);
  if (value === undefined) return -1;
  const key = Buffer.allocUnsafe(8);
  key.writeBigUInt64BE(lt);
  const order = { from: key, inclusive: true };
  for (const entry of dictionaryEntries(openAccountBlock(value), LT_BITS, order)) {
    skipCurrencyCollection(entry.value);
    return entry.key.equals(key) ? entry.value.ref() : -1;
  }
  return -1;
}

/** Moves from the value of an account in a block to the dictionary of its transactions. */
function openAccountBlock(value: Slice): Slice {
  skipCurrencyCollection(value);
  if (value.uint(4) !== ACCOUNT_BLOCK) throw new CellError('not the transactions of an account');
  value.skip(ACCOUNT_BITS);
  return value;
}

const HASH_BITS = 256;
/** The reference of a transaction that leads to its messages. */
const MESSAGES = 0;

/** Who started the chain of messages that led to a transaction, where its block says so. */
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

/** The envelope in which the inbound message of a transaction came, or -1 for one that came without. */
function envelopeOf(cells: Cells, extra: BlockExtra, transaction: number): number {
  cells.assertReadable(transaction);
  const message = new Slice(cells, cells.ref(transaction, MESSAGES)).maybeRef();
  if (message < 0) return -1;
  const messages = new Slice(cells, extra.inMsgDescr).maybeRef();
  const entry = messages < 0 ? undefined : lookUp(cells, messages, HASH_BITS, cells.hash(message));
  if (entry === undefined) throw new CellError('a block without one of its inbound messages');
  // What the message paid.
  entry.coins();
  skipCurrencyCollection(entry);
  const inMsg = readInMsg(entry);
  return inMsg.kind === 'imm' || inMsg.kind === 'fin' || inMsg.kind === 'deferred_fin' ? inMsg.envelope : -1;
}
