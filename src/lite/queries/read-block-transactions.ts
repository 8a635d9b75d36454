import type { BlockId } from '../../chain/block-id.ts';
import type { TransactionId3 } from '../../chain/tl/transaction-ids.ts';
import { ProofFailure } from '../errors.ts';
import { type ListedTransaction, MAX_LISTED, type TransactionsPage } from '../proofs/block-transactions.ts';
import type { CheckOptions } from '../proofs/proof-scope.ts';
import type { Ask } from './ask.ts';
import type { ListPart } from './list-block-transactions.ts';

/** `listBlockTransactions` or `listBlockTransactionsExt`. */
export type ListTransactions<T> = (
  ask: Ask,
  block: BlockId,
  part: ListPart,
  options: CheckOptions,
) => Promise<TransactionsPage<T>>;

/** Asks for one page of a block. */
export type ListPage<T> = (part: ListPart) => Promise<TransactionsPage<T>>;

/** Which transactions of a block to read, page after page. */
export interface ReadPart {
  /** How many at most; left out: all. */
  readonly limit?: number;
  readonly after?: TransactionId3 | undefined;
}

/** No block has as many transactions; a server that cannot prove its lists is not followed for ever. */
const MAX_TRANSACTIONS = 1_000_000;

/** Reads transactions of a block in as many pages as it takes; gives whether more may follow. */
export async function readBlockTransactions<T extends ListedTransaction>(
  listPage: ListPage<T>,
  { limit = MAX_TRANSACTIONS, after }: ReadPart,
  take: (transaction: T) => void,
): Promise<boolean> {
  let incomplete = true;
  let last = after;
  for (let taken = 0; incomplete && taken < limit; ) {
    const page = await listPage({ count: Math.min(MAX_LISTED, limit - taken), after: last });
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
