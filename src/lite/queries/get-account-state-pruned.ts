import type { BlockId } from '../../chain/block-id.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import { checkAccountState, type ProvenAccount } from '../proofs/account-state.ts';
import type { CheckOptions } from '../proofs/proof-scope.ts';
import type { Ask } from './ask.ts';
import { askFor } from './ask-for.ts';

/** An account at a block without its code and data, which stand as pruned branches. */
export async function getAccountStatePruned(
  ask: Ask,
  block: BlockId,
  account: AccountId,
  options: CheckOptions,
): Promise<ProvenAccount> {
  const request = { method: 'getAccountStatePrunned', id: block, account } as const;
  const answer = await askFor(ask, request, 'VALIDATE_ACCOUNT_STATE');
  return checkAccountState(answer, { block, account, form: 'proof' }, options);
}
