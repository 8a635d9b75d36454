import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountKeyOf } from '../../../src/chain/address.ts';
import type { Message } from '../../../src/chain/tlb/message.ts';
import { type FoundMessage, type MessageFilters, readMessages } from '../../../src/db/queries/messages.ts';
import type { Page } from '../../../src/db/queries/pages.ts';
import { readTraceMembers, readTraces, type TraceFilters } from '../../../src/db/queries/traces.ts';
import type { Tables } from '../../../src/db/tables.ts';
import type { TestDatabase } from '../../support/database.ts';
import {
  accountOf,
  bodyHash,
  makeFilled,
  messageHash,
  normalizedHashOf,
  openFilledIndex,
  transactionHash,
} from '../support/filled-index.ts';
import { openPlans, type PlanReader } from '../support/query-plan.ts';

/** Out of about 40 000 messages, 20 000 transactions, 7 000 traces. */
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

const NO_FILTERS: MessageFilters = { hashes: [], onlyExternals: false, excludeExternals: false, span: {} };
const times = { startUtime: TIME, endUtime: TIME + 9000n };
const lts = { startLt: LT, endLt: LT + 500_000_000n };
const MESSAGES: readonly (readonly [string, Partial<MessageFilters>])[] = [
  ['nothing', {}],
  ['hashes', { hashes: [messageHash(10002), normalizedHashOf(9997)] }],
  ['hashes and time', { hashes: [messageHash(10002), messageHash(10003)], span: times }],
  ['body', { bodyHash: bodyHash(7) }],
  ['body and time', { bodyHash: bodyHash(7), span: times }],
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
  });
});

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
    await expectFewRows(() => readTraceMembers(db, { traces: found }), 6);
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

  it.each(['asc', 'desc'] as const)('contain exactly the right messages of an account, %s', async (sort) => {
    const messages = chain.flatMap(({ transaction }) => transaction.outMessages).filter(isCreatedInTime);
    const cases: readonly [Partial<MessageFilters>, (message: CreatedMessage) => boolean][] = [
      [{ source: BUSY }, ({ info }) => accountKeyOf(info.src)!.equals(BUSY)],
      [{ destination: BUSY }, ({ info }) => accountKeyOf(info.dest)?.equals(BUSY) === true],
      [{ opcode: 7 }, ({ opcode }) => opcode === 7],
      [{ bodyHash: bodyHash(5) }, (message) => message.bodyHash.equals(bodyHash(5))],
    ];
    for (const [filters, isWanted] of cases) {
      const found = messages.filter(isWanted);
      const expected = inOrder(
        found.map(({ info, hash }) => ({ time: info.createdAt, hash })),
        sort,
      );
      expect(expected.length).toBeGreaterThan(20);
      const query = { filters: { ...NO_FILTERS, ...filters, span: times }, sort };
      expect(await walk((page) => readMessages(db, { ...query, page }), expected.length / 3)).toEqual(
        expected,
      );
    }

    function isCreatedInTime(message: Message): message is CreatedMessage {
      return message.info.kind !== 'external-in' && isInTime(message.info.createdAt);
    }
  });

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
    expect(await walk((page) => readTraces(db, { ...query, page }), 50)).toEqual(expected);
  });
});

/** A message that has a time of creation. */
type CreatedMessage = Message & { readonly info: Exclude<Message['info'], { readonly kind: 'external-in' }> };

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
