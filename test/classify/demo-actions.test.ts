import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { requestReclassification, requeueTraces } from '../../src/classify/reclassify.ts';
import { accountPrefix, hashPrefix } from '../../src/index/format/position.ts';
import { readClassificationStates } from '../../src/index/read/stored-traces.ts';
import type { TestDatabase } from '../support/database.ts';
import { changeActions, lookupRowsOf, readStoredActions } from '../support/stored-actions.ts';
import { readStoredTraces } from '../support/stored-traces.ts';
import { readStoredTransactions, type StoredTransaction } from '../support/stored-transactions.ts';
import { openIndexedDemo } from '../v3/support/indexed-demo.ts';
import { classifyAll, dumpActions, forgetActions, rowsOf } from './support/classifying.ts';

let demo: TestDatabase;
let whole: Record<string, string[]>;
let transactions: StoredTransaction[];
beforeAll(async () => {
  demo = await openIndexedDemo();
  whole = await dumpActions(demo);
  transactions = await readStoredTransactions(demo.database.primary);
});
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
    const rows = await readStoredActions(demo.database.primary);
    const classified = new Set(rows.map(({ trace_id }) => trace_id.toString('hex')));
    const without = (await readStoredTraces(demo.database.primary))
      .map(({ traceId, nodes }) => ({ id: traceId.toString('hex'), nodes }))
      .filter(({ id }) => !classified.has(id));
    expect(without.length).toBeGreaterThan(0);
    expect(without.filter(({ id, nodes }) => kinds.get(id) !== 'tick_tock' || nodes > 1)).toEqual([]);
    expect(rows.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['ton_transfer', 'contract_deploy', 'jetton_transfer', 'nft_transfer']),
    );
  });

  it('agree with their traces', async () => {
    const traces = await readStoredTraces(demo.database.primary);
    const traceOf = new Map(traces.map((trace) => [trace.traceId.toString('hex'), trace]));
    const hashesOf = Map.groupBy(transactions, ({ traceId }) => traceId.toString('hex'));
    for (const row of await readStoredActions(demo.database.primary)) {
      const id = row.trace_id.toString('hex');
      const trace = traceOf.get(id)!;
      expect(row).toMatchObject({
        trace_mc_seqno_end: trace.mcSeqnoEnd,
        trace_end_lt: `${trace.endLt}`,
        trace_end_utime: `${trace.endUtime}`,
        trace_external_hash: trace.externalHash ?? null,
        trace_external_hash_norm: trace.externalHashNorm ?? null,
      });
      expect(row.tx_hashes.length).toBeGreaterThan(0);
      const own = hashesOf.get(id)!;
      for (const hash of row.tx_hashes) expect(own.some((one) => one.hash.equals(hash))).toBe(true);
      expect(BigInt(row.end_lt) <= trace.endLt).toBe(true);
      expect(row.mc_seqno_end).toBeLessThanOrEqual(trace.mcSeqnoEnd);
    }
  });

  it('are found by rows that follow from them', async () => {
    const db = demo.database.primary;
    const accountsOf = new Map(
      (await readStoredTraces(db)).map(({ traceId, accounts }) => [traceId.toString('hex'), accounts]),
    );
    const byTrace = Map.groupBy(await readStoredActions(db), ({ trace_id }) => trace_id.toString('hex'));
    const expected = { types: [] as string[], keys: [] as string[], accounts: [] as string[] };
    for (const [hex, actions] of byTrace) {
      const own = new Set(accountsOf.get(hex)?.map((account) => account.toString('hex')));
      const lookups = lookupRowsOf(actions, own);
      const trace8 = hashPrefix(actions[0]!.trace_id);
      expected.types.push(`${trace8} ${lookups.types}`);
      expected.keys.push(...lookups.keys.map((key) => `${trace8} ${key}`));
      expected.accounts.push(...lookups.accounts.map((account) => `${trace8} ${accountPrefix(account)}`));
    }
    const found = async (table: string, column: string) => {
      const rows = await rowsOf<{ text: string }>(
        demo,
        `select trace8 || ' ' || ${column} as text from ${table}`,
      );
      return rows.map(({ text }) => text).sort();
    };
    expect(await found('trace_actions', 'types')).toEqual(expected.types.sort());
    expect(await found('action_keys', 'key')).toEqual(expected.keys.sort());
    expect(await found('action_accounts', 'acc8')).toEqual(expected.accounts.sort());
    expect(expected.accounts.length).toBeGreaterThan(0);
    expect(expected.keys.length).toBeGreaterThan(0);
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
    const traces = new Set<string>();
    await changeActions(demo.database.primary, (row) => {
      if (row.type !== 'jetton_burn') return row;
      traces.add(row.trace_id.toString('hex'));
      return { ...row, type: 'other' };
    });
    const count = traces.size;
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
    const traces = (await readStoredTraces(db)).slice(0, 2);
    const states = async () => [...(await readClassificationStates(db, { traces })).values()];
    await requeueTraces(db, [traces[0]!.traceId]);
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
