import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type FoundMessage,
  type MessageFilters,
  readMessageDetails,
  readMessages,
} from '../../../src/db/queries/messages.ts';
import type { Page } from '../../../src/db/queries/pages.ts';
import { readTraces, readTraceTransactions, type TraceFilters } from '../../../src/db/queries/traces.ts';
import type { Tables } from '../../../src/db/tables.ts';
import type { TestDatabase } from '../../support/database.ts';
import { accountOf, hashOf, openFilledIndex } from '../support/filled-index.ts';
import { openPlans, type PlanReader } from '../support/query-plan.ts';

/** Out of about 40 000 messages, 20 000 transactions, 7 000 traces. */
const FEW = 1250;
/** Maximum number of statements per page: bounds, the reach of the page, bounds of that, and the page. */
const STATEMENTS = 8;
/** Tables too small to be worth an index. */
const SMALL = /^(?:index_origin|message_contents|account_states)/;
const [BUSY, QUIET] = [accountOf(0), accountOf(3)];
const [TIME, LT] = [1_700_040_000n, 2_000_000_000n];

let test: TestDatabase;
let reader: PlanReader;
let db: Kysely<Tables>;

beforeAll(async () => {
  test = await openFilledIndex();
  // Both sides of a message have the same content.
  await sql`
    update messages m set lt = s.lt, created_at = s.created_at from messages s
    where m.ordinal = 0 and s.ordinal = 1 and s.hash = m.hash`.execute(test.database.primary);
  // Some of what a masterchain block commits is older: the order of time differs from that of lt.
  const shift = (lt: string) => `(${lt} / 1000 * 7919 % 19)`;
  await sql
    .raw(`update messages set created_at = created_at - ${shift('lt')}`)
    .execute(test.database.primary);
  for (const table of ['traces', 'trace_accounts'])
    await sql
      .raw(`update ${table} set end_utime = end_utime - ${shift('end_lt')}`)
      .execute(test.database.primary);
  await sql`vacuum analyze`.execute(test.database.primary);
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

const NO_FILTERS: MessageFilters = { hashes: [], onlyExternals: false, excludeExternals: false, span: {} };
const times = { startUtime: TIME, endUtime: TIME + 9000n };
const lts = { startLt: LT, endLt: LT + 500_000_000n };
const MESSAGES: readonly (readonly [string, Partial<MessageFilters>])[] = [
  ['nothing', {}],
  ['hashes', { hashes: [hashOf('m10002'), hashOf('n9997')] }],
  ['hashes and time', { hashes: [hashOf('m10002'), hashOf('m10003')], span: times }],
  ['body', { bodyHash: hashOf('b7') }],
  ['body and time', { bodyHash: hashOf('b7'), span: times }],
  ['opcode', { opcode: 7 }],
  ['opcode and time', { opcode: 7, span: times }],
  ['direction', { direction: 'in' }],
  ['direction and time', { direction: 'out', span: times }],
  ['only externals', { onlyExternals: true }],
  ['no externals', { excludeExternals: true }],
  ['from outside', { source: null }],
  ['to outside', { destination: null }],
  ['to outside, time', { destination: null, span: times }],
  ['time', { span: times }],
  ['lt', { span: lts }],
  ['time and lt', { span: { startUtime: 0n, ...lts } }],
  ['contradiction', { source: null, span: times }],
  ...([BUSY, QUIET] as const).flatMap((account) => {
    const who = account === BUSY ? 'busy' : 'quiet';
    return [
      [`from ${who}`, { source: account }],
      [`to ${who}`, { destination: account }],
      [`from ${who}, in`, { source: account, direction: 'in' }],
      [`from ${who}, lt`, { source: account, span: lts }],
      [`from ${who}, time`, { source: account, span: times }],
      [`to ${who}, time`, { destination: account, span: times }],
      [`to ${who}, time without end`, { destination: account, span: { startUtime: TIME } }],
      [`to ${who}, externals`, { destination: account, onlyExternals: true }],
      [`between ${who} and another`, { source: account, destination: accountOf(4) }],
    ] as const;
  }),
];

const inOrder = ({ sides, cursor }: FoundMessage) => ({
  cursor,
  sides: sides.toSorted((a, b) => a.ordinal - b.ordinal),
});

describe.each(MESSAGES)('messages by %s', (_, some) => {
  const filters = { ...NO_FILTERS, ...some };
  it.each(['asc', 'desc'] as const)('are read from an index, %s', async (sort) => {
    const page: Page = { limit: 10, offset: 20 };
    const whole = (await readMessages(db, { filters, sort, page: { limit: 40, offset: 0 } })).map(inOrder);
    const found = await expectFewRows(() => readMessages(db, { filters, sort, page }), STATEMENTS);
    expect(found.map(inOrder)).toEqual(whole.slice(20, 30));
    const after = whole[4]?.cursor;
    const behind = await expectFewRows(
      () => readMessages(db, { filters, sort, page: { limit: 10, offset: 0, after } }),
      STATEMENTS,
    );
    expect(behind.map(inOrder)).toEqual(whole.slice(after ? 5 : 0, after ? 15 : 10));
    await expectFewRows(() => readMessageDetails(db, { found }), 2);
  });
});

const TRACES: readonly (readonly [string, TraceFilters])[] = [
  ['nothing', { span: {} }],
  ['time', { span: times }],
  ['lt', { span: lts }],
  ['time and lt', { span: { startUtime: 0n, ...lts } }],
  ['id', { hashes: { of: 'traces', values: [hashOf('t10000')] }, span: {} }],
  ['transaction', { hashes: { of: 'transactions', values: [hashOf('t10002')] }, span: times }],
  ['message', { hashes: { of: 'messages', values: [hashOf('m10002')] }, span: {} }],
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
    const whole = await readTraces(db, { filters, sort, page: { limit: 40, offset: 0 } });
    const page = { limit: 10, offset: 20 };
    const found = await expectFewRows(() => readTraces(db, { filters, sort, page }), STATEMENTS);
    expect(found).toEqual(whole.slice(20, 30));
    const after = whole[4]?.cursor;
    const behind = await expectFewRows(
      () => readTraces(db, { filters, sort, page: { limit: 10, offset: 0, after } }),
      STATEMENTS,
    );
    expect(behind).toEqual(whole.slice(after ? 5 : 0, after ? 15 : 10));
    await expectFewRows(() => readTraceTransactions(db, { traces: found }), 6);
  });
});

describe('pages in the order of time that differs from the order of lt', () => {
  it.each(['asc', 'desc'] as const)('contain exactly the right messages of an account, %s', async (sort) => {
    for (const filters of [
      { source: BUSY },
      { destination: BUSY },
      { opcode: 7 },
      { bodyHash: hashOf('b5') },
    ]) {
      const where = {
        source: sql`case when ordinal = 0 then peer else account end = ${BUSY}`,
        destination: sql`case when ordinal = 0 then account else peer end = ${BUSY}`,
        opcode: sql`opcode = 7`,
        bodyHash: sql`body_hash = ${hashOf('b5')}`,
      }[Object.keys(filters)[0] as 'source'];
      const { rows } = await sql<{ cursor: string[] }>`
        select array[created_at::text, hash::text] as cursor from messages
        where ${where} and created_at between ${TIME} and ${TIME + 9000n} group by created_at, hash
        order by created_at ${sql.raw(sort)}, hash ${sql.raw(sort)}`.execute(db);
      expect(rows.length).toBeGreaterThan(30);
      const query = { filters: { ...NO_FILTERS, ...filters, span: times }, sort };
      expect(await walk((page) => readMessages(db, { ...query, page }), rows.length / 3)).toEqual(
        rows.map(({ cursor }) => cursor),
      );
    }
  });

  it.each(['asc', 'desc'] as const)('contain exactly the right traces of an account, %s', async (sort) => {
    const { rows } = await sql<{ cursor: string[] }>`
      select array[end_utime::text, trace_id::text] as cursor from trace_accounts
      where account = ${BUSY} and end_utime between ${TIME} and ${TIME + 9000n}
      order by end_utime ${sql.raw(sort)}, trace_id ${sql.raw(sort)}`.execute(db);
    expect(rows.length).toBeGreaterThan(200);
    const query = { filters: { account: BUSY, span: times }, sort };
    expect(await walk((page) => readTraces(db, { ...query, page }), 50)).toEqual(
      rows.map(({ cursor }) => cursor),
    );
  });
});

/** The cursors of all rows of a list, read page by page. */
async function walk(
  read: (page: Page) => Promise<readonly { readonly cursor: readonly string[] }[]>,
  limit: number,
): Promise<(readonly string[])[]> {
  const found: (readonly string[])[] = [];
  for (;;) {
    const rows = await read({ limit: Math.ceil(limit), offset: 0, after: found.at(-1) });
    found.push(...rows.map(({ cursor }) => cursor));
    if (rows.length < Math.ceil(limit)) return found;
  }
}
