import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dropPartitionsBefore } from '../../src/index/partitions.ts';
import type { TestDatabase } from '../support/database.ts';
import { readStoredActions } from '../support/stored-actions.ts';
import { readStoredTraces, TRACE_ID } from '../support/stored-traces.ts';
import { openIndexedDemo } from '../v3/support/indexed-demo.ts';
import { classifyAll, dumpActions, forgetActions, rowsOf, untilClassified } from './support/classifying.ts';

let demo: TestDatabase;
beforeAll(async () => {
  demo = await openIndexedDemo();
});
afterAll(() => demo?.drop());

const count = async (text: string) =>
  (await rowsOf<{ count: number }>(demo, `select count(*)::int ${text}`))[0]!.count;
const transfers = async () =>
  (await readStoredActions(demo.database.primary)).filter(({ type }) => type === 'jetton_transfer').length;

it('traces are reclassified when their accounts are detected', async () => {
  const whole = await dumpActions(demo);
  await rowsOf(demo, 'create table kept as select * from jetton_wallets; delete from jetton_wallets');
  await rowsOf(
    demo,
    'insert into missing_cells (account, last_trans_lt, undetected) select account, last_transaction_lt, true from kept',
  );
  await forgetActions(demo);
  await classifyAll(demo);
  expect(await transfers()).toBeLessThan(
    whole.actions!.filter((row) => row.includes('"jetton_transfer"')).length,
  );
  const waiting = await count('from waiting_traces');
  expect(waiting).toBeGreaterThan(0);
  // Traces do not wait for accounts that no rule reads.
  expect(waiting).toBeLessThan(await count('from trace_accounts'));

  await rowsOf(
    demo,
    `with judged as (select account from kept order by account limit 1), gone as (
       delete from missing_cells using judged where missing_cells.account = judged.account)
     insert into jetton_wallets select kept.* from kept join judged using (account)`,
  );
  const again: number[] = [];
  const running = classifyUntilSettled((traces) => again.push(traces));
  await rowsOf(
    demo,
    `with gone as (delete from missing_cells)
     insert into jetton_wallets select * from kept on conflict do nothing`,
  );
  await running;
  expect(again.length).toBeGreaterThan(0);
  expect(await dumpActions(demo)).toEqual(whole);
  await rowsOf(demo, 'drop table kept');

  async function classifyUntilSettled(onTraces: (traces: number) => void): Promise<void> {
    await classifyAll(demo, { onBatch: ({ traces }) => onTraces(traces) }, async () => {
      while ((await count('from waiting_traces')) > 0) await sleep(20);
      await untilClassified(demo);
    });
  }
});

it('queued traces are dropped with their history', async () => {
  const waiting = (await readStoredTraces(demo.database.primary)).flatMap(
    ({ traceId, mcSeqnoEnd, accounts }) =>
      accounts.map((account) => ({ account, trace_id: traceId, mc_seqno_end: mcSeqnoEnd })),
  );
  await demo.database.primary.insertInto('waiting_traces').values(waiting).execute();
  await rowsOf(
    demo,
    `insert into unclassified_traces (trace_id, mc_seqno_end, nodes) select ${TRACE_ID}, mc_seqno_end, nodes from traces;
     insert into classification_faults select ${TRACE_ID}, mc_seqno_end, false, '' from traces;
     insert into classification_ranges (first_seqno, last_seqno) values (1, 15), (1, 25), (21, 25)`,
  );
  expect(await dropPartitionsBefore(demo.database.primary, { seqno: 25, width: 10 })).toBe(20);
  for (const [table, column] of [
    ['unclassified_traces', 'mc_seqno_end'],
    ['waiting_traces', 'mc_seqno_end'],
    ['classification_faults', 'mc_seqno_end'],
    ['trace_actions', 'mc_seqno_end'],
    ['action_keys', 'mc_seqno_end'],
    ['action_accounts', 'mc_seqno_end'],
  ]) {
    expect([table, await count(`from ${table} where ${column} < 20`)]).toEqual([table, 0]);
    expect(await count(`from ${table} where ${column} >= 20`)).toBeGreaterThan(0);
  }
  expect(await rowsOf(demo, 'select first_seqno, last_seqno from classification_ranges order by 1')).toEqual([
    { first_seqno: 20, last_seqno: 25 },
    { first_seqno: 21, last_seqno: 25 },
  ]);
  await classifyAll(demo);
});
