import { type BlockId, sameBlock } from '../../chain/block-id.ts';
import type {
  BlockTransactions,
  BlockTransactionsExt,
  ListBlockTransactions,
} from '../../chain/tl/block-transactions.ts';
import type { TransactionId, TransactionMetadata } from '../../chain/tl/transaction-ids.ts';
import { type BlockEntry, blockEntries } from './account-blocks.ts';
import { checkRootHash } from './block-header.ts';
import { type FoundCell, hashOf, openProof, readWholeBag } from './open-proof.ts';
import { type CheckOptions, hashText, proving, refuse } from './proof-scope.ts';
import { readTransactionHead } from './transaction-head.ts';

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
export interface TransactionsPage<T> {
  readonly transactions: readonly T[];
  /** Whether more may follow; a page that ends exactly at the limit says so too. */
  readonly incomplete: boolean;
}

/** What was asked; the mode says whether with a proof, and in which order. */
export type ListQuestion = Pick<ListBlockTransactions, 'mode' | 'count' | 'after'> & {
  readonly block: BlockId;
};

/** Servers list no more than this in one answer. */
export const MAX_LISTED = 256;

export const LIST_PROOF = 32;
export const LIST_REVERSE = 64;

/**
 * Checks the answer of listBlockTransactions. Where a proof was asked for, the list is exactly what the block holds
 * after the given transaction; without one nothing but the block's name can be checked.
 */
export function checkBlockTransactions(
  answer: BlockTransactions,
  question: ListQuestion,
  options: CheckOptions,
): TransactionsPage<ListedTransaction> {
  return proving('VALIDATE_TRANSACTION', () => {
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
): TransactionsPage<ListedTransaction & FoundCell> {
  return proving('VALIDATE_TRANSACTION', () => {
    const found = readCells(answer.transactions);
    const expected = openList(answer, found.length, question, options);
    const transactions = found.map((transaction, i) => {
      const hash = hashOf(transaction);
      const wanted = expected?.[i];
      if (wanted !== undefined && !hash.equals(hashOf(wanted)))
        refuse(
          `transaction hash mismatch: Merkle proof expects ${hashText(hashOf(wanted))} but received data has ${hashText(hash)}`,
        );
      const { account, lt } = readTransactionHead(transaction);
      return { account, lt, hash, ...transaction };
    });
    return { transactions, incomplete: answer.incomplete };
  });
}

function readCells(transactions: Buffer): FoundCell[] {
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
): BlockEntry[] | undefined {
  const { block, mode, count, after } = question;
  if (!sameBlock(answer.id, block)) refuse('Liteserver responded with wrong block');
  if (answer.reqCount !== count) refuse('Liteserver responded to another request');
  if (!options.verify || !(mode & LIST_PROOF)) return undefined;
  const proof = openProof(answer.proof, options);
  checkRootHash(proof, block, options);
  const limit = Math.min(count, MAX_LISTED);
  const expected: BlockEntry[] = [];
  const entries = blockEntries(proof, after, (mode & LIST_REVERSE) !== 0);
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

function checkListed({ account, lt, hash, metadata }: TransactionId, expected: BlockEntry | undefined) {
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
