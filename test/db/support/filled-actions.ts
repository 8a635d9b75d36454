import { sql } from 'kysely';
import type { ActionRow } from '../../../src/index/action-row.ts';
import { bytesKey, distinctBytes } from '../../../src/lib/bytes-key.ts';
import { readFilledTestDatabase, type TestDatabase } from '../../support/database.ts';
import { putActions } from '../../support/stored-actions.ts';
import { readStoredTraces, type StoredTrace } from '../../support/stored-traces.ts';
import { readStoredKeys, type StoredKeys } from '../../support/stored-transactions.ts';
import { makeAction } from '../../v3/support/made-actions.ts';
import { FILLED_INDEX, hashOf } from './filled-index.ts';

/**
 * The filled index with an action per transaction: half of them calls, a few of a rare type, some parts of others. Each
 * contains all transactions of its trace, so that busy accounts have many.
 */
export const openFilledActions = (): Promise<TestDatabase> =>
  readFilledTestDatabase({
    name: 'actions',
    source: 'test/db/support/filled-actions.ts',
    base: FILLED_INDEX,
    fill: fillActions,
  });

async function fillActions({ database }: Pick<TestDatabase, 'database'>): Promise<void> {
  const db = database.primary;
  const traces = new Map((await readStoredTraces(db)).map((trace) => [bytesKey(trace.traceId), trace]));
  const transactions = (await readStoredKeys(db)).filter(({ traceId }) => traces.has(bytesKey(traceId)));
  const byTrace = Map.groupBy(transactions, ({ traceId }) => bytesKey(traceId));
  const actions = transactions.map((one, at) => {
    const key = bytesKey(one.traceId);
    return toAction(one, at + 1, traces.get(key)!, byTrace.get(key)!);
  });
  await putActions(db, actions);
  await sql`analyze`.execute(db);
}

function toAction(
  { lt, now, traceId }: StoredKeys,
  i: number,
  trace: StoredTrace,
  ofTrace: readonly StoredKeys[],
): ActionRow {
  return makeAction({
    type: typeOf(i),
    data: null,
    trace_id: traceId,
    action_id: hashOf(`action${i}`),
    trace_mc_seqno_end: trace.mcSeqnoEnd,
    trace_end_lt: `${trace.endLt}`,
    trace_end_utime: `${trace.endUtime}`,
    ancestor_type: i % 7 === 0 ? ['evaa_supply'] : [],
    start_lt: `${lt}`,
    end_lt: `${lt + 1n}`,
    start_utime: `${now}`,
    end_utime: `${now}`,
    mc_seqno_end: trace.mcSeqnoEnd,
    tx_hashes: ofTrace.map(({ hash }) => hash),
    accounts: distinctBytes(ofTrace.map(({ account }) => account)),
  });
}

function typeOf(i: number): string {
  if (i % 2 === 0) return 'call_contract';
  if (i % 997 === 3) return 'tgbtc_mint';
  if (i % 11 === 0) return 'evaa_supply';
  return i % 3 === 0 ? 'jetton_transfer' : 'ton_transfer';
}
