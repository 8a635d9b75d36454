import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadTraces } from '../../src/classify/load-traces.ts';
import { requeueTraces } from '../../src/classify/reclassify.ts';
import { hashPrefix } from '../../src/index/format/position.ts';
import { readClassificationStates } from '../../src/index/read/stored-traces.ts';
import { readQueueStats } from '../../src/index/write/trace-queue.ts';
import { distinctBytes } from '../../src/lib/bytes-key.ts';
import { isTestCluster, type TestDatabase } from '../support/database.ts';
import { changeActions } from '../support/stored-actions.ts';
import { readPlacedSlots } from '../support/stored-pages.ts';
import { enlargeTrace, readStoredTraces, type StoredTrace } from '../support/stored-traces.ts';
import { openIndexedDemo } from '../v3/support/indexed-demo.ts';
import { classifyAll, dumpActions, forgetActions, openConnections, rowsOf } from './support/classifying.ts';

let demo: TestDatabase;
beforeAll(async () => {
  demo = await openIndexedDemo();
});
afterAll(() => demo?.drop());

/** Traces with jettons, one per call. */
let next = 0;
async function someTrace(): Promise<{
  trace: StoredTrace;
  hex: string;
  state: () => Promise<string | undefined>;
}> {
  const traces = await readStoredTraces(demo.database.primary);
  const trace = traces.filter(({ nodes }) => nodes > 3)[next++]!;
  const hex = trace.traceId.toString('hex');
  const state = async () =>
    (await readClassificationStates(demo.database.primary, { traces: [trace] })).get(hex);
  return { trace, hex, state };
}

const others = (dump: Record<string, string[]>, hex: string) =>
  Object.values(dump).flatMap((rows) => rows.filter((row) => !row.includes(hex)));
const of = (dump: Record<string, string[]>, hex: string) =>
  dump.actions!.filter((row) => row.includes(`"trace_id":"${hex}"`));

it('classification fails the traces of a damaged page, and does not affect others', async () => {
  const whole = await dumpActions(demo);
  const { trace, state } = await someTrace();
  const other = await someTrace();
  const slots = await readPlacedSlots(demo.database.primary);
  const number = slots.find(({ traceId }) => traceId.equals(trace.traceId))!.page.page;
  const damaged = distinctBytes(
    slots.filter(({ page }) => page.page === number).map(({ traceId }) => traceId),
  );
  await rowsOf(
    demo,
    `create table kept as select page, body from tx_pages where page = ${number};
     update tx_pages set body = '\\x00' where page = ${number}`,
  );
  await requeueTraces(demo.database.primary, damaged);
  await requeueTraces(demo.database.primary, [other.trace.traceId]);
  await classifyAll(demo);
  expect(await state()).toBe('failed');
  const isDamaged = (row: string) => damaged.some((id) => row.includes(id.toString('hex')));
  const othersOf = (dump: Record<string, string[]>) =>
    Object.values(dump).flatMap((rows) => rows.filter((row) => !isDamaged(row)));
  expect(othersOf(await dumpActions(demo))).toEqual(othersOf(whole));
  await rowsOf(
    demo,
    'update tx_pages set body = kept.body from kept where tx_pages.page = kept.page; drop table kept',
  );
  await requeueTraces(demo.database.primary, damaged);
  await classifyAll(demo);
  expect(await state()).toBe('ok');
  expect(await dumpActions(demo)).toEqual(whole);
});

it('classification keeps the actions of a trace with dropped transactions', async () => {
  const whole = await dumpActions(demo);
  const { trace, state } = await someTrace();
  const undo = await enlargeTrace(demo.database.primary, trace.traceId, trace.nodes + 1);
  await requeueTraces(demo.database.primary, [trace.traceId]);
  await classifyAll(demo);
  expect(await state()).toBe('failed');
  expect((await dumpActions(demo)).actions).toEqual(whole.actions);
  await undo();
});

it('classification removes a missing trace from the queue', async () => {
  await rowsOf(
    demo,
    `insert into unclassified_traces (trace_id, mc_seqno_end, nodes) values ('\\x${'00'.repeat(32)}', 3, 1)`,
  );
  await classifyAll(demo);
});

it('the queue tells how long its oldest trace has waited, by the clock and not by the chain', async () => {
  const connections = openConnections(demo);
  const oldest = async () => (await connections.transact(readQueueStats)).oldestSeconds;
  const { trace } = await someTrace();
  expect(await oldest()).toBe(0);
  await requeueTraces(demo.database.primary, [trace.traceId]);
  expect(await oldest()).toBeLessThan(3600);
  await rowsOf(demo, "update unclassified_traces set next_try = now() - interval '2 hours'");
  expect(await oldest()).toBeGreaterThanOrEqual(7200);
  // Started a minute before the end of its turn.
  await rowsOf(demo, 'update unclassified_traces set tries = 1, next_try = now()');
  expect(await oldest()).toBeGreaterThanOrEqual(60);
  await classifyAll(demo);
  expect(await oldest()).toBe(0);
  await connections.close();
});

it('classification skips very large traces unless requested', async () => {
  const whole = await dumpActions(demo);
  const { trace, hex, state } = await someTrace();
  await changeActions(demo.database.primary, (one) => (one.trace_id.equals(trace.traceId) ? undefined : one));
  await rowsOf(
    demo,
    `insert into unclassified_traces (trace_id, mc_seqno_end, nodes)
     values ('\\x${hex}', ${trace.mcSeqnoEnd}, 4001)`,
  );
  await classifyAll(demo);
  expect(await state()).toBe('unclassified');
  expect(of(await dumpActions(demo), hex)).toEqual([]);
  await requeueTraces(demo.database.primary, [trace.traceId]);
  await rowsOf(demo, 'update unclassified_traces set nodes = 4001');
  await classifyAll(demo);
  expect(await state()).toBe('ok');
  expect(of(await dumpActions(demo), hex)).toEqual(of(whole, hex));
});

// Distributed tables have no triggers.
it.skipIf(isTestCluster())('classification continues after a trace that cannot be written', async () => {
  const whole = await dumpActions(demo);
  const { trace, hex, state } = await someTrace();
  await rowsOf(
    demo,
    `create function refuse() returns trigger language plpgsql as $$ begin
       if new.trace8 = ${hashPrefix(trace.traceId)} then raise exception 'not this one'; end if; return new; end $$;
     create trigger refuse before insert on trace_actions for each row execute function refuse()`,
  );
  await forgetActions(demo);
  await classifyAll(demo);
  expect(await state()).toBe('failed');
  expect(await rowsOf(demo, 'select reason, too_large from classification_faults')).toEqual([
    { reason: 'not this one', too_large: false },
  ]);
  const found = await dumpActions(demo);
  expect(others(found, hex).sort()).toEqual(
    others(whole, hex)
      .filter((row) => !isFault(row))
      .sort(),
  );
  expect(of(found, hex)).toEqual([]);
  await rowsOf(demo, 'drop trigger refuse on trace_actions; drop function refuse');
});

const isFault = (row: string) => row.includes('"reason"');

it('classification gives up a trace that was never finished', async () => {
  const { trace, state } = await someTrace();
  await requeueTraces(demo.database.primary, [trace.traceId]);
  await rowsOf(demo, 'update unclassified_traces set tries = 5');
  await classifyAll(demo);
  expect(await state()).toBe('failed');
});

it('classification does not load messages beyond the memory limit', async () => {
  const connections = openConnections(demo);
  const { trace } = await someTrace();
  const taken = { traceId: trace.traceId, mcSeqnoEnd: trace.mcSeqnoEnd, nodes: 5, anySize: false, tries: 1 };
  const load = (bytes: number) => connections.transact((client) => loadTraces(client, [taken], bytes));
  const { loaded, tooHeavy } = await load(50);
  expect({ loaded, tooHeavy }).toEqual({ loaded: [], tooHeavy: [taken] });
  expect(await load(1_000_000)).toMatchObject({ loaded: [{ taken }], tooHeavy: [] });
  await connections.close();
});
