import { readAccount } from '../../chain/tlb/account.ts';
import { type ExtraCurrency, readExtraCurrencies } from '../../chain/tlb/currency.ts';
import type { ProvenAccount } from '../../lite/proofs/account-state.ts';
import type { FoundCell } from '../../lite/proofs/open-proof.ts';
import { proving } from '../../lite/proofs/proof-scope.ts';

/** The states of an account that clients of v2 know. */
export const ACCOUNT_STATUSES = ['uninitialized', 'active', 'frozen'] as const;

/** What answers tell of an account. One that does not exist looks like one that holds nothing. */
export interface AccountFacts {
  readonly status: (typeof ACCOUNT_STATUSES)[number];
  readonly balance: bigint;
  readonly extraCurrencies: readonly ExtraCurrency[];
  readonly code: FoundCell | undefined;
  readonly data: FoundCell | undefined;
  /** Hash of the state that a frozen account has given up. */
  readonly frozenHash: Buffer | undefined;
}

const NOTHING: AccountFacts = {
  ...{ status: 'uninitialized', balance: 0n, extraCurrencies: [] },
  ...{ code: undefined, data: undefined, frozenHash: undefined },
};

/** Reads what there is to tell of an account. */
export function accountFacts({ account: found }: ProvenAccount): AccountFacts {
  if (found === undefined) return NOTHING;
  const { cells } = found;
  return proving('VALIDATE_ACCOUNT_STATE', () => {
    const account = readAccount(cells, found.cell);
    if (account === undefined) return NOTHING;
    const { balance, state } = account;
    const at = (cell: number): FoundCell | undefined => (cell < 0 ? undefined : { cells, cell });
    const code = state.kind === 'active' ? at(state.init.code) : undefined;
    const frozenHash = state.kind === 'frozen' ? state.stateHash : undefined;
    return {
      // By contract, and not by the state itself: an active account without code counts as uninitialized.
      status: code !== undefined ? 'active' : frozenHash !== undefined ? 'frozen' : 'uninitialized',
      balance: balance.grams,
      extraCurrencies: readExtraCurrencies(cells, balance),
      code,
      data: state.kind === 'active' ? at(state.init.data) : undefined,
      frozenHash,
    };
  });
}
