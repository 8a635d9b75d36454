import type { AccountId } from '../../chain/address.ts';
import type { BlockId } from '../../chain/block-id.ts';
import { CellError, type CellRef } from '../../chain/boc/cells.ts';
import { Slice } from '../../chain/boc/slice.ts';
import { isSliceOver, nextSlice } from '../../lib/slices.ts';
import type { LiteArguments, LiteResponseOf } from './codec.ts';
import {
  type CheckOptions,
  formatHash,
  hashOf,
  isAccountInBlock,
  type QueryServer,
  queryProvable,
  readWholeBag,
  refuse,
  runProofCheck,
} from './proofs.ts';

/** A transaction by its logical time and hash; a logical time of zero means none. */
export interface TransactionRef {
  readonly lt: bigint;
  readonly hash: Buffer;
}

/** Servers return no more than this in one response. */
export const MAX_TRANSACTIONS_PER_PAGE = 16;

/** Transactions of an account back from a given one, newest first; as many as a server returns at once. */
export async function getTransactions(
  queryServer: QueryServer,
  account: AccountId,
  { lt, hash }: TransactionRef,
  count: number,
  options: CheckOptions,
): Promise<AccountTransaction[]> {
  if (lt === 0n) return [];
  const query = { count, account, lt, hash };
  const response = await queryProvable(queryServer, 'getTransactions', query, 'VALIDATE_TRANSACTION');
  return checkTransactions(response, query, options);
}

export interface AccountTransaction extends CellRef, TransactionPrefix {
  readonly hash: Buffer;
  /** The block of the transaction as the server says; nothing proves it. */
  readonly claimedBlock: BlockId;
}

/**
 * Checks the response of getTransactions, newest transaction first: the first has the queried hash, and each one has
 * the hash of the next. A logical time of zero means no transaction.
 */
export function checkTransactions(
  response: LiteResponseOf<'getTransactions'>,
  query: LiteArguments<'getTransactions'>,
  options: CheckOptions,
): AccountTransaction[] {
  return runProofCheck('VALIDATE_TRANSACTION', () => {
    const { ids, transactions } = response;
    if (ids.length === 0 && transactions.length === 0 && query.lt === 0n) return [];
    if (ids.length === 0) refuse('transaction list must be non-empty');
    const bag = readWholeBag(transactions);
    if (bag.roots.length !== ids.length)
      refuse(
        `transaction list size ${bag.roots.length} must be equal to the size of block id list ${ids.length}`,
      );
    if (ids.length > query.count)
      refuse(`obtained ${ids.length} transactions, but only ${query.count} have been requested`);
    let expected = { lt: query.lt, hash: query.hash };
    return bag.roots.map((cell, i) => {
      const transaction = { cells: bag, cell };
      const head = checkOne(transaction, expected, query.account, options);
      const { hash } = expected;
      expected = { lt: head.prevTransLt, hash: head.prevTransHash };
      const claimedBlock = ids[i]!;
      if (!isAccountInBlock(claimedBlock, query.account))
        refuse('obtained a block that cannot contain specified account');
      return { ...transaction, ...head, hash, claimedBlock };
    });
  });
}

/** Checks that a cell is the transaction of an account with a known hash. */
function checkOne(
  transaction: CellRef,
  { lt, hash }: { readonly lt: bigint; readonly hash: Buffer },
  account: AccountId,
  { verify }: CheckOptions,
): TransactionPrefix {
  if (verify && !hashOf(transaction).equals(hash))
    refuse(
      `transaction hash mismatch: expected ${formatHash(hash)}, found ${formatHash(hashOf(transaction))}`,
    );
  const head = readTransactionPrefix(transaction);
  if (head.lt !== lt) refuse(`transaction lt mismatch: expected ${lt}, found ${head.lt}`);
  if (!head.account.equals(account.hash))
    refuse(
      `transaction account mismatch: expected ${formatHash(account.hash)}, found ${formatHash(head.account)}`,
    );
  if (head.prevTransLt >= lt) refuse('previous transaction time is not less than the current one');
  return head;
}

/** The first fields of a transaction: its account, its logical time, and the transaction before it. */
type TransactionPrefix = Readonly<ReturnType<typeof readTransactionPrefix>>;

const TRANSACTION = 0b0111;

/** Reads the first fields of a transaction; `readTransaction` reads all of it. */
export function readTransactionPrefix({ cells, cell }: CellRef) {
  const slice = new Slice(cells, cell);
  if (slice.uint(4) !== TRANSACTION) throw new CellError('not a transaction');
  return {
    /** The 32 bytes of the account's address. */
    account: slice.hash(),
    lt: slice.uint64(),
    prevTransHash: slice.hash(),
    prevTransLt: slice.uint64(),
  };
}

/** Which part of an account's history to read. */
export interface HistoryRange {
  /** The newest transaction to read. */
  readonly from: TransactionRef;
  readonly limit: number;
  /** Transactions up to this logical time are left out. */
  readonly toLt?: bigint | undefined;
}

type GetHistoryPage = (from: TransactionRef, count: number) => Promise<readonly AccountTransaction[]>;

/**
 * Reads an account's history page by page, newest transaction first. Returns the transaction before the last one that
 * was read, even if that was left out; a logical time of zero means none.
 */
export async function readHistory(
  getPage: GetHistoryPage,
  { from, limit, toLt = 0n }: HistoryRange,
  take: (transaction: AccountTransaction) => void,
): Promise<TransactionRef> {
  let previous = from;
  let taken = 0;
  while (taken < limit && previous.lt > toLt && previous.lt > 0n) {
    const page = await getPage(previous, Math.min(MAX_TRANSACTIONS_PER_PAGE, limit - taken));
    const { prevTransLt: lt, prevTransHash: hash } = page.at(-1)!;
    previous = { lt, hash };
    for (const transaction of page) {
      if (transaction.lt <= toLt) break;
      take(transaction);
      taken++;
      if (isSliceOver()) await nextSlice();
    }
  }
  return previous;
}
