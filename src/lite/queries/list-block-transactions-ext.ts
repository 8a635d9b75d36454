import type { BlockId } from '../../chain/block-id.ts';
import {
  checkBlockTransactionsExt,
  type ListedTransaction,
  type TransactionsPage,
} from '../proofs/block-transactions.ts';
import type { FoundCell } from '../proofs/open-proof.ts';
import type { CheckOptions } from '../proofs/proof-scope.ts';
import type { Ask } from './ask.ts';
import { askFor } from './ask-for.ts';
import { type ListPart, listQuestion } from './list-block-transactions.ts';

/** A block's transactions themselves by account and logical time, or in the reverse order. */
export async function listBlockTransactionsExt(
  ask: Ask,
  block: BlockId,
  part: ListPart,
  options: CheckOptions,
): Promise<TransactionsPage<ListedTransaction & FoundCell>> {
  const question = listQuestion(block, part, options);
  const request = { method: 'listBlockTransactionsExt', id: block, ...question } as const;
  const answer = await askFor(ask, request, 'VALIDATE_TRANSACTION');
  return checkBlockTransactionsExt(answer, question, options);
}
