import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readClassificationStates, type TraceRow } from '../../../src/db/queries/traces.ts';
import { requestReclassification, requeueTraces } from '../../../src/indexer/classify/reclassify.ts';
import type { TestDatabase } from '../../support/database.ts';
import { readStoredTraces } from '../../support/stored-traces.ts';
import { readStoredTransactions, type StoredTransaction } from '../../support/stored-transactions.ts';
import { openIndexedDemo } from '../../v3/support/indexed-demo.ts';
import { classifyAll, dumpActions, forgetActions, rowsOf } from './support/classifying.ts';

let demo: TestDatabase;
let whole: Record<string, string[]>;
let transactions: StoredTransaction[];
beforeAll(async () => {
  demo = await openIndexedDemo();
  whole = await dumpActions(demo);
  transactions = await readStoredTransactions(demo.database.primary);
}, 120_000);
afterAll(() => demo?.drop());

/** Traces with written actions, by time of writing, newest first. */
async function classified(work: () => Promise<unknown>): Promise<number> {
  let traces = 0;
  await work();
  await classifyAll(demo, {
    onBatch: (figures) => {
      traces += figures.traces;
    },
  });
  return traces;
}

describe('actions of the demo', () => {
  it('exist for every trace except single tick-tock transactions', async () => {
    const kinds = new Map(transactions.map(({ hash, kind }) => [hash.toString('hex'), kind]));
    const actions = await rowsOf<{ trace_id: Buffer }>(demo, 'select trace_id from actions');
    const classified = new Set(actions.map(({ trace_id }) => trace_id.toString('hex')));
    const without = (await readStoredTraces(demo.database.primary))
      .map(({ traceId, nodes }) => ({ id: traceId.toString('hex'), nodes }))
      .filter(({ id }) => !classified.has(id));
    expect(without.length).toBeGreaterThan(0);
    expect(without.filter(({ id, nodes }) => kinds.get(id) !== 'tick_tock' || nodes > 1)).toEqual([]);
    const types = await rowsOf<{ type: string }>(demo, 'select distinct type from actions');
    expect(types.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['ton_transfer', 'contract_deploy', 'jetton_transfer', 'nft_transfer']),
    );
  });

  it('have the expected types', async () => {
    const wrong = await rowsOf(
      demo,
      `select from actions a left join traces t on t.trace_id = a.trace_id and t.mc_seqno_end = a.trace_mc_seqno_end
       where (t.end_lt, t.end_utime) is distinct from (a.trace_end_lt, a.trace_end_utime)
         or t.external_hash is distinct from a.trace_external_hash
         or t.external_hash_norm is distinct from a.trace_external_hash_norm
         or a.end_lt > t.end_lt or a.mc_seqno_end > t.mc_seqno_end`,
    );
    expect(wrong).toEqual([]);
    const traceOf = new Map(transactions.map(({ hash, traceId }) => [hash.toString('hex'), traceId]));
    const actions = await rowsOf<{ trace_id: Buffer; tx_hashes: Buffer[] }>(
      demo,
      'select trace_id, tx_hashes from actions',
    );
    for (const { trace_id, tx_hashes } of actions)
      for (const hash of tx_hashes) expect(traceOf.get(hash.toString('hex'))).toEqual(trace_id);
  });

  it('are listed by account', async () => {
    const columns =
      'trace_end_lt, action_id, trace_mc_seqno_end, trace_id, trace_end_utime, end_lt, end_utime, type';
    const expected = await rowsOf(
      demo,
      `select account, ${columns}, ancestor_type from actions, unnest(accounts) account order by action_id, account`,
    );
    const found = await rowsOf(
      demo,
      `select account, ${columns}, ancestor_type from action_accounts order by action_id, account`,
    );
    expect(found).toEqual(expected);
  });

  it('are the same when two processes share the work', async () => {
    await forgetActions(demo);
    const counts: number[] = [0, 0];
    await Promise.all(
      counts.map((_, at) =>
        classifyAll(demo, {
          onBatch: ({ traces }) => {
            counts[at]! += traces;
          },
        }),
      ),
    );
    const [{ count }] = (await rowsOf<{ count: number }>(demo, 'select count(*)::int from traces')) as [
      { count: number },
    ];
    expect(counts[0]! + counts[1]!).toBe(count);
    expect(await dumpActions(demo)).toEqual(whole);
  });
});

describe('reclassification', () => {
  beforeEach(() => rowsOf(demo, 'delete from unclassified_traces'));

  it('of a range gives the same result', async () => {
    const [{ count }] = (await rowsOf<{ count: number }>(
      demo,
      'select count(*)::int from traces where mc_seqno_end between 5 and 30',
    )) as [{ count: number }];
    const range = { from: 5, to: 30 };
    expect(await classified(() => requestReclassification(demo.database.primary, range))).toBe(count);
    expect(await dumpActions(demo)).toEqual(whole);
  });

  it('is limited to traces with actions of some types', async () => {
    await rowsOf(demo, "update actions set type = 'other' where type = 'jetton_burn'");
    await rowsOf(demo, "update action_accounts set type = 'other' where type = 'jetton_burn'");
    const [{ count }] = (await rowsOf<{ count: number }>(
      demo,
      "select count(distinct trace_id)::int as count from actions where type = 'other'",
    )) as [{ count: number }];
    const range = { from: 1, to: 2 ** 31 - 1, types: ['other', 'nothing'] };
    expect(count).toBeGreaterThan(0);
    expect(await classified(() => requestReclassification(demo.database.primary, range))).toBe(count);
    expect(await dumpActions(demo)).toEqual(whole);
  });

  it('does nothing where nothing is indexed', async () => {
    expect(
      await requestReclassification(demo.database.primary, { from: 1_000_000, to: 2_000_000 }),
    ).toBeUndefined();
    expect(await requeueTraces(demo.database.primary, [Buffer.alloc(32)])).toBe(0);
  });

  it('keeps old actions until it is done', async () => {
    const db = demo.database.primary;
    const traces = await rowsOf<TraceRow>(demo, 'select * from traces limit 2');
    const states = async () => [...(await readClassificationStates(db, { traces })).values()];
    await requeueTraces(db, [traces[0]!.trace_id]);
    expect(await states()).toEqual(['ok', 'ok']);
    await rowsOf(demo, 'update unclassified_traces set again = false');
    expect((await states()).sort()).toEqual(['ok', 'unclassified']);
    await rowsOf(
      demo,
      'insert into classification_ranges (first_seqno, last_seqno, again) values (1, 100000, false)',
    );
    expect(await states()).toEqual(['unclassified', 'unclassified']);
    await classifyAll(demo);
    expect(await states()).toEqual(['ok', 'ok']);
    expect(await dumpActions(demo)).toEqual(whole);
  });
});
