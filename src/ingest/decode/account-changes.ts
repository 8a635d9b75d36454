import { CellError, type Cells, PrunedCellError } from '../../chain/boc/cells.ts';
import { writeBoc } from '../../chain/boc/writer.ts';
import { extraJson } from '../../chain/contracts/account-cells.ts';
import { ACCOUNT_NONE, type Account, codeHash, dataHash, readAccount } from '../../chain/tlb/account.ts';
import type { BlockInfo, StateUpdate } from '../../chain/tlb/block.ts';
import { bitOf } from '../../chain/tlb/dictionary.ts';
import { lookUpShardAccount } from '../../chain/tlb/shard-accounts.ts';
import { readShardState, splitStateParts } from '../../chain/tlb/shard-state.ts';
import type { Transaction } from '../../chain/tlb/transaction.ts';
import type { AccountChange, StateSummary } from '../../index/write/decoded-seqno.ts';
import type { CodeSet } from '../../index/write/seqno-parts.ts';

/** An account with its transactions in one block, and the states of the block. */
interface AccountFacts {
  readonly cells: Cells;
  readonly account: Buffer;
  readonly first: Transaction;
  readonly last: Transaction;
  readonly states: { readonly before: FindAccount; readonly after: FindAccount };
  readonly mcSeqno: number;
  readonly timestamp: number;
  /** Position of the block in its seqno. */
  readonly block: number;
}

/** Reads the change of an account in a block; throws if the state in the block contradicts the last transaction. */
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
    prevTransLt: first.prevTransLt,
    prevTransHash: first.prevTransHash,
    block,
    before: summaryOf(cells, old, first.oldStateHash, -1),
  };
  const { code, data } = shown.kind === 'shown' ? initOf(shown.account) : NO_CELLS;
  return {
    ...common,
    code: code >= 0 && isWhole(cells, code) ? codes.add(cells, code, after.codeHash!) : undefined,
    data: data >= 0 ? writeBoc({ cells, roots: [data] }, { order: 'tonlib', crc: false }) : undefined,
    dataIsWhole: data < 0 || isWhole(cells, data),
  };
}

const NO_CELLS = { code: -1, data: -1 };

function initOf(account: Account | undefined): { readonly code: number; readonly data: number } {
  return account?.state.kind === 'active' ? account.state.init : NO_CELLS;
}

/** Whether nothing below a cell is pruned: pruned branches raise the level of all cells above them. */
function isWhole(cells: Cells, cell: number): boolean {
  return cells.levelMask(cell) === 0;
}

function readAfter(cells: Cells, shown: ShownAccount, last: Transaction, before: ShownAccount): StateSummary {
  const { newStateHash, endStatus } = last;
  const summary = summaryOf(cells, shown, newStateHash, extraOf(before));
  if (summary === undefined) throw fault(last, 'is missing from the block');
  if (shown.kind === 'shown' && !cells.hash(shown.cell, 0).equals(newStateHash))
    throw fault(last, 'does not have the hash given by its last transaction');
  if (summary.status !== endStatus)
    throw fault(last, `is ${summary.status}, but its last transaction says ${endStatus}`);
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

/** Undefined where the block does not show the state. `otherExtra` is a second cell that may contain the extra currencies. */
function summaryOf(cells: Cells, shown: ShownAccount, hash: Buffer, otherExtra: number) {
  // An account that stays nonexistent does not appear in the state.
  if (shown.kind !== 'shown') return hash.equals(ACCOUNT_NONE) ? NONEXISTENT : undefined;
  const { account } = shown;
  if (account === undefined) return NONEXISTENT;
  return accountSummary(cells, account, hash, shownExtra(cells, account.balance.extra, otherExtra));
}

function extraOf(shown: ShownAccount): number {
  return shown.kind === 'shown' && shown.account !== undefined ? shown.account.balance.extra : -1;
}

/** Unchanged extra currencies are pruned on the new side of an update; the old side then has their root cell. */
function shownExtra(cells: Cells, extra: number, other: number): string | undefined {
  if (extra < 0) return undefined;
  const isOther = cells.isPruned(extra) && other >= 0 && cells.hash(other, 0).equals(cells.hash(extra, 0));
  try {
    return extraJson(cells, isOther ? other : extra);
  } catch (error) {
    if (error instanceof PrunedCellError) return undefined;
    throw error;
  }
}

function fault({ account }: Transaction, text: string): CellError {
  return new CellError(`the state of account ${account.workchain}:${account.hash.toString('hex')} ${text}`);
}

/** The stored part of a state, from its Account cell, hash, and readable extra currencies. */
export function accountSummary(
  cells: Cells,
  account: Account,
  hash: Buffer,
  balanceExtra: string | undefined,
): StateSummary {
  const { state, balance } = account;
  return {
    hash,
    status: state.kind,
    balance: balance.grams,
    balanceExtra,
    extraIsHidden: balanceExtra === undefined && balance.extra >= 0,
    codeHash: codeHash(cells, account),
    dataHash: dataHash(cells, account),
    frozenHash: state.kind === 'frozen' ? state.stateHash : undefined,
  };
}

/** An account in the state before or after a block; one that does not exist is hidden too. */
type ShownAccount =
  | { readonly kind: 'hidden' }
  | { readonly kind: 'shown'; readonly cell: number; readonly account: Account | undefined };

type FindAccount = (hash: Buffer) => ShownAccount;

const HIDDEN: ShownAccount = Object.freeze({ kind: 'hidden' });

/** Opens the accounts on both sides of the state update of a block. */
export function openBlockStates(cells: Cells, info: BlockInfo, update: StateUpdate) {
  const after = readShardState(cells, update.new).accounts;
  return { before: openBefore(cells, info, update.old), after: (hash: Buffer) => find(cells, after, hash) };
}

function openBefore(cells: Cells, { afterMerge, shard }: BlockInfo, old: number): FindAccount {
  // The old state is pruned when nothing of it was read.
  if (cells.isPruned(old)) return () => HIDDEN;
  if (!afterMerge) return openState(cells, old);
  const [left, right] = splitStateParts(cells, old)!.map((part) => openState(cells, part));
  const prefixBits = 63 - countZerosAtEnd(shard);
  return (hash) => (bitOf(hash, prefixBits) === 0 ? left! : right!)(hash);
}

function openState(cells: Cells, state: number): FindAccount {
  if (cells.isPruned(state)) return () => HIDDEN;
  const { accounts } = readShardState(cells, state);
  return (hash) => find(cells, accounts, hash);
}

function find(cells: Cells, accounts: number, hash: Buffer): ShownAccount {
  try {
    // Not by catching an error: many accounts are hidden before a block, and a stack trace costs more than the look-up.
    const entry = lookUpShardAccount(cells, accounts, hash, 'skip');
    if (entry === undefined || cells.isPruned(entry.account)) return HIDDEN;
    return { kind: 'shown', cell: entry.account, account: readAccount(cells, entry.account) };
  } catch (error) {
    if (error instanceof PrunedCellError) return HIDDEN;
    throw error;
  }
}

function countZerosAtEnd(shard: bigint): number {
  return (BigInt.asUintN(64, shard) & -BigInt.asUintN(64, shard)).toString(2).length - 1;
}
