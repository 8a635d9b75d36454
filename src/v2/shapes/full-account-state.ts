import Type from 'typebox';
import type { CodeTexts } from '../code-texts.ts';
import type { AccountAt } from '../reads/account-at.ts';
import { accountFacts } from '../reads/account-facts.ts';
import {
  AccountStatus,
  accountSummary,
  accountSummaryMembers,
  MaybeHash256,
  maybeBoc,
  maybeHash,
} from './account-summary.ts';
import { BocText } from './cell-bytes.ts';

/** `raw.fullAccountState`: an account as it is, whatever its code. */
export const FullAccountState = Type.Object({
  '@type': Type.Literal('raw.fullAccountState'),
  ...accountSummaryMembers,
  code: BocText(),
  data: BocText(),
  frozen_hash: MaybeHash256(),
  state: AccountStatus(),
  suspended: Type.Boolean(),
});

/** Writes `raw.fullAccountState`. */
export function fullAccountState(at: AccountAt, suspended: boolean, codeTexts: CodeTexts) {
  const facts = accountFacts(at.proven);
  return {
    '@type': 'raw.fullAccountState' as const,
    ...accountSummary(at, facts),
    code: facts.code === undefined ? '' : codeTexts.textOf(facts.code),
    data: maybeBoc(facts.data),
    frozen_hash: maybeHash(facts.frozenHash),
    state: facts.status,
    suspended,
  };
}
