import Type from 'typebox';
import { formatFriendly, hasFriendlyForm } from '../../chain/address/format-address.ts';
import type { ParsedAddress } from '../../chain/address/parse-address.ts';
import type { AccountAt } from '../reads/account-at.ts';
import { accountFacts } from '../reads/account-facts.ts';
import { AccountAddress, accountAddress } from './account-address.ts';
import { accountSummary, accountSummaryMembers } from './account-summary.ts';
import { RecognisedState, recognisedState } from './recognised-state.ts';

/** `fullAccountState`: an account with what is known of its kind. */
export const ExtendedAccountState = Type.Object({
  '@type': Type.Literal('fullAccountState'),
  address: AccountAddress,
  ...accountSummaryMembers,
  account_state: RecognisedState,
  revision: Type.Integer(),
});

/** Writes `fullAccountState`; the address keeps the flags that it was given with. */
export function extendedAccountState(address: ParsedAddress, at: AccountAt) {
  const facts = accountFacts(at.proven);
  return {
    '@type': 'fullAccountState' as const,
    address: accountAddress(hasFriendlyForm(address.workchain) ? formatFriendly(address, address) : ''),
    ...accountSummary(at, facts),
    ...recognisedState(facts, at.proven.genUtime),
  };
}
