import type { Cells } from '../../chain/boc/cells.ts';
import { type Account, codeHash, dataHash } from '../../chain/tlb/account.ts';
import type { StateSummary } from './decoded-seqno.ts';

/** What is kept of a state: of its Account cell with its hash, and of its extra currencies as far as they can be read. */
export function accountSummary(
  cells: Cells,
  account: Account,
  hash: Buffer,
  balanceExtra: string | undefined,
): StateSummary {
  const { state, balance } = account;
  return {
    ...{ hash, status: state.kind, balance: balance.grams, balanceExtra },
    extraIsHidden: balanceExtra === undefined && balance.extra >= 0,
    codeHash: codeHash(cells, account),
    dataHash: dataHash(cells, account),
    frozenHash: state.kind === 'frozen' ? state.stateHash : undefined,
  };
}
