import type { BlockId } from '../../chain/block-id.ts';
import type { TransactionId3 } from '../../chain/tl/transaction-ids.ts';
import {
  checkBlockTransactions,
  LIST_PROOF,
  LIST_REVERSE,
  type ListedTransaction,
  type ListQuestion,
  type TransactionsPage,
} from '../proofs/block-transactions.ts';
import type { CheckOptions } from '../proofs/proof-scope.ts';
import type { Ask } from './ask.ts';
import { askFor } from './ask-for.ts';

/** Which part of a block's transactions to list; servers list 256 at most. */
export interface ListPart {
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
  part: ListPart,
  options: CheckOptions,
): Promise<TransactionsPage<ListedTransaction>> {
  const question = listQuestion(block, part, options);
  const request = { method: 'listBlockTransactions', id: block, ...question } as const;
  const answer = await askFor(ask, request, 'VALIDATE_TRANSACTION');
  return checkBlockTransactions(answer, question, options);
}

/** The question of either function that lists; with a proof where that is checked. */
export function listQuestion(
  block: BlockId,
  { count, after, reverse = false }: ListPart,
  { verify }: CheckOptions,
): ListQuestion {
  const mode =
    WITH_NAMES | (verify ? LIST_PROOF : 0) | (reverse ? LIST_REVERSE : 0) | (after === undefined ? 0 : AFTER);
  return { block, mode, count, after };
}
