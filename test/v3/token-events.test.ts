import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TokenRequest } from '../../src/chain/messages/token-requests.ts';
import { accountPrefix } from '../../src/index/format/position.ts';
import { address, type ShownEvent } from '../../src/v3/token-events.ts';
import { formatAccount } from '../../src/v3/values.ts';
import { createFilledTestDatabase, type TestDatabase } from '../support/database.ts';
import { sampled, sampleOf } from '../support/long-run.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { type CheckedList, checkCombinations, checkForms, checkRefusals } from './support/list-checks.ts';
import { createListClient, type ListQuery } from './support/list-queries.ts';
import { alike, expectedEvents, MIDDLE, madeEvents } from './support/made-events.ts';
import { made, rawMade } from './support/made-rows.ts';

const KINDS = {
  'jetton/transfers': {
    key: 'jetton_transfers' as const,
    account: 'source_wallet',
    names: { asked: 'jetton_wallet', token: 'jetton_master', hasSides: true, hidesAborted: true },
  },
  'jetton/burns': {
    key: 'jetton_burns' as const,
    account: 'jetton_wallet',
    names: { asked: 'jetton_wallet', token: 'jetton_master', hasSides: false, hidesAborted: false },
  },
  'nft/transfers': {
    key: 'nft_transfers' as const,
    account: 'nft_address',
    names: { asked: 'item_address', token: 'collection_address', hasSides: true, hidesAborted: false },
  },
};

type Kind = keyof typeof KINDS;

/** A database with generated events, and an app on it. */
interface OpenEvents {
  readonly test: TestDatabase;
  readonly app: FastifyInstance;
}

async function openEvents(of: typeof made): Promise<OpenEvents> {
  const test = await createFilledTestDatabase(madeEvents(of));
  return { test, app: await buildV3App({ ports: { ...NO_INDEX, database: test.database } }) };
}

async function closeEvents(opened: OpenEvents | undefined): Promise<void> {
  await opened?.app.close();
  await opened?.test.drop();
}

/** A list of events with all its filters. */
function listOf(of: typeof made, name: Kind): CheckedList {
  const { key, account, names } = KINDS[name];
  const raw = (kind: string, number: number) => formatAccount(of(kind, number));
  const people = [0, 1, 2].map((number) => raw('person', number));
  const asked = [0, 1, 2].map((number) => raw(`asked ${key}`, number));
  return {
    name,
    key,
    choices: {
      owner_address: [people[0]!, people, raw('person', 99)],
      address: [people[1]!, people.slice(1)],
      [names.asked]: [asked[0]!, asked],
      [names.token]: [raw('token', 0)],
      ...(names.hasSides && { direction: ['in', 'out', 'both'] }),
      start_utime: [`${MIDDLE.time}`, `${MIDDLE.time - 2000}.9`.replace('.9', '')],
      end_utime: [`${MIDDLE.time + 350}`],
      start_lt: [`${MIDDLE.lt - 10_000_000}`, '18446744073709551615'],
      end_lt: [`${MIDDLE.lt}`, '18446744073709551615'],
      sort: ['asc', 'desc'],
    },
    idOf: (row) => `${row[account]} ${row.transaction_lt}`,
    expected: (query) =>
      expectedEvents(of, key, query, names).map((event) => `${formatAccount(event.account)} ${event.lt}`),
  };
}

const NAMES = Object.keys(KINDS) as Kind[];

describe.each([
  ['accounts', made, NAMES],
  ['accounts with the same prefix', alike, sampleOf(NAMES, 1)],
] as const)('events of %s', (_, of, names) => {
  let opened: OpenEvents | undefined;
  beforeAll(async () => {
    opened = await openEvents(of);
  });
  afterAll(() => closeEvents(opened));

  it.each(names)(
    '%s returns the right rows for all combinations of filters, whole and in pages',
    async (name) => {
      expect(await checkCombinations(opened!.app, listOf(of, name))).toBeGreaterThan(sampled(200, 2000));
    },
  );
});

describe.each(NAMES)('%s', (name) => {
  const { key, account, names } = KINDS[name];
  let opened: OpenEvents | undefined;
  beforeAll(async () => {
    opened = await openEvents(made);
  });
  afterAll(() => closeEvents(opened));

  it('matches the contract', async () => {
    const owner = { owner_address: rawMade('person', 0) };
    await checkForms(opened!.app, name, [{}, owner, { end_utime: '1' }]);
  });

  it('refuses malformed parameters by name', async () => {
    const bad = ['x', '0:00', 'EQ'];
    await checkRefusals(opened!.app, name, {
      owner_address: bad,
      address: bad,
      [names.asked]: bad,
      [names.token]: [...bad, ''],
      start_utime: ['-1', 'x', ''],
      end_utime: ['4294967296'],
      start_lt: ['-1'],
      end_lt: ['1.5'],
      sort: ['up'],
      ...(names.hasSides && { direction: ['IN', 'up'] }),
    });
  });

  it('leaves out events whose page was dropped', async () => {
    const db = opened!.test.database.primary;
    const { rows } = await sql<{ acc8: string; lt: string }>`
      with dropped as (delete from tx_pages where page = (select at >> 6 from ${sql.table(key)} order by at
                       limit 1 offset 40) returning page)
      select acc8, lt from ${sql.table(key)} join dropped on page = at >> 6`.execute(db);
    const gone = new Set(rows.map(({ acc8, lt }) => `${acc8} ${lt}`));
    expect(gone.size).toBeGreaterThan(0);
    const owner = { owner_address: rawMade('person', 0) };
    const queries: readonly ListQuery[] = [{}, owner, { start_utime: '1', sort: 'asc' }];
    for (const query of queries) {
      const kept = expectedEvents(made, key, query, names).filter(
        (event) => !gone.has(`${accountPrefix(event.account)} ${event.lt}`),
      );
      const found = await createListClient(opened!.app, name, key).byCursor(query, 7);
      expect(found.map((row) => `${row[account]} ${row.transaction_lt}`)).toEqual(
        kept.map((event) => `${formatAccount(event.account)} ${event.lt}`),
      );
    }
  });
});

describe('addresses of requests', () => {
  const request = { destination: undefined, responseDestination: undefined } as Partial<TokenRequest>;
  const show = (one: Partial<TokenRequest>) =>
    address('destination', '').of({ request: { ...request, outside: {}, ...one } } as ShownEvent);

  it('are accounts, outside the chain, or none', () => {
    const destination = made('person', 0);
    expect(show({ destination })).toBe(formatAccount(destination));
    const outside = { kind: 'extern', bits: 12, value: Buffer.from('abc0', 'hex') } as const;
    expect(show({ outside: { destination: outside } })).toBe('ext$12:ABC0');
    expect(show({})).toBe('addr_none');
  });
});
