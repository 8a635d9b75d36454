import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountKeyOf } from '../../../src/chain/address.ts';
import type { Message } from '../../../src/chain/tlb/message.ts';
import type { MessageFilters } from '../../../src/db/queries/messages.ts';
import type { Page } from '../../../src/db/queries/pages.ts';
import type { Tables } from '../../../src/db/tables.ts';
import { TransactionReader } from '../../../src/v3/indexed-transactions.ts';
import { type ListedMessage, listMessages } from '../../../src/v3/list-messages.ts';
import type { TestDatabase } from '../../support/database.ts';
import {
  accountOf,
  bodyHash,
  makeFilled,
  messageHash,
  normalizedHashOf,
  openFilledIndex,
} from '../support/filled-index.ts';
import { openPlans, type PlanReader } from '../support/query-plan.ts';

/** Out of about 27 000 messages and 20 000 transactions. */
const FEW = 1250;
/**
 * Maximum number of statements per page: other accounts with the same prefix, bounds, the reach of the page, bounds of
 * that, its rows, their receivers, and the transactions.
 */
const STATEMENTS = 11;
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

const NO_FILTERS: MessageFilters = { onlyExternals: false, excludeExternals: false, span: {} };
const times = { startUtime: TIME, endUtime: TIME + 9000n };
const lts = { startLt: LT, endLt: LT + 500_000_000n };
const MESSAGES: readonly (readonly [string, Partial<MessageFilters> & { hashes?: readonly Buffer[] }])[] = [
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

interface Query {
  readonly filters: MessageFilters & { readonly hashes?: readonly Buffer[] };
  readonly sort: 'asc' | 'desc';
  readonly page: Page;
}

async function readMessages({ filters: { hashes = [], ...filters }, sort, page }: Query) {
  return listMessages(db, new TransactionReader(db), { hashes, filters, sort, page });
}

const hashesOf = (items: readonly ListedMessage[]) =>
  items.map(({ message }) => message.hash.toString('hex'));

describe.each(MESSAGES)('messages by %s', (_, some) => {
  const filters = { ...NO_FILTERS, ...some };
  it.each(['asc', 'desc'] as const)('are read from an index, %s', async (sort) => {
    const page: Page = { limit: 10, offset: 20 };
    const whole = hashesOf((await readMessages({ filters, sort, page: { limit: 40, offset: 0 } })).items);
    const { items: found } = await expectFewRows(() => readMessages({ filters, sort, page }), STATEMENTS);
    expect(hashesOf(found)).toEqual(whole.slice(20, 30));
    const first = await readMessages({ filters, sort, page: { limit: 5, offset: 0 } });
    expect(first.next === undefined).toBe(whole.length < 5);
    const { items: behind } = await expectFewRows(
      () => readMessages({ filters, sort, page: { limit: 10, offset: 0, after: first.next } }),
      STATEMENTS,
    );
    expect(hashesOf(behind)).toEqual(whole.slice(first.next ? 5 : 0, first.next ? 15 : 10));
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
    return sorted.map(({ hash }) => hash.toString('hex'));
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
      expect(await walk((page) => readMessages({ ...query, page }), expected.length / 3)).toEqual(expected);
    }

    function isCreatedInTime(message: Message): message is CreatedMessage {
      return message.info.kind !== 'external-in' && isInTime(message.info.createdAt);
    }
  });
});

/** A message that has a time of creation. */
type CreatedMessage = Message & { readonly info: Exclude<Message['info'], { readonly kind: 'external-in' }> };

/** The hashes of all messages of a list, read page by page. */
async function walk(
  read: (page: Page) => ReturnType<typeof readMessages>,
  limit: number,
): Promise<readonly string[]> {
  const found: string[] = [];
  let after: readonly string[] | undefined;
  for (;;) {
    const { items, next } = await read({ limit: Math.ceil(limit), offset: 0, after });
    found.push(...hashesOf(items));
    if (next === undefined) return found;
    after = next;
  }
}
