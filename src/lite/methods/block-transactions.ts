import { type BlockId, sameBlock } from '../../chain/block-id.ts';
import { readBlockId, writeBlockId } from '../../chain/tl/ids.ts';
import {
  hasBit,
  isGiven,
  type LiteMethodCodec,
  type TlReader,
  type TlType,
  type TlWriter,
} from '../../chain/tl/tl.ts';
import { ProofFailure } from '../errors.ts';
import { type Ask, askProvable } from './ask.ts';
import {
  type CellRef,
  type CheckOptions,
  checkRootHash,
  formatHash,
  hashOf,
  openProof,
  readWholeBag,
  refuse,
  runProofCheck,
} from './proofs.ts';
import {
  type BlockTransactionEntry,
  iterateBlockTransactions,
  readTransactionId,
  readTransactionId3,
  readTransactionPrefix,
  type TransactionId,
  type TransactionId3,
  type TransactionMetadata,
  writeTransactionId,
  writeTransactionId3,
} from './transactions.ts';

/** `liteServer.blockTransactions`: names of a block's transactions; `proof` is empty unless asked for. */
export interface BlockTransactions {
  readonly id: BlockId;
  readonly reqCount: number;
  readonly incomplete: boolean;
  readonly ids: readonly TransactionId[];
  readonly proof: Buffer;
}

/** `liteServer.blockTransactionsExt`: a block's transactions themselves, as roots of one bag. */
export interface BlockTransactionsExt {
  readonly id: BlockId;
  readonly reqCount: number;
  readonly incomplete: boolean;
  readonly transactions: Buffer;
  readonly proof: Buffer;
}

const blockTransactions: TlType<BlockTransactions> = {
  name: 'liteServer.blockTransactions',
  id: 0xbd8cad2b,
  write(w, list) {
    writeBlockId(w, list.id);
    w.uint(list.reqCount);
    w.bool(list.incomplete);
    w.vector(list.ids, writeTransactionId);
    w.bytes(list.proof);
  },
  read: (r) => ({
    id: readBlockId(r),
    reqCount: r.uint(),
    incomplete: r.bool(),
    // An id of mode 0 is its mode alone.
    ids: r.vector(4, readTransactionId),
    proof: r.bytes(),
  }),
};

const blockTransactionsExt: TlType<BlockTransactionsExt> = {
  name: 'liteServer.blockTransactionsExt',
  id: 0xfb8ffce4,
  write(w, list) {
    writeBlockId(w, list.id);
    w.uint(list.reqCount);
    w.bool(list.incomplete);
    w.bytes(list.transactions);
    w.bytes(list.proof);
  },
  read: (r) => ({
    id: readBlockId(r),
    reqCount: r.uint(),
    incomplete: r.bool(),
    transactions: r.bytes(),
    proof: r.bytes(),
  }),
};

interface ListRequest {
  readonly id: BlockId;
  /**
   * Bits 0, 1 and 2 ask for account, lt and hash of each transaction (bit 8 for metadata), bit 5 for a proof,
   * bit 6 for the reverse order; bit 7 goes with `after`.
   */
  readonly mode: number;
  readonly count: number;
  readonly after?: TransactionId3 | undefined;
}

function writeListRequest(writer: TlWriter, request: ListRequest): void {
  writeBlockId(writer, request.id);
  writer.uint(request.mode);
  writer.uint(request.count);
  if (isGiven(request.mode, 7, request.after, 'after')) writeTransactionId3(writer, request.after);
}

function readListRequest<M extends string>(
  method: M,
  reader: TlReader,
): ListRequest & { readonly method: M } {
  const id = readBlockId(reader);
  const mode = reader.uint();
  const count = reader.uint();
  return { method, id, mode, count, after: hasBit(mode, 7) ? readTransactionId3(reader) : undefined };
}

/** Request of `listBlockTransactions`; servers give 256 at most. */
export interface ListBlockTransactions extends ListRequest {
  readonly method: 'listBlockTransactions';
}

/** `liteServer.listBlockTransactions`: names of a block's transactions. */
export const listBlockTransactionsCodec: LiteMethodCodec<ListBlockTransactions, BlockTransactions> = {
  name: 'liteServer.listBlockTransactions',
  id: 0xadfcc7da,
  answer: blockTransactions,
  write: writeListRequest,
  read: (r) => readListRequest('listBlockTransactions', r),
};

/** Request of `listBlockTransactionsExt`; servers give 256 at most. */
export interface ListBlockTransactionsExt extends ListRequest {
  readonly method: 'listBlockTransactionsExt';
}

/** `liteServer.listBlockTransactionsExt`: a block's transactions. */
export const listBlockTransactionsExtCodec: LiteMethodCodec<ListBlockTransactionsExt, BlockTransactionsExt> =
  {
    name: 'liteServer.listBlockTransactionsExt',
    id: 0x0079dd5c,
    answer: blockTransactionsExt,
    write: writeListRequest,
    read: (r) => readListRequest('listBlockTransactionsExt', r),
  };

/** Which part of a block's transactions to list; servers list 256 at most. */
export interface ListRange {
  readonly count: number;
  readonly after?: TransactionId3 | undefined;
  readonly reverse?: boolean | undefined;
}

const WITH_NAMES = 7;
const AFTER = 128;

/** Names of a block's transactions by account and logical time, or in the reverse order. */
export async function listBlockTransactions(
  ask: Ask,
  block: BlockId,
  part: ListRange,
  options: CheckOptions,
): Promise<TransactionsPage<ListedTransaction>> {
  const question = listQuestion(block, part, options);
  const request = { method: 'listBlockTransactions', id: block, ...question } as const;
  const answer = await askProvable(ask, listBlockTransactionsCodec, request, 'VALIDATE_TRANSACTION');
  return checkBlockTransactions(answer, question, options);
}

/** The question of either function that lists; with a proof where that is checked. */
function listQuestion(
  block: BlockId,
  { count, after, reverse = false }: ListRange,
  { verify }: CheckOptions,
): ListQuestion {
  const mode =
    WITH_NAMES | (verify ? LIST_PROOF : 0) | (reverse ? LIST_REVERSE : 0) | (after === undefined ? 0 : AFTER);
  return { block, mode, count, after };
}

/** A block's transactions themselves by account and logical time, or in the reverse order. */
export async function listBlockTransactionsExt(
  ask: Ask,
  block: BlockId,
  part: ListRange,
  options: CheckOptions,
): Promise<TransactionsPage<ListedTransaction & CellRef>> {
  const question = listQuestion(block, part, options);
  const request = { method: 'listBlockTransactionsExt', id: block, ...question } as const;
  const answer = await askProvable(ask, listBlockTransactionsExtCodec, request, 'VALIDATE_TRANSACTION');
  return checkBlockTransactionsExt(answer, question, options);
}

/** `listBlockTransactions` or `listBlockTransactionsExt`. */
export type ListTransactions<T> = (
  ask: Ask,
  block: BlockId,
  part: ListRange,
  options: CheckOptions,
) => Promise<TransactionsPage<T>>;

/** Asks for one page of a block. */
type ListPage<T> = (part: ListRange) => Promise<TransactionsPage<T>>;

/** Which transactions of a block to read, page after page. */
export interface ReadRange {
  /** How many at most; left out: all. */
  readonly limit?: number;
  readonly after?: TransactionId3 | undefined;
}

/** No block has as many transactions; a server that cannot prove its lists is not followed for ever. */
const MAX_TRANSACTIONS = 1_000_000;

/** Reads transactions of a block in as many pages as it takes; gives whether more may follow. */
export async function readBlockTransactions<T extends ListedTransaction>(
  listPage: ListPage<T>,
  { limit = MAX_TRANSACTIONS, after }: ReadRange,
  take: (transaction: T) => void,
): Promise<boolean> {
  let incomplete = true;
  let last = after;
  for (let taken = 0; incomplete && taken < limit; ) {
    const page = await listPage({ count: Math.min(MAX_TRANSACTIONS_PER_LIST, limit - taken), after: last });
    for (const transaction of page.transactions) {
      if (last !== undefined && !follows(transaction, last))
        throw new ProofFailure('VALIDATE_TRANSACTION', 'transactions of a block are not in order');
      last = transaction;
      take(transaction);
    }
    taken += page.transactions.length;
    ({ incomplete } = page);
    if (incomplete && page.transactions.length === 0)
      throw new ProofFailure('VALIDATE_TRANSACTION', 'an incomplete list of transactions is empty');
  }
  return incomplete;
}

function follows(next: TransactionId3, last: TransactionId3): boolean {
  return (next.account.compare(last.account) || (next.lt > last.lt ? 1 : -1)) > 0;
}

/** A transaction that a block lists. */
export interface ListedTransaction {
  /** The 32 bytes of the account's address. */
  readonly account: Buffer;
  readonly lt: bigint;
  readonly hash: Buffer;
  /** Which transaction its chain of messages started from; nothing proves it. */
  readonly metadata?: TransactionMetadata | undefined;
}

/** Part of a block's transactions. */
interface TransactionsPage<T> {
  readonly transactions: readonly T[];
  /** Whether more may follow; a page that ends exactly at the limit says so too. */
  readonly incomplete: boolean;
}

/** What was asked; the mode says whether with a proof, and in which order. */
export type ListQuestion = Pick<ListBlockTransactions, 'mode' | 'count' | 'after'> & {
  readonly block: BlockId;
};

/** Servers list no more than this in one answer. */
const MAX_TRANSACTIONS_PER_LIST = 256;

const LIST_PROOF = 32;
const LIST_REVERSE = 64;

/**
 * Checks the answer of listBlockTransactions. Where a proof was asked for, the list is exactly what the block holds
 * after the given transaction; without one nothing but the block's name can be checked.
 */
export function checkBlockTransactions(
  answer: BlockTransactions,
  question: ListQuestion,
  options: CheckOptions,
): TransactionsPage<ListedTransaction> {
  return runProofCheck('VALIDATE_TRANSACTION', () => {
    const expected = openList(answer, answer.ids.length, question, options);
    const transactions = answer.ids.map((id, i) => checkListed(id, expected?.[i]));
    return { transactions, incomplete: answer.incomplete };
  });
}

/** Checks the answer of listBlockTransactionsExt in the same way; the cells of the transactions come with it. */
export function checkBlockTransactionsExt(
  answer: BlockTransactionsExt,
  question: ListQuestion,
  options: CheckOptions,
): TransactionsPage<ListedTransaction & CellRef> {
  return runProofCheck('VALIDATE_TRANSACTION', () => {
    const found = readCells(answer.transactions);
    const expected = openList(answer, found.length, question, options);
    const transactions = found.map((transaction, i) => {
      const hash = hashOf(transaction);
      const wanted = expected?.[i];
      if (wanted !== undefined && !hash.equals(hashOf(wanted)))
        refuse(
          `transaction hash mismatch: Merkle proof expects ${formatHash(hashOf(wanted))} but received data has ${formatHash(hash)}`,
        );
      const { account, lt } = readTransactionPrefix(transaction);
      return { account, lt, hash, ...transaction };
    });
    return { transactions, incomplete: answer.incomplete };
  });
}

function readCells(transactions: Buffer): CellRef[] {
  // A list without transactions has no bag, as a bag without roots cannot be.
  if (transactions.length === 0) return [];
  const bag = readWholeBag(transactions);
  return bag.roots.map((cell) => ({ cells: bag, cell }));
}

/** What a list must hold according to its proof, which has been checked; undefined without one. */
function openList(
  answer: BlockTransactions | BlockTransactionsExt,
  received: number,
  question: ListQuestion,
  options: CheckOptions,
): BlockTransactionEntry[] | undefined {
  const { block, mode, count, after } = question;
  if (!sameBlock(answer.id, block)) refuse('Liteserver responded with wrong block');
  if (answer.reqCount !== count) refuse('Liteserver responded to another request');
  if (!options.verify || !(mode & LIST_PROOF)) return undefined;
  const proof = openProof(answer.proof, options);
  checkRootHash(proof, block, options);
  const limit = Math.min(count, MAX_TRANSACTIONS_PER_LIST);
  const expected: BlockTransactionEntry[] = [];
  const entries = iterateBlockTransactions(proof, after, (mode & LIST_REVERSE) !== 0);
  // Once the list is full, only a server that says it is complete has to prove that nothing follows.
  while (expected.length < limit || !answer.incomplete) {
    const next = entries.next();
    if (next.done || expected.length === limit) {
      if (next.done === answer.incomplete) refuse('the list of transactions is not as complete as it says');
      break;
    }
    expected.push(next.value);
  }
  if (expected.length !== received)
    refuse(`Txs count mismatch in proof (${expected.length}) and response (${received})`);
  return expected;
}

function checkListed(
  { account, lt, hash, metadata }: TransactionId,
  expected: BlockTransactionEntry | undefined,
) {
  if (account === undefined || lt === undefined || hash === undefined)
    refuse('Liteserver responded with nameless transactions');
  const unsigned = BigInt.asUintN(64, lt);
  if (expected !== undefined) {
    if (!hash.equals(hashOf(expected))) refuse("Couldn't verify proof (hash)");
    if (unsigned !== expected.lt) refuse("Couldn't verify proof (lt)");
    if (!account.equals(expected.account)) refuse("Couldn't verify proof (account)");
  }
  return { account, lt: unsigned, hash, metadata };
}
