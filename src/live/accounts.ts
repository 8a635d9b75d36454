import type { AccountId } from '../chain/address.ts';
import type { BlockId } from '../chain/block-id.ts';
import { CellError } from '../chain/boc/cells.ts';
import { readAccount } from '../chain/tlb/account.ts';
import { configParam, isSuspended, readSuspendedAddresses } from '../chain/tlb/config.ts';
import { type ExtraCurrency, readExtraCurrencies } from '../chain/tlb/currency.ts';
import { getAccountState, type ProvenAccount } from '../lite/methods/accounts.ts';
import { type CellRef, runProofCheck } from '../lite/methods/proofs.ts';
import type { LiteSession, LiteTarget } from '../lite/session.ts';
import { latestConfig } from './config.ts';
import { type LiveCall, masterchainBlock, openSession } from './session.ts';

/** An account at a masterchain block, and the session that it was read in. */
export interface AccountAt {
  readonly session: LiteSession;
  /** The masterchain block as of which it was read. */
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
  return session.run(async (target) => {
    const block = await masterchainBlock(target, seqno, call.ports.check);
    return { session, block, proven: await accountAtBlock(call, target, block, account) };
  });
}

/** An account at a block that is known by its hashes; it is asked for once as long as it is remembered. */
export function accountAtBlock(
  call: LiveCall,
  { query }: Pick<LiteTarget, 'query'>,
  block: BlockId,
  { workchain, hash }: AccountId,
): Promise<ProvenAccount> {
  const { memory, check } = call.ports;
  const key = `${block.rootHash.toString('base64')}${workchain}:${hash.toString('base64')}`;
  return memory.accounts.get(key, call, () => getAccountState(query, block, { workchain, hash }, check));
}

/** Another account at the block and in the session of one. */
export async function accountAtSameBlock(
  call: LiveCall,
  { session, block }: AccountAt,
  account: AccountId,
): Promise<AccountAt> {
  const proven = await session.run((target) => accountAtBlock(call, target, block, account));
  return { session, block, proven };
}

/** The states of an account that clients of v2 know. */
export const ACCOUNT_STATUSES = ['uninitialized', 'active', 'frozen'] as const;

/** What answers tell of an account. One that does not exist looks like one that holds nothing. */
export interface AccountFacts {
  readonly status: (typeof ACCOUNT_STATUSES)[number];
  readonly balance: bigint;
  readonly extraCurrencies: readonly ExtraCurrency[];
  readonly code: CellRef | undefined;
  readonly data: CellRef | undefined;
  /** Hash of the state that a frozen account has given up. */
  readonly frozenHash: Buffer | undefined;
}

const NOTHING: AccountFacts = {
  status: 'uninitialized',
  balance: 0n,
  extraCurrencies: [],
  code: undefined,
  data: undefined,
  frozenHash: undefined,
};

/** Reads what there is to tell of an account. */
export function accountFacts({ account: found }: ProvenAccount): AccountFacts {
  if (found === undefined) return NOTHING;
  const { cells } = found;
  return runProofCheck('VALIDATE_ACCOUNT_STATE', () => {
    const account = readAccount(cells, found.cell);
    if (account === undefined) return NOTHING;
    const { balance, state } = account;
    const at = (cell: number): CellRef | undefined => (cell < 0 ? undefined : { cells, cell });
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

/** An account that exists, as a lite server has proven it. */
export interface LiveAccount {
  /** Of the Account cell. */
  readonly hash: Buffer;
  readonly status: 'uninit' | 'active' | 'frozen';
  readonly balance: bigint;
  readonly extraCurrencies: readonly ExtraCurrency[];
  readonly code: CellRef | undefined;
  readonly data: CellRef | undefined;
  /** Hash of the state that a frozen account has given up. */
  readonly frozenHash: Buffer | undefined;
  readonly lastTransLt: bigint;
  readonly lastTransHash: Buffer;
}

export function liveAccount({
  account: found,
  lastTransLt,
  lastTransHash,
}: ProvenAccount): LiveAccount | undefined {
  if (found === undefined) return undefined;
  const { cells, cell } = found;
  return runProofCheck('VALIDATE_ACCOUNT_STATE', () => {
    const account = readAccount(cells, cell);
    if (account === undefined) return undefined;
    const { balance, state } = account;
    const at = (root: number) => (root < 0 ? undefined : { cells, cell: root });
    const isActive = state.kind === 'active';
    return {
      hash: Buffer.from(cells.hash(cell, 0)),
      status: state.kind,
      balance: balance.grams,
      extraCurrencies: readExtraCurrencies(cells, balance),
      code: isActive ? at(state.init.code) : undefined,
      data: isActive ? at(state.init.data) : undefined,
      frozenHash: state.kind === 'frozen' ? state.stateHash : undefined,
      lastTransLt,
      lastTransHash,
    };
  });
}

const SUSPENDED_ADDRESSES = 44;

/** Reads an account, and whether the newest configuration kept it from being deployed at the time it was read. */
export async function readAccountSuspension(
  call: LiveCall,
  account: AccountId,
  seqno: number | undefined,
): Promise<AccountAt & { readonly suspended: boolean }> {
  const session = await openSession(call, { seqno });
  return session.run(async (target) => {
    const readAccount = async (): Promise<AccountAt> => {
      const block = await masterchainBlock(target, seqno, call.ports.check);
      return { session, block, proven: await accountAtBlock(call, target, block, account) };
    };
    const [at, config] = await Promise.all([readAccount(), latestConfig(call, target)]);
    return { ...at, suspended: isSuspendedAt(config, account, at.proven.genUtime) };
  });
}

/** Whether a configuration keeps an account from being deployed at a time; one of an unknown form keeps nobody. */
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
