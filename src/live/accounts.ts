import type { AccountId } from '../chain/address.ts';
import type { BlockId } from '../chain/block-id.ts';
import { CellError, type CellRef } from '../chain/boc/cells.ts';
import { readAccount } from '../chain/tlb/account.ts';
import { configParam, isSuspended, readSuspendedAddresses } from '../chain/tlb/config.ts';
import { readExtraCurrencies } from '../chain/tlb/currency.ts';
import { getAccountState, type ProvenAccount } from '../lite/methods/accounts.ts';
import { runProofCheck } from '../lite/methods/proofs.ts';
import type { LiteSession, LiteTarget } from '../lite/session.ts';
import { readBlockConfig } from './config.ts';
import { type LiveCall, masterchainBlock, openSession } from './session.ts';

/** An account at a masterchain block, and the session in which it was read. */
export interface AccountAt {
  readonly session: LiteSession;
  readonly block: BlockId;
  readonly proven: ProvenAccount;
}

/** Reads an account as of a masterchain block, or of the newest one. */
export async function readAccountAt(
  call: LiveCall,
  account: AccountId,
  seqno: number | undefined,
): Promise<AccountAt> {
  const session = await openSession(call, { seqno });
  return session.run((target) => readInSession(call, session, target, account, seqno));
}

/** Reads another account at the same block and in the same session. */
export async function readAccountAtSameBlock(
  call: LiveCall,
  { session, block }: AccountAt,
  account: AccountId,
): Promise<AccountAt> {
  const proven = await session.run((target) => readAccountAtBlock(call, target, block, account));
  return { session, block, proven };
}

/** Reads an account at a block; cached, because an account at a block never changes. */
export function readAccountAtBlock(
  call: LiveCall,
  { query }: Pick<LiteTarget, 'query'>,
  block: BlockId,
  { workchain, hash }: AccountId,
): Promise<ProvenAccount> {
  const { caches, check } = call.ports;
  const key = `${block.rootHash.toString('base64')}${workchain}:${hash.toString('base64')}`;
  return caches.accounts.get(key, call, () => getAccountState(query, block, { workchain, hash }, check));
}

async function readInSession(
  call: LiveCall,
  session: LiteSession,
  target: LiteTarget,
  account: AccountId,
  seqno: number | undefined,
): Promise<AccountAt> {
  const block = await masterchainBlock(target, seqno, call.ports.check);
  return { session, block, proven: await readAccountAtBlock(call, target, block, account) };
}

/** The state of an account that exists. */
export type AccountState = Readonly<NonNullable<ReturnType<typeof readAccountState>>>;

/** Reads the state of an account; undefined for one that does not exist. */
export function readAccountState({ account: result, lastTransLt, lastTransHash }: ProvenAccount) {
  if (result === undefined) return undefined;
  const { cells } = result;
  return runProofCheck('VALIDATE_ACCOUNT_STATE', () => {
    const account = readAccount(cells, result.cell);
    if (account === undefined) return undefined;
    const { balance, state } = account;
    const at = (cell: number): CellRef | undefined => (cell < 0 ? undefined : { cells, cell });
    return {
      /** The Account itself. */
      cell: result,
      status: state.kind,
      balance: balance.grams,
      extraCurrencies: readExtraCurrencies(cells, balance),
      code: state.kind === 'active' ? at(state.init.code) : undefined,
      data: state.kind === 'active' ? at(state.init.data) : undefined,
      /** Hash of the state that a frozen account had before. */
      frozenHash: state.kind === 'frozen' ? state.stateHash : undefined,
      lastTransLt,
      lastTransHash,
    };
  });
}

const SUSPENDED_ADDRESSES = 44;

/** Reads an account, and whether the newest config suspended it at the time of its block. */
export async function readAccountSuspension(
  call: LiveCall,
  account: AccountId,
  seqno: number | undefined,
): Promise<AccountAt & { readonly suspended: boolean }> {
  const session = await openSession(call, { seqno });
  return session.run(async (target) => {
    const [at, config] = await Promise.all([
      readInSession(call, session, target, account, seqno),
      readBlockConfig(call, target),
    ]);
    return { ...at, suspended: isSuspendedAt(config, account, at.proven.genUtime) };
  });
}

/** Whether a config keeps an account from being deployed at a time; a list of an unknown form suspends no account. */
export function isSuspendedAt(
  { cells, cell }: CellRef,
  { workchain, hash }: AccountId,
  unixTime: number,
): boolean {
  try {
    const param = configParam(cells, cell, SUSPENDED_ADDRESSES);
    if (param < 0) return false;
    const list = readSuspendedAddresses(cells, param);
    return unixTime < list.until && isSuspended(cells, list, workchain, hash);
  } catch (error) {
    if (error instanceof CellError) return false;
    throw error;
  }
}
