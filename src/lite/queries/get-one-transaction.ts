import type { BlockId } from '../../chain/block-id.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import { checkOneTransaction } from '../proofs/one-transaction.ts';
import type { FoundCell } from '../proofs/open-proof.ts';
import type { CheckOptions } from '../proofs/proof-scope.ts';
import type { Ask } from './ask.ts';
import { askFor } from './ask-for.ts';

/** The cell of an account's transaction in a block, or undefined where the block's time does not hold it. */
export async function getOneTransaction(
  ask: Ask,
  block: BlockId,
  account: AccountId,
  lt: bigint,
  options: CheckOptions,
): Promise<FoundCell | undefined> {
  const request = { method: 'getOneTransaction', id: block, account, lt } as const;
  const answer = await askFor(ask, request, 'VALIDATE_TRANSACTION');
  return checkOneTransaction(answer, { block, account, lt }, options);
}
