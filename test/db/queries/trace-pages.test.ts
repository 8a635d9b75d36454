import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from '../../../src/db/queries/pages.ts';
import type { Tables } from '../../../src/db/tables.ts';
import { TransactionReader } from '../../../src/v3/indexed-transactions.ts';
import { listTraces, type TraceFilters } from '../../../src/v3/list-traces.ts';
import type { TestDatabase } from '../../support/database.ts';
import {
  accountOf,
  makeFilled,
  messageHash,
  openFilledIndex,
  transactionHash,
} from '../support/filled-index.ts';
import { openPlans, type PlanReader } from '../support/query-plan.ts';

/** Out of about 20 000 transactions and 7 000 traces. */
const FEW = 1250;
/** Maximum number of statements per page: bounds, the reach of the page, bounds of that, and the page. */
const STATEMENTS = 8;
/** Tables too small to be worth an index. */
const SMALL = /^(?:index_origin|account_states)/;
const [BUSY, QUIET] = [accountOf(0), accountOf(3)];
const [TIME, LT] = [1_700_040_000n, 2_000_000_000n];

let test: TestDatabase;
let reader: PlanReader;
let db: Kysely<Tables>;

beforeAll(async () => {
  test = await openFilledIndex();
  reader = openPlans(test.url);
  db = reader.db;
}, 120_000);
afterAll(async () => {
  await reader?.close();
  await test?.drop();
});

/** Runs work and collects the plan of each of its statements. */
async function expectFewRows<T>(work: () => Promise<T>, statements: number): Promise<T> {
  const { result, plans } = await reader.run(work);
  expect(plans.length).toBeLessThanOrEqual(statements);
  for (const plan of plans) {
    expect(
      plan.seqScans.filter((table) => !SMALL.test(table)),
      plan.text,
    ).toEqual([]);
    expect(plan.touchedRows, plan.text).toBeLessThan(FEW);
  }
  return result;
}

const times = { startUtime: TIME, endUtime: TIME + 9000n };
const lts = { startLt: LT, endLt: LT + 500_000_000n };
const TRACES: readonly (readonly [string, TraceFilters])[] = [
  ['nothing', { span: {} }],
  ['time', { span: times }],
  ['lt', { span: lts }],
  ['time and lt', { span: { startUtime: 0n, ...lts } }],
  ['id', { hashes: { of: 'traces', values: [transactionHash(10000)] }, span: {} }],
  ['transaction', { hashes: { of: 'transactions', values: [transactionHash(10002)] }, span: times }],
  ['message', { hashes: { of: 'messages', values: [messageHash(10002)] }, span: {} }],
  ['block', { mcSeqno: 2000, span: {} }],
  ...([BUSY, QUIET] as const).flatMap((account) => {
    const who = account === BUSY ? 'busy' : 'quiet';
    return [
      [`a ${who} account`, { account, span: {} }],
      [`a ${who} account and lt`, { account, span: lts }],
      [`a ${who} account and time`, { account, span: times }],
      [`a ${who} account and all times`, { account, span: { startUtime: 0n } }],
      [`a ${who} account and block`, { account, mcSeqno: 2000, span: times }],
    ] as const;
  }),
];

describe.each(TRACES)('traces by %s', (_, filters) => {
  it.each(['asc', 'desc'] as const)('are read from an index, %s', async (sort) => {
    const read = (page: Page) => listTraces(db, new TransactionReader(db), { filters, sort, page });
    const { items: whole } = await read({ limit: 40, offset: 0 });
    const found = await expectFewRows(() => read({ limit: 10, offset: 20 }), STATEMENTS);
    expect(found.items).toEqual(whole.slice(20, 30));
    const { next: after } = await read({ limit: 5, offset: 0 });
    const behind = await expectFewRows(() => read({ limit: 10, offset: 0, after }), STATEMENTS);
    expect(behind.items).toEqual(whole.slice(after ? 5 : 0, after ? 15 : 10));
    const positions = found.items.flatMap((trace) => trace.positions);
    await expectFewRows(() => new TransactionReader(db).read(positions), 6);
  });
});

describe('pages in the order of time that differs from the order of lt', () => {
  // All transactions of the time, in whole traces.
  const chain = makeFilled(9997, 12300);
  const isInTime = (time: number) => time >= times.startUtime && time <= times.endUtime;
  const inOrder = (
    found: readonly { readonly time: number; readonly hash: Buffer }[],
    sort: 'asc' | 'desc',
  ) => {
    const sorted = found.toSorted((a, b) => a.time - b.time || Buffer.compare(a.hash, b.hash));
    if (sort === 'desc') sorted.reverse();
    return sorted.map(({ time, hash }) => [`${time}`, `\\x${hash.toString('hex')}`]);
  };

  it.each(['asc', 'desc'] as const)('contain exactly the right traces of an account, %s', async (sort) => {
    const traces = chain
      .filter((_, at) => at % 3 === 0)
      .map((root, at) => ({ hash: root.hash, transactions: chain.slice(at * 3, at * 3 + 3) }))
      .filter(({ transactions }) => transactions.some(({ account }) => account.equals(BUSY)))
      .map(({ hash, transactions }) => ({
        hash,
        time: Math.max(...transactions.map(({ transaction }) => transaction.now)),
      }));
    const expected = inOrder(
      traces.filter(({ time }) => isInTime(time)),
      sort,
    );
    expect(expected.length).toBeGreaterThan(200);
    const query = { filters: { account: BUSY, span: times }, sort };
    const read = (page: Page) => listTraces(db, new TransactionReader(db), { ...query, page });
    expect(await walk(read, 50)).toEqual(expected.map(([, id]) => id));
  });
});

/** The ids of all traces of a list as in cursors, read page by page. */
async function walk(
  read: (page: Page) => ReturnType<typeof listTraces>,
  limit: number,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (let after: Page['after']; ; ) {
    const { items, next } = await read({ limit, offset: 0, after });
    found.push(...items.map(({ traceId }) => `\\x${traceId.toString('hex')}`));
    if (next === undefined) return found;
    after = next;
  }
}
