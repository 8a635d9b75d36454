import { CellFault, PrunedCellFault } from '../../chain/boc/cell-fault.ts';
import type { Cells } from '../../chain/boc/cells.ts';
import { writeBoc } from '../../chain/boc/write-boc.ts';
import type { Account } from '../../chain/tlb/account.ts';
import type { Transaction } from '../../chain/tlb/transaction.ts';
import { accountSummary } from './account-summary.ts';
import type { FindAccount, ShownAccount } from './block-states.ts';
import type { CodeSet } from './code-set.ts';
import type { AccountChange, StateSummary } from './decoded-seqno.ts';
import { extraJson } from './extra-json.ts';

/** The hash of the Account cell of an account that does not exist. */
const ACCOUNT_NONE = Buffer.from('90aec8965afabb16ebc3cb9b408ebae71b618d78788bc80d09843593cac98da4', 'hex');

/** An account with its transactions in one block, and where to find its states. */
export interface AccountFacts {
  readonly cells: Cells;
  readonly account: Buffer;
  readonly first: Transaction;
  readonly last: Transaction;
  readonly states: { readonly before: FindAccount; readonly after: FindAccount };
  readonly mcSeqno: number;
  readonly timestamp: number;
  /** The number of the block in its seqno. */
  readonly block: number;
}

/** What a block did to an account; throws where the state in the block is not what the last transaction left. */
export function readAccountChange(facts: AccountFacts, codes: CodeSet): AccountChange {
  const { cells, account, first, last, states, mcSeqno, timestamp, block } = facts;
  const shown = states.after(last.account.hash);
  const old = states.before(last.account.hash);
  const after = readAfter(cells, shown, last, old);
  const common = {
    ...after,
    account,
    mcSeqno,
    timestamp,
    lastTransLt: last.lt,
    lastTransHash: last.hash,
    block,
    before: summaryOf(cells, old, first.oldStateHash, -1),
  };
  const { code, data } = shown.kind === 'shown' ? initOf(shown.account) : NOTHING;
  return {
    ...common,
    code: code >= 0 && isWhole(cells, code) ? codes.add(cells, code, after.codeHash!) : undefined,
    data: data >= 0 ? writeBoc({ cells, roots: [data] }, { order: 'tonlib', crc: false }) : undefined,
    dataIsWhole: data < 0 || isWhole(cells, data),
  };
}

const NOTHING = { code: -1, data: -1 };

function initOf(account: Account | undefined): { readonly code: number; readonly data: number } {
  return account?.state.kind === 'active' ? account.state.init : NOTHING;
}

/** Whether nothing below a cell was left out: what is pruned shows in the level of all cells above it. */
function isWhole(cells: Cells, cell: number): boolean {
  return cells.levelMask(cell) === 0;
}

function readAfter(cells: Cells, shown: ShownAccount, last: Transaction, before: ShownAccount): StateSummary {
  const { newStateHash, endStatus } = last;
  const summary = summaryOf(cells, shown, newStateHash, extraOf(before));
  if (summary === undefined) throw fault(last, 'is not shown');
  if (shown.kind === 'shown' && !cells.hash(shown.cell, 0).equals(newStateHash))
    throw fault(last, 'has another hash than its last transaction says');
  if (summary.status !== endStatus)
    throw fault(last, `is ${summary.status}, but ${endStatus} by its last transaction`);
  return summary;
}

const NONEXISTENT: StateSummary = Object.freeze({
  hash: ACCOUNT_NONE,
  status: 'nonexist',
  balance: 0n,
  balanceExtra: undefined,
  extraIsHidden: false,
  codeHash: undefined,
  dataHash: undefined,
  frozenHash: undefined,
});

/** Undefined where the block does not show the state. `otherExtra` is a second cell that may show extra currencies. */
function summaryOf(
  cells: Cells,
  shown: ShownAccount,
  hash: Buffer,
  otherExtra: number,
): StateSummary | undefined {
  // An account that was not there and still is not leaves no mark in the state.
  if (shown.kind !== 'shown') return hash.equals(ACCOUNT_NONE) ? NONEXISTENT : undefined;
  const { account } = shown;
  if (account === undefined) return NONEXISTENT;
  return accountSummary(cells, account, hash, shownExtra(cells, account.balance.extra, otherExtra));
}

function extraOf(shown: ShownAccount): number {
  return shown.kind === 'shown' && shown.account !== undefined ? shown.account.balance.extra : -1;
}

/** Extra currencies that stay are pruned on the new side of an update; the old side then has their first cell. */
function shownExtra(cells: Cells, extra: number, other: number): string | undefined {
  if (extra < 0) return undefined;
  const isOther = cells.isPruned(extra) && other >= 0 && cells.hash(other, 0).equals(cells.hash(extra, 0));
  try {
    return extraJson(cells, isOther ? other : extra);
  } catch (error) {
    if (error instanceof PrunedCellFault) return undefined;
    throw error;
  }
}

function fault({ account }: Transaction, text: string): CellFault {
  return new CellFault(`the state of account ${account.workchain}:${account.hash.toString('hex')} ${text}`);
}
