import type { BlockId } from '../../chain/block-id.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import type { GetTransactions, TransactionList } from '../../chain/tl/transactions.ts';
import { isAccountInBlock } from './block-place.ts';
import { type FoundCell, hashOf, readWholeBag } from './open-proof.ts';
import { type CheckOptions, hashText, proving, refuse } from './proof-scope.ts';
import { readTransactionHead, type TransactionHead } from './transaction-head.ts';

/** A transaction of an account's history. */
export interface AccountTransaction extends FoundCell, TransactionHead {
  readonly hash: Buffer;
  /** The block that the server says it is in; nothing proves it. */
  readonly claimedBlock: BlockId;
}

/** What was asked: transactions back from the one with `lt` and `hash`. */
export type HistoryQuestion = Pick<GetTransactions, 'count' | 'account' | 'lt' | 'hash'>;

/**
 * Checks the answer of getTransactions, newest transaction first: the first has the hash that was asked for, and each
 * one names the hash of the next. A logical time of zero stands for no transaction.
 */
export function checkTransactions(
  answer: TransactionList,
  question: HistoryQuestion,
  options: CheckOptions,
): AccountTransaction[] {
  return proving('VALIDATE_TRANSACTION', () => {
    const { ids, transactions } = answer;
    if (ids.length === 0 && transactions.length === 0 && question.lt === 0n) return [];
    if (ids.length === 0) refuse('transaction list must be non-empty');
    const bag = readWholeBag(transactions);
    if (bag.roots.length !== ids.length)
      refuse(
        `transaction list size ${bag.roots.length} must be equal to the size of block id list ${ids.length}`,
      );
    if (ids.length > question.count)
      refuse(`obtained ${ids.length} transactions, but only ${question.count} have been requested`);
    let expected = { lt: question.lt, hash: question.hash };
    return bag.roots.map((cell, i) => {
      const found = { cells: bag, cell };
      const head = checkOne(found, expected, question.account, options);
      const { hash } = expected;
      expected = { lt: head.prevTransLt, hash: head.prevTransHash };
      const claimedBlock = ids[i]!;
      if (!isAccountInBlock(claimedBlock, question.account))
        refuse('obtained a block that cannot contain specified account');
      return { ...found, ...head, hash, claimedBlock };
    });
  });
}

/** Checks that a cell is the transaction of an account with a known hash. */
function checkOne(
  found: FoundCell,
  { lt, hash }: { readonly lt: bigint; readonly hash: Buffer },
  account: AccountId,
  { verify }: CheckOptions,
): TransactionHead {
  if (verify && !hashOf(found).equals(hash))
    refuse(`transaction hash mismatch: expected ${hashText(hash)}, found ${hashText(hashOf(found))}`);
  const head = readTransactionHead(found);
  if (head.lt !== lt) refuse(`transaction lt mismatch: expected ${lt}, found ${head.lt}`);
  if (!head.account.equals(account.hash))
    refuse(
      `transaction account mismatch: expected ${hashText(account.hash)}, found ${hashText(head.account)}`,
    );
  if (head.prevTransLt >= lt) refuse('previous transaction time is not less than the current one');
  return head;
}
