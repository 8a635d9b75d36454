import type { Insertable, Kysely, Transaction } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import { keyOf } from '../hash-key.ts';
import type { GenesisAccount } from './genesis.ts';

/** Rows of one statement. */
const ROWS = 500;

/**
 * Writes the accounts that the chain began with, in one transaction. What is there stays: blocks may have been indexed
 * before this, and it may be done again.
 */
export async function writeGenesis(db: Kysely<Tables>, accounts: readonly GenesisAccount[]): Promise<void> {
  const ordered = [...accounts].sort((a, b) => a.account.compare(b.account));
  await db.transaction().execute(async (trx) => {
    for (let i = 0; i < ordered.length; i += ROWS) await writeSome(trx, ordered.slice(i, i + ROWS));
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
  // Data goes with the newest state: that of accounts which have a newer one is not wanted.
  const isLatest = new Set(latest.map(({ account }) => keyOf(account)));
  const data: Insertable<Tables['account_data']>[] = [];
  const undetected: Insertable<Tables['missing_cells']>[] = [];
  for (const { account, dataHash: hash, cells, lastTransLt } of accounts) {
    if (hash === undefined || cells.data === undefined || !isLatest.has(keyOf(account))) continue;
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
  const found = new Map(accounts.flatMap(({ cells: { code } }) => (code ? [[keyOf(code.hash), code]] : [])));
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
