import { sql } from 'kysely';
import type { Database } from '../../../src/db/connection.ts';
import type { ActionRow } from '../../../src/pages/actions.ts';
import { putActions } from '../../support/stored-actions.ts';
import { makeAction } from '../../v3/support/made-actions.ts';
import { hashOf } from './filled-index.ts';

/**
 * Adds an action per transaction to the filled index: half of them calls, a few of a rare type, some parts of others. Each
 * contains all transactions of its trace, so that busy accounts have many.
 */
export async function fillActions(database: Database): Promise<void> {
  const db = database.primary;
  const { rows } = await sql<Transaction>`
    select t.trace_id, t.lt, t.now, t.hash, t.account, traces.mc_seqno_end, traces.end_lt, traces.end_utime,
      row_number() over (order by t.hash) as i
    from transactions t join traces using (trace_id) order by t.hash`.execute(db);
  const byTrace = Map.groupBy(rows, ({ trace_id }) => trace_id.toString('hex'));
  const actions = rows.map((row) => toAction(row, byTrace.get(row.trace_id.toString('hex'))!));
  await putActions(db, actions);
  await sql`analyze`.execute(db);
}

interface Transaction {
  readonly trace_id: Buffer;
  readonly lt: string;
  readonly now: string;
  readonly hash: Buffer;
  readonly account: Buffer;
  readonly mc_seqno_end: number;
  readonly end_lt: string;
  readonly end_utime: string;
  readonly i: string;
}

function toAction(row: Transaction, ofTrace: readonly Transaction[]): ActionRow {
  const i = Number(row.i);
  const accounts = new Map(ofTrace.map(({ account }) => [account.toString('hex'), account]));
  return makeAction({
    type: typeOf(i),
    data: null,
    trace_id: row.trace_id,
    action_id: hashOf(`action${i}`),
    trace_mc_seqno_end: row.mc_seqno_end,
    trace_end_lt: row.end_lt,
    trace_end_utime: row.end_utime,
    ancestor_type: i % 7 === 0 ? ['evaa_supply'] : [],
    start_lt: row.lt,
    end_lt: String(BigInt(row.lt) + 1n),
    start_utime: row.now,
    end_utime: row.now,
    mc_seqno_end: row.mc_seqno_end,
    tx_hashes: ofTrace.map(({ hash }) => hash),
    accounts: [...accounts.values()],
  });
}

function typeOf(i: number): string {
  if (i % 2 === 0) return 'call_contract';
  if (i % 997 === 3) return 'tgbtc_mint';
  if (i % 11 === 0) return 'evaa_supply';
  return i % 3 === 0 ? 'jetton_transfer' : 'ton_transfer';
}
