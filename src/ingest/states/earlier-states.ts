import type { Insertable, Transaction } from 'kysely';
import { LRUCache } from 'lru-cache';
import { accountKey } from '../../chain/address.ts';
import type { CellBag } from '../../chain/boc/bag.ts';
import { type AccountCells, accountCells } from '../../chain/contracts/account-cells.ts';
import { readAccount } from '../../chain/tlb/account.ts';
import { walkShardAccounts } from '../../chain/tlb/shard-accounts.ts';
import { readShardState } from '../../chain/tlb/shard-state.ts';
import type { Db, Tables } from '../../db/tables/tables.ts';
import { readAccountsSeen } from '../../index/read/accounts.ts';
import type { AccountChange, DecodedSeqno } from '../../index/write/decoded-seqno.ts';
import type { EarlierState } from '../../index/write/write-accounts.ts';
import { bytesKey } from '../../lib/bytes-key.ts';
import { accountSummary } from '../decode/account-changes.ts';

/** Finds states from before the index that a batch of its first range shows. */
type FindEarlierStates = (seqnos: readonly DecodedSeqno[]) => Promise<EarlierState[]>;

const MAX_SEEN = 200_000;

/** `firstSeqno` is the first seqno of the index; batches must come in order. */
export function createEarlierStates(db: Db, firstSeqno: number): FindEarlierStates {
  /** Accounts with a transaction in the index; evicted ones are looked up in the database. */
  // Not by `max`, for which lru-cache would allocate memory at once: there is one cache for each range.
  const seen = new LRUCache<string, true>({ maxSize: MAX_SEEN, sizeCalculation: () => 1 });

  return async (seqnos) => {
    const first = new Map<string, AccountChange>();
    for (const { accounts } of seqnos)
      for (const change of accounts) {
        const key = bytesKey(change.account);
        if (!seen.has(key) && !first.has(key)) first.set(key, change);
      }
    const known = await readAccountsSeen(db, {
      changes: [...first.values()],
      from: firstSeqno,
      to: seqnos[0]!.mcSeqno - 1,
    });
    for (const account of known) first.delete(bytesKey(account));
    for (const { accounts } of seqnos) for (const { account } of accounts) seen.set(bytesKey(account), true);
    const earlier: EarlierState[] = [];
    for (const { account, before } of first.values())
      if (before !== undefined && before.status !== 'nonexist') earlier.push({ ...before, account });
    return earlier;
  };
}

export interface GenesisAccount extends EarlierState {
  readonly cells: AccountCells;
  readonly lastTransLt: bigint;
  readonly lastTransHash: Buffer;
  readonly timestamp: number;
}

/** The accounts of the zero states. */
export function genesisAccounts(zeroStates: readonly CellBag[]): GenesisAccount[] {
  return zeroStates.flatMap(readAccounts);
}

function readAccounts(cells: CellBag): GenesisAccount[] {
  const { workchain, accounts, genUtime } = readShardState(cells, cells.root);
  const found: GenesisAccount[] = [];
  walkShardAccounts(cells, accounts, (id, entry) => {
    const account = readAccount(cells, entry.account);
    if (account === undefined) return;
    const kept = accountCells({ cells, cell: entry.account });
    const hash = Buffer.from(cells.hash(entry.account, 0));
    found.push({
      ...accountSummary(cells, account, hash, kept.balanceExtra),
      account: accountKey(workchain, id),
      cells: kept,
      lastTransLt: entry.lastTransLt,
      lastTransHash: Buffer.from(entry.lastTransHash),
      timestamp: genUtime,
    });
  });
  return found;
}

const ROWS_PER_STATEMENT = 500;

/**
 * Writes the accounts of the zero states in one transaction. Existing rows stay: blocks may have been indexed before, and
 * this may run more than once.
 */
export async function writeGenesis(db: Db, accounts: readonly GenesisAccount[]): Promise<void> {
  const ordered = [...accounts].sort((a, b) => a.account.compare(b.account));
  await db.transaction().execute(async (trx) => {
    for (let i = 0; i < ordered.length; i += ROWS_PER_STATEMENT)
      await writeSome(trx, ordered.slice(i, i + ROWS_PER_STATEMENT));
  });
}

async function writeSome(trx: Transaction<Tables>, accounts: readonly GenesisAccount[]): Promise<void> {
  const latest = await trx
    .insertInto('latest_account_states')
    .values(
      accounts.map((one) => ({
        ...stateRow(one),
        last_trans_lt: one.lastTransLt,
        last_trans_hash: one.lastTransHash,
        timestamp: one.timestamp,
        mc_seqno: 0,
      })),
    )
    .onConflict((conflict) => conflict.column('account').doNothing())
    .returning('account')
    .execute();
  await trx
    .insertInto('account_states')
    .values(accounts.map(stateRow))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // Data belongs to the newest state: accounts that already have a newer one are skipped.
  const isLatest = new Set(latest.map(({ account }) => bytesKey(account)));
  const data: Insertable<Tables['account_data']>[] = [];
  const undetected: Insertable<Tables['missing_cells']>[] = [];
  for (const { account, dataHash: hash, cells, lastTransLt } of accounts) {
    if (hash === undefined || cells.data === undefined || !isLatest.has(bytesKey(account))) continue;
    data.push({ account, hash, boc: cells.data });
    undetected.push({ account, last_trans_lt: lastTransLt, undetected: true });
  }
  if (data.length > 0) {
    await trx
      .insertInto('account_data')
      .values(data)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await trx
      .insertInto('missing_cells')
      .values(undetected)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const found = new Map(
    accounts.flatMap(({ cells: { code } }) => (code ? [[bytesKey(code.hash), code]] : [])),
  );
  const codes = [...found.values()].sort((a, b) => a.hash.compare(b.hash));
  if (codes.length > 0)
    await trx
      .insertInto('contract_codes')
      .values(codes.map(({ hash, boc, methods = null }) => ({ hash, boc, methods })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

function stateRow(one: GenesisAccount) {
  return {
    account: one.account,
    hash: one.hash,
    status: one.status,
    balance: one.balance,
    balance_extra: one.balanceExtra ?? null,
    code_hash: one.codeHash ?? null,
    data_hash: one.dataHash ?? null,
    frozen_hash: one.frozenHash ?? null,
  };
}
