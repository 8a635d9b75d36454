import { type BlockId, sameBlock } from '../../chain/block-id.ts';
import type { CellRef } from '../../chain/boc/cells.ts';
import { type BlockTransaction, iterateTransactions } from '../../chain/tlb/account-blocks.ts';
import { readBlockExtra, readBlockRoot } from '../../chain/tlb/block.ts';
import { isSliceOver, nextSlice } from '../../lib/slices.ts';
import type { LiteResponseOf, LiteType } from './codec.ts';
import {
  type CheckOptions,
  checkRootHash,
  formatHash,
  hashOf,
  openProof,
  ProofFailure,
  type QueryServer,
  queryProvable,
  readWholeBag,
  refuse,
  runProofCheck,
} from './proofs.ts';
import { readTransactionPrefix } from './transactions.ts';

/** Bits of the mode of both functions: which parts of each transaction's id, a proof, and the order. */
export const LIST_ACCOUNT = 1;
export const LIST_LT = 2;
export const LIST_HASH = 4;
export const LIST_WITH_PROOF = 32;
export const LIST_REVERSE = 64;
export const LIST_METADATA = 256;
/** Goes with `after`. */
const LIST_AFTER = 128;
const LIST_NAMES = LIST_ACCOUNT | LIST_LT | LIST_HASH;

/** Servers list no more than this in one response. */
export const MAX_LISTED_TRANSACTIONS = 256;

/** The transaction after which a list continues. */
export type TransactionId3 = LiteType<'transactionId3'>;

/** The query; the mode says whether with a proof, and in which order. */
export interface ListQuery {
  readonly block: BlockId;
  readonly mode: number;
  readonly count: number;
  readonly after?: TransactionId3 | undefined;
}

/** Which part of a block's transactions to list; servers list 256 at most. */
export interface ListRange {
  readonly count: number;
  readonly after?: TransactionId3 | undefined;
  readonly reverse?: boolean | undefined;
}

export interface ListedTransaction {
  /** The 32 bytes of the account's address. */
  readonly account: Buffer;
  readonly lt: bigint;
  readonly hash: Buffer;
  /** The transaction that its trace started from; nothing proves it. */
  readonly metadata?: TransactionMetadata | undefined;
}

interface TransactionsPage<T> {
  readonly transactions: readonly T[];
  /** Whether more may follow; also true for a page that ends exactly at the limit. */
  readonly incomplete: boolean;
}

/** The transaction that a trace started from. */
export type TransactionMetadata = LiteType<'transactionMetadata'>;

/** A transaction of a block; the mode repeats that of the request. */
export type TransactionId = LiteType<'transactionId'>;

type ListMethod = 'listBlockTransactions' | 'listBlockTransactionsExt';

/** Ids of a block's transactions by account and logical time, or in the reverse order. */
export const listBlockTransactions = createList('listBlockTransactions', checkBlockTransactions);

function createList<M extends ListMethod, T>(
  method: M,
  check: (response: LiteResponseOf<M>, query: ListQuery, options: CheckOptions) => TransactionsPage<T>,
): ListTransactions<T> {
  return async (queryServer, block, part, options) => {
    const query = listQuery(block, part, options);
    const request = { id: block, ...query };
    const response = await queryProvable<ListMethod>(queryServer, method, request, 'VALIDATE_TRANSACTION');
    return check(response as LiteResponseOf<M>, query, options);
  };
}

/**
 * Checks the response of listBlockTransactions. With a proof, the list is exactly what the block has after the given
 * transaction; without one, only the id of the block can be checked.
 */
export function checkBlockTransactions(
  response: LiteResponseOf<'listBlockTransactions'>,
  query: ListQuery,
  options: CheckOptions,
): TransactionsPage<ListedTransaction> {
  return runProofCheck('VALIDATE_TRANSACTION', () => {
    const expected = openList(response, response.ids.length, query, options);
    const transactions = response.ids.map((id, i) => checkListed(id, expected?.[i]));
    return { transactions, incomplete: response.incomplete };
  });
}

function checkListed(
  { account, lt, hash, metadata }: LiteType<'transactionId'>,
  expected: BlockTransaction | undefined,
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

/** A block's transactions themselves by account and logical time, or in the reverse order. */
export const listBlockTransactionsExt = createList('listBlockTransactionsExt', checkBlockTransactionsExt);

/** Checks the response of listBlockTransactionsExt in the same way; it has the cells of the transactions. */
export function checkBlockTransactionsExt(
  response: LiteResponseOf<'listBlockTransactionsExt'>,
  query: ListQuery,
  options: CheckOptions,
): TransactionsPage<ListedTransaction & CellRef> {
  return runProofCheck('VALIDATE_TRANSACTION', () => {
    const received = readCells(response.transactions);
    const expected = openList(response, received.length, query, options);
    const transactions = received.map((transaction, i) => {
      const hash = hashOf(transaction);
      const wanted = expected?.[i];
      if (wanted !== undefined && !hash.equals(hashOf(wanted)))
        refuse(
          `transaction hash mismatch: Merkle proof expects ${formatHash(hashOf(wanted))} but received data has ${formatHash(hash)}`,
        );
      const { account, lt } = readTransactionPrefix(transaction);
      return { account, lt, hash, ...transaction };
    });
    return { transactions, incomplete: response.incomplete };
  });
}

function readCells(transactions: Buffer): CellRef[] {
  // A list without transactions has no bag, since there are no bags without roots.
  if (transactions.length === 0) return [];
  const bag = readWholeBag(transactions);
  return bag.roots.map((cell) => ({ cells: bag, cell }));
}

/** The query of either function; with a proof if that is verified. */
function listQuery(
  block: BlockId,
  { count, after, reverse = false }: ListRange,
  { verify }: CheckOptions,
): ListQuery {
  const mode =
    LIST_NAMES |
    (verify ? LIST_WITH_PROOF : 0) |
    (reverse ? LIST_REVERSE : 0) |
    (after === undefined ? 0 : LIST_AFTER);
  return { block, mode, count, after };
}

/** The transactions of a list according to its proof, which is checked here; undefined without one. */
function openList(
  response: LiteResponseOf<ListMethod>,
  received: number,
  query: ListQuery,
  options: CheckOptions,
): BlockTransaction[] | undefined {
  const { block, mode, count, after } = query;
  if (!sameBlock(response.id, block)) refuse('Liteserver responded with wrong block');
  if (response.reqCount !== count) refuse('Liteserver responded to another request');
  if (!options.verify || !(mode & LIST_WITH_PROOF)) return undefined;
  const proof = openProof(response.proof, options);
  checkRootHash(proof, block, options);
  const limit = Math.min(count, MAX_LISTED_TRANSACTIONS);
  const expected: BlockTransaction[] = [];
  const { cells, cell } = proof;
  const { accountBlocks } = readBlockExtra(cells, readBlockRoot(cells, cell).extra);
  const reverse = (mode & LIST_REVERSE) !== 0;
  const entries = iterateTransactions(cells, accountBlocks, { after, reverse });
  // Once the list is full, only a server that says it is complete has to prove that nothing follows.
  while (expected.length < limit || !response.incomplete) {
    const next = entries.next();
    if (next.done || expected.length === limit) {
      if (next.done === response.incomplete) refuse('the list of transactions is not as complete as it says');
      break;
    }
    expected.push(next.value);
  }
  if (expected.length !== received)
    refuse(`Txs count mismatch in proof (${expected.length}) and response (${received})`);
  return expected;
}

/** `listBlockTransactions` or `listBlockTransactionsExt`. */
export type ListTransactions<T> = (
  queryServer: QueryServer,
  block: BlockId,
  part: ListRange,
  options: CheckOptions,
) => Promise<TransactionsPage<T>>;

type ListPage<T> = (part: ListRange) => Promise<TransactionsPage<T>>;

/** Which transactions of a block to read, page after page. */
export interface ReadRange {
  /** All if left out. */
  readonly limit?: number;
  readonly after?: TransactionId3 | undefined;
}

/** No block has as many transactions; without proofs a server could send lists forever. */
const MAX_TRANSACTIONS = 1_000_000;

/** Reads transactions of a block page by page; returns whether more may follow. */
export async function readBlockTransactions<T extends ListedTransaction>(
  listPage: ListPage<T>,
  { limit = MAX_TRANSACTIONS, after }: ReadRange,
  take: (transaction: T) => void,
): Promise<boolean> {
  let incomplete = true;
  let last = after;
  for (let taken = 0; incomplete && taken < limit; ) {
    const page = await listPage({ count: Math.min(MAX_LISTED_TRANSACTIONS, limit - taken), after: last });
    for (const transaction of page.transactions) {
      if (last !== undefined && !follows(transaction, last))
        throw new ProofFailure('VALIDATE_TRANSACTION', 'transactions of a block are not in order');
      last = transaction;
      take(transaction);
      if (isSliceOver()) await nextSlice();
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
