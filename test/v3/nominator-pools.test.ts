import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOMINATOR_EVENT_TYPES, VALIDATOR_EVENT_TYPES } from '../../src/chain/contracts/nominator-pool.ts';
import { formatAccount } from '../../src/v3/values.ts';
import { hashOf } from '../db/support/filled-index.ts';
import { coverSeqnos, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { checkCombinations, checkForms, checkRefusals } from './support/list-checks.ts';
import { isNamed, type ListQuery, sortBy } from './support/list-queries.ts';
import { made, rawMade, scatter, stateOf } from './support/made-rows.ts';

/** In the basechain, ascending. */
const NOMINATORS = Array.from({ length: 5 }, (_, i) => made('nominator', i * 4)).sort(Buffer.compare);
const VALIDATORS = [made('validator', 1), made('validator', 5)];
/** More than a floating-point number holds. */
const LARGE = 10n ** 30n + 1n;

const POOLS = [0, 1, 2, 5].map((number) => {
  const nominators = NOMINATORS.filter((_, i) => (i + number) % 3 !== 0);
  return {
    ...stateOf('pool', number),
    state: '2',
    nominators_count: String(nominators.length),
    stake_amount_sent: '500000000000000',
    validator_amount: `${LARGE}`,
    validator: VALIDATORS[number % 2]!,
    validator_reward_share: '4000',
    max_nominators_count: '40',
    min_validator_stake: '10',
    min_nominator_stake: '20',
    stake_at: '1790000000',
    nominators,
    nominator_balances: nominators.map((_, i) => LARGE * BigInt(i)),
    nominator_pending_balances: nominators.map((_, i) => BigInt(i)),
  };
});
const poolOf = (i: number) => POOLS[i % 2]!.account;
const [START, STEP] = [1_790_000_000, 10];

/** Several events have the same time, and several the same transaction. */
const EVENTS = Array.from({ length: 60 }, (_, i) => ({
  pool: poolOf(i >> 1),
  lt: String(1000 + (i >> 2)),
  event_index: i % 2,
  nominator: NOMINATORS[scatter(i, 3)]!,
  utime: String(START + (i >> 3) * STEP),
  tx_hash: hashOf(`transaction ${i >> 1}`),
  type: i % 7 === 0 ? 'reward' : NOMINATOR_EVENT_TYPES[scatter(i + 99, NOMINATOR_EVENT_TYPES.length)]!,
  amount: `${i % 7 === 0 ? -LARGE : BigInt(i)}`,
  balance_before: `${LARGE * 2n}`,
  balance_after: `${LARGE * BigInt(1 + (i % 3))}`,
  pending_before: `${i}`,
  pending_after: '0',
  withdraw_before: i % 4 === 0,
  withdraw_after: i % 5 === 0,
  mc_seqno: 1 + (i >> 3),
}));

/** Those of both pools may have the same time and logical time. */
const VALIDATOR_EVENTS = Array.from({ length: 50 }, (_, i) => ({
  pool: poolOf(i),
  lt: String(1000 + (i >> 1)),
  validator: VALIDATORS[scatter(i, 2)]!,
  utime: String(START + (i >> 3) * STEP),
  tx_hash: hashOf(`transaction ${i}`),
  type: VALIDATOR_EVENT_TYPES[scatter(i + 50, 4)]!,
  balance_before: '1000',
  balance_after: String(900 + i * 5),
  query_id: i % 3 === 0 ? null : `${2n ** 64n - 1n}`,
  cycle_start: i % 2 === 0 ? null : '1789900000',
  validator_reward_share: 4000,
  mc_seqno: 1 + (i >> 3),
}));

let test: TestDatabase;
let app: FastifyInstance;

beforeAll(async () => {
  test = await createTestDatabase();
  const db = test.database.primary;
  await coverSeqnos(db, { first: 1, last: EVENTS.length });
  await db.insertInto('nominator_pools').values(POOLS).execute();
  await db.insertInto('nominator_pool_events').values(EVENTS).execute();
  await db.insertInto('pool_validator_events').values(VALIDATOR_EVENTS).execute();
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
});
afterAll(async () => {
  await app?.close();
  await test.drop();
});

const inject = (name: string, query: Record<string, string>, headers: Record<string, string> = {}) =>
  app.inject({ url: `/api/v3/staking/nominatorPools/${name}?${new URLSearchParams(query)}`, headers });
const ask = async (name: string, query: Record<string, string>) => {
  const answer = await inject(name, query);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const refusal = async (name: string, query: Record<string, string> = {}) => {
  const answer = await inject(name, query);
  return [answer.statusCode, answer.json().error];
};

const [POOL, OTHER_POOL] = POOLS.map(({ account }) => formatAccount(account)) as [string, string];
const NOMINATOR = formatAccount(NOMINATORS[0]!);
const VALIDATOR = formatAccount(VALIDATORS[0]!);
const STRANGER = rawMade('stranger', 0);
const BACKWARDS = { start_utime: '2', end_utime: '1' };
const TIMES = [START - 1, START, START + STEP, START + 3 * STEP, START + 100 * STEP].map(String);
const SPANS = { start_utime: TIMES, end_utime: TIMES };

const isInSpan = ({ start_utime = '0', end_utime = '99999999999' }: ListQuery, utime: string) =>
  Number(start_utime) <= Number(utime) && Number(utime) <= Number(end_utime);
const isBackwards = ({ start_utime, end_utime }: ListQuery) =>
  start_utime !== undefined && end_utime !== undefined && Number(start_utime) > Number(end_utime);

describe('staking/nominatorPools/pool', () => {
  it('returns a pool with its nominators by ascending address', async () => {
    const { address_book, ...pool } = await ask('pool', { pool: OTHER_POOL });
    const { nominators } = POOLS[1]!;
    expect(pool).toEqual({
      stake_amount_sent: '500000000000000',
      validator_amount: `${LARGE}`,
      validator_address: formatAccount(VALIDATORS[1]!),
      validator_reward_share: 4000,
      state: 2,
      nominators_count: nominators.length,
      max_nominators_count: 40,
      min_validator_stake: '10',
      min_nominator_stake: '20',
      active_nominators: nominators.map((account, i) => ({
        address: formatAccount(account),
        balance: `${LARGE * BigInt(i)}`,
        pending_balance: `${i}`,
      })),
    });
    const shown = [POOLS[1]!.account, VALIDATORS[1]!, ...nominators].map(formatAccount);
    expect(Object.keys(address_book)).toEqual(shown.sort());
  });

  it('does not find other accounts', async () => {
    expect(await refusal('pool', { pool: STRANGER })).toEqual([404, 'Pool not found']);
    expect(await refusal('pool')).toEqual([422, 'pool parameter is required']);
    expect(await refusal('pool', { pool: 'x' })).toEqual([
      422,
      'failed to decode: schema: error converting value for "pool"',
    ]);
  });

  it('does not find a pool that was destroyed', async () => {
    const gone = { ...POOLS[0]!, ...stateOf('destroyed pool', 0), id: '999' };
    const db = test.database.primary;
    await db.insertInto('nominator_pools').values(gone).execute();
    expect((await inject('pool', { pool: rawMade('destroyed pool', 0) })).statusCode).toBe(200);
    await db.deleteFrom('nominator_pools').where('account', '=', gone.account).execute();
    expect(await refusal('pool', { pool: rawMade('destroyed pool', 0) })).toEqual([404, 'Pool not found']);
  });
});

describe('staking/nominatorPools/nominator', () => {
  it('lists the pools of a nominator by address as text', async () => {
    for (const nominator of NOMINATORS) {
      const address = formatAccount(nominator);
      const { nominator_pools, address_book } = await ask('nominator', { nominator: address });
      const expected = POOLS.flatMap(({ account, nominators }) => {
        const at = nominators.findIndex((one) => one.equals(nominator));
        if (at < 0) return [];
        return [
          {
            pool_address: formatAccount(account),
            balance: `${LARGE * BigInt(at)}`,
            pending_balance: `${at}`,
          },
        ];
      });
      expect(nominator_pools).toEqual(sortBy(expected, ({ pool_address }) => pool_address));
      expect(Object.keys(address_book)).toHaveLength(expected.length + 1);
    }
  });

  it('returns an empty list for a stranger', async () => {
    const { nominator_pools, address_book } = await ask('nominator', { nominator: STRANGER });
    expect([nominator_pools, Object.keys(address_book)]).toEqual([[], [STRANGER]]);
    expect(await refusal('nominator')).toEqual([422, 'nominator parameter is required']);
  });
});

describe('staking/nominatorPools/nominatorEvents', () => {
  it('lists events of a pool, newest first, whole and in pages', async () => {
    const idOf = (row: (typeof EVENTS)[number]) => `${row.lt} ${row.balance_after} ${row.pending_before}`;
    const rows = await checkCombinations(app, {
      name: 'staking/nominatorPools/nominatorEvents',
      key: 'events',
      choices: {
        nominator: [0, 1, 4].map((i) => formatAccount(NOMINATORS[i]!)),
        type: NOMINATOR_EVENT_TYPES,
        ...SPANS,
      },
      bases: [{ pool: POOL }, { pool: OTHER_POOL }, { pool: STRANGER }],
      idOf: (row) => `${row.tx_lt} ${row.balance_after} ${row.pending_balance_before}`,
      isRefused: isBackwards,
      expected: (query) =>
        sortBy(
          EVENTS.filter(
            ({ pool, nominator, type, utime }) =>
              isNamed(query, 'pool', pool) &&
              isNamed(query, 'nominator', nominator) &&
              (query.type === undefined || query.type === type) &&
              isInSpan(query, utime),
          ),
          ({ utime }) => -Number(utime),
          ({ lt }) => -Number(lt),
          ({ event_index }) => -event_index,
        ).map(idOf),
    });
    expect(rows).toBeGreaterThan(100);
  });

  it('returns what an event changed, and repeats the bounds', async () => {
    const answer = await ask('nominatorEvents', {
      pool: POOL,
      start_utime: `${START}`,
      end_utime: `${START}`,
    });
    expect(answer).toMatchObject({ start_utime: START, end_utime: START });
    expect(answer.events.at(-1)).toEqual({
      tx_hash: hashOf('transaction 0').toString('base64'),
      tx_lt: '1000',
      utime: START,
      pool_address: POOL,
      nominator_address: formatAccount(EVENTS[0]!.nominator),
      type: EVENTS[0]!.type,
      amount: `${-LARGE}`,
      balance_delta: `${-LARGE}`,
      pending_balance_delta: '0',
      balance_before: `${LARGE * 2n}`,
      balance_after: `${LARGE}`,
      pending_balance_before: '0',
      pending_balance_after: '0',
      withdraw_request_before: true,
      withdraw_request_after: true,
    });
    const nominators = answer.events.map((row: { nominator_address: string }) => row.nominator_address);
    expect(Object.keys(answer.address_book)).toEqual([...new Set([POOL, ...nominators])].sort());
    const all = await ask('nominatorEvents', { pool: POOL });
    expect([all.start_utime, all.end_utime]).toEqual([undefined, undefined]);
  });

  it('refuses missing and malformed parameters', async () => {
    await checkRefusals(
      app,
      'staking/nominatorPools/nominatorEvents',
      { pool: ['x', ''], nominator: ['x', ''], type: ['penalty'], start_utime: ['x'], end_utime: ['-1'] },
      { pool: POOL },
    );
    expect(await refusal('nominatorEvents', { nominator: NOMINATOR })).toEqual([
      422,
      'pool parameter is required',
    ]);
    expect(await refusal('nominatorEvents', { pool: POOL, ...BACKWARDS })).toEqual([
      422,
      'start_utime must be less than or equal to end_utime',
    ]);
    expect(await refusal('nominatorEvents', { pool: POOL, limit: '0' })).toEqual([
      422,
      'limit is not allowed: 0 < 1',
    ]);
  });

  it('tells the first of several errors in the order of the contract', async () => {
    const decoding = (parameter: string) =>
      `failed to decode: schema: error converting value for "${parameter}"`;
    const late = { start_utime: 'x', end_utime: 'x', limit: '0' };
    const refusals: [Record<string, string>, string][] = [
      [{ ...late, nominator: 'x' }, decoding('nominator')],
      [late, 'pool parameter is required'],
      [{ ...late, pool: POOL }, `${decoding('start_utime')} (and 1 other error)`],
      [{ pool: POOL, limit: '0', ...BACKWARDS }, 'start_utime must be less than or equal to end_utime'],
    ];
    for (const [query, error] of refusals)
      expect(await refusal('nominatorEvents', query)).toEqual([422, error]);
  });

  it('has a hundred rows on a page by default', async () => {
    const more = Array.from({ length: 101 }, (_, i) => ({
      ...EVENTS[0]!,
      pool: made('busy', 0),
      event_index: i,
    }));
    await test.database.primary.insertInto('nominator_pool_events').values(more).execute();
    expect((await ask('nominatorEvents', { pool: rawMade('busy', 0) })).events).toHaveLength(100);
  });
});

describe('staking/nominatorPools/nominatorRewards', () => {
  it('lists rewards, also negative ones, with the sum of the page', async () => {
    const query = { pool: POOL, nominator: formatAccount(EVENTS[0]!.nominator) };
    const { events } = await ask('nominatorEvents', { ...query, type: 'reward' });
    const { rewards, total_on_page, address_book } = await ask('nominatorRewards', query);
    type Event = { utime: number; amount: string; balance_before: string; tx_hash: string; tx_lt: string };
    expect(rewards).toEqual(
      events.map(({ utime, amount, balance_before, tx_hash, tx_lt }: Event) => ({
        utime,
        reward: amount,
        stake_before: balance_before,
        tx_hash,
        tx_lt,
      })),
    );
    const sum = (list: { reward: string }[]) =>
      String(list.reduce((all, { reward }) => all + BigInt(reward), 0n));
    expect(total_on_page).toBe(sum(rewards));
    expect(Object.keys(address_book)).toEqual([query.pool, query.nominator].sort());
    expect(rewards.length).toBeGreaterThan(1);
    const page = await ask('nominatorRewards', { ...query, limit: '1', offset: '1' });
    expect(page).toMatchObject({ rewards: [rewards[1]], total_on_page: rewards[1].reward });
    expect(rewards.some(({ reward }: { reward: string }) => reward.startsWith('-'))).toBe(true);
  });

  it('needs nominator and pool', async () => {
    const error = [422, 'nominator and pool parameters are required'];
    expect(await refusal('nominatorRewards')).toEqual(error);
    expect(await refusal('nominatorRewards', { pool: POOL })).toEqual(error);
    expect(await refusal('nominatorRewards', { nominator: NOMINATOR })).toEqual(error);
    const both = { pool: POOL, nominator: NOMINATOR };
    expect((await refusal('nominatorRewards', { ...both, ...BACKWARDS }))[0]).toBe(422);
    const empty = await ask('nominatorRewards', { pool: STRANGER, nominator: NOMINATOR, end_utime: '5' });
    expect(empty).toMatchObject({ end_utime: 5, total_on_page: '0', rewards: [] });
    await checkRefusals(app, 'staking/nominatorPools/nominatorRewards', { pool: ['x'] }, both);
  });
});

describe('staking/nominatorPools/validatorEvents', () => {
  it('lists events by pool and validator, newest first, whole and in pages', async () => {
    const rows = await checkCombinations(app, {
      name: 'staking/nominatorPools/validatorEvents',
      key: 'events',
      choices: { type: [...VALIDATOR_EVENT_TYPES, 'other'], ...SPANS },
      bases: [
        { pool: POOL },
        { validator: VALIDATOR },
        { pool: OTHER_POOL, validator: formatAccount(VALIDATORS[1]!) },
        { pool: STRANGER },
      ],
      idOf: (row) => row.tx_hash!,
      isRefused: isBackwards,
      expected: (query) =>
        sortBy(
          VALIDATOR_EVENTS.filter(
            ({ pool, validator, type, utime }) =>
              isNamed(query, 'pool', pool) &&
              isNamed(query, 'validator', validator) &&
              (query.type === undefined || query.type === type) &&
              isInSpan(query, utime),
          ),
          ({ utime }) => -Number(utime),
          ({ lt }) => -Number(lt),
          // Both are in one order here: descending bytes.
          ({ pool }) => Buffer.from(pool.map((byte) => 255 - byte)),
        ).map(({ tx_hash }) => tx_hash.toString('base64')),
    });
    expect(rows).toBeGreaterThan(100);
  });

  it('returns what an event changed', async () => {
    const { events, address_book } = await ask('validatorEvents', { pool: OTHER_POOL });
    expect(events.at(-1)).toEqual({
      tx_hash: hashOf('transaction 1').toString('base64'),
      tx_lt: '1000',
      utime: START,
      pool_address: OTHER_POOL,
      validator_address: formatAccount(VALIDATOR_EVENTS[1]!.validator),
      type: VALIDATOR_EVENTS[1]!.type,
      amount: '95',
      balance_delta: '-95',
      balance_before: '1000',
      balance_after: '905',
      query_id: '18446744073709551615',
      cycle_start: 1_789_900_000,
      validator_reward_share: 4000,
    });
    expect(Object.keys(address_book)).toEqual([OTHER_POOL, ...VALIDATORS.map(formatAccount)].sort());
    const { events: others } = await ask('validatorEvents', { pool: POOL });
    expect(others.at(-1)).not.toHaveProperty('query_id');
    expect(others.at(-1)).not.toHaveProperty('cycle_start');
  });

  it('needs a validator or a pool', async () => {
    const error = [422, 'validator or pool parameter is required'];
    expect(await refusal('validatorEvents')).toEqual(error);
    expect(await refusal('validatorEvents', { type: 'reward', ...BACKWARDS })).toEqual(error);
    await checkRefusals(
      app,
      'staking/nominatorPools/validatorEvents',
      { pool: ['x', ''], validator: ['x', ''], start_utime: ['x'] },
      { pool: POOL },
    );
  });
});

describe('staking/nominatorPools/validatorRewards', () => {
  it('lists rewards without penalties, with the sum of the page', async () => {
    const query = { pool: POOL, validator: VALIDATOR };
    const { events } = await ask('validatorEvents', { ...query, type: 'reward' });
    const { rewards, total_on_page } = await ask('validatorRewards', query);
    expect(events.length).toBeGreaterThan(1);
    expect(rewards).toEqual(
      events.map(
        ({
          utime,
          balance_delta: reward,
          balance_before,
          tx_hash,
          tx_lt,
          ...row
        }: Record<string, string>) => ({
          utime,
          reward,
          balance_before,
          tx_hash,
          tx_lt,
          ...('cycle_start' in row && { cycle_start: row.cycle_start }),
          ...('query_id' in row && { query_id: row.query_id }),
        }),
      ),
    );
    const total = rewards.reduce((sum: bigint, { reward }: { reward: string }) => sum + BigInt(reward), 0n);
    expect(total_on_page).toBe(String(total));
  });

  it('needs validator and pool', async () => {
    const error = [422, 'validator and pool parameters are required'];
    expect(await refusal('validatorRewards')).toEqual(error);
    expect(await refusal('validatorRewards', { pool: POOL })).toEqual(error);
    expect(await refusal('validatorRewards', { validator: VALIDATOR })).toEqual(error);
    await checkRefusals(
      app,
      'staking/nominatorPools/validatorRewards',
      { pool: ['x'] },
      { pool: POOL, validator: VALIDATOR },
    );
  });
});

describe('all operations of pools', () => {
  const queries: [string, Record<string, string>][] = [
    ['pool', { pool: POOL }],
    ['nominator', { nominator: NOMINATOR }],
    ['nominatorEvents', { pool: POOL, start_utime: '1' }],
    ['nominatorRewards', { pool: POOL, nominator: NOMINATOR, end_utime: '4000000000' }],
    ['validatorEvents', { validator: VALIDATOR }],
    ['validatorRewards', { pool: POOL, validator: VALIDATOR }],
  ];

  it.each(queries)(
    '%s matches the contract, and has no address book if the caller wants none',
    async (name, query) => {
      await checkForms(app, `staking/nominatorPools/${name}`, [query]);
      expect((await inject(name, query)).json().address_book).not.toEqual({});
      expect((await inject(name, query, { 'x-no-address-book': '1' })).json().address_book).toEqual({});
    },
  );
});
