import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatAccount } from '../../src/v3/values.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { sampled } from '../support/long-run.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { type CheckedList, checkCombinations, checkForms, checkRefusals } from './support/list-checks.ts';
import { isNamed, sortBy } from './support/list-queries.ts';
import { made, rawMade, scatter, stateOf } from './support/made-rows.ts';

const people = (count: number, seed: number) =>
  Array.from({ length: count }, (_, at) => made('person', scatter(seed * 10 + at, 12)));
const MULTISIGS = Array.from({ length: 30 }, (_, i) => ({
  ...stateOf('multisig', i),
  next_order_seqno: i === 2 ? '-1' : '5',
  threshold: '1',
  signers: people(1 + (i % 3), i),
  proposers: people(i % 3, i + 100),
}));
/** Every third wallet has no orders. */
const ORDERS = Array.from({ length: 50 }, (_, i) => ({
  ...stateOf('order', i),
  multisig: made('multisig', (i % 10) * 3),
  order_seqno: String(i),
  threshold: '1',
  approvals_num: '1',
  sent_for_execution: i % 2 === 0,
  approvals_mask: '9'.repeat(40),
  expiration_date: '281474976710655',
  order_boc: Buffer.from('not a bag'),
  signers: people(2, i + 200),
}));

let test: TestDatabase;
let app: FastifyInstance;

beforeAll(async () => {
  test = await createTestDatabase();
  const db = test.database.primary;
  await db.insertInto('multisigs').values(MULTISIGS).execute();
  await db.insertInto('multisig_orders').values(ORDERS).execute();
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
});
afterAll(async () => {
  await app?.close();
  await test.drop();
});

const raw = (kind: string, ...numbers: number[]) => numbers.map((number) => rawMade(kind, number));
const inOrder = (rows: readonly { account: Buffer; id: string }[], sort: unknown) => {
  const sorted = sortBy(rows, ({ id }) => Number(id)).map(({ account }) => formatAccount(account));
  return sort === 'asc' ? sorted : sorted.reverse();
};

const WALLET_LIST: CheckedList = {
  name: 'multisig/wallets',
  key: 'multisigs',
  choices: {
    address: [raw('multisig', 1), raw('multisig', 9, 8, 7, 6, 5, 4, 3, 9)],
    wallet_address: [raw('person', 1), raw('person', 0, 1, 2, 3), raw('person', 99)],
    include_orders: ['true', 'false'],
    sort: ['asc', 'desc'],
  },
  isRefused: (query) => !query.address && !query.wallet_address,
  idOf: (row) => row.address!,
  expected: (query) => {
    const takesPart = (person: Buffer) => isNamed(query, 'wallet_address', person);
    const found = MULTISIGS.filter(
      ({ account, signers, proposers }) =>
        isNamed(query, 'address', account) && [...signers, ...proposers].some(takesPart),
    );
    return inOrder(found, query.sort);
  },
};

const ORDER_LIST: CheckedList = {
  name: 'multisig/orders',
  key: 'orders',
  choices: {
    address: [raw('order', 3), raw('order', 9, 8, 7, 6, 5, 19, 29)],
    multisig_address: [raw('multisig', 9), raw('multisig', 9, 18, 3), raw('multisig', 1)],
    parse_actions: ['true', 'false'],
    sort: ['asc', 'desc'],
  },
  isRefused: (query) => !query.address && !query.multisig_address,
  idOf: (row) => row.address!,
  expected: (query) => {
    const found = ORDERS.filter(
      ({ account, multisig }) =>
        isNamed(query, 'address', account) && isNamed(query, 'multisig_address', multisig),
    );
    return inOrder(found, query.sort);
  },
};

const BAD = ['x', '0:00', ''];

describe.each([
  [WALLET_LIST, { address: BAD, wallet_address: ['x'], include_orders: ['x'], sort: ['up'] }],
  [ORDER_LIST, { address: BAD, multisig_address: ['x'], parse_actions: ['x'], sort: ['up'] }],
] as const)('$name', (list, bad) => {
  const base = { address: list.choices.address![1]! };

  it('returns the right rows for all combinations of filters, whole and in pages', async () => {
    expect(await checkCombinations(app, list)).toBeGreaterThan(sampled(12, 100));
  });

  it('matches the contract', async () => {
    await checkForms(app, list.name, [base, { ...base, parse_actions: '1', include_orders: '0' }]);
  });

  it('refuses malformed parameters by name', async () => {
    await checkRefusals(app, list.name, bad, base);
  });
});

describe('multisig/wallets', () => {
  const ask = async (query: string) =>
    (await app.inject({ url: `/api/v3/multisig/wallets?${query}` })).json();

  it('returns a wallet with its orders in the order of indexing', async () => {
    const { multisigs, address_book } = await ask(`address=${raw('multisig', 9)}`);
    const orders = ORDERS.filter(({ multisig }) => multisig.equals(made('multisig', 9)));
    expect(multisigs[0].orders.map((order: { address: string }) => order.address)).toEqual(
      inOrder(orders, 'asc'),
    );
    const row = MULTISIGS[9]!;
    expect(multisigs[0]).toMatchObject({
      next_order_seqno: '5',
      threshold: 1,
      signers: row.signers.map(formatAccount),
      proposers: row.proposers.map(formatAccount),
    });
    const order = orders[0]!;
    expect(multisigs[0].orders).toContainEqual({
      address: formatAccount(order.account),
      multisig_address: rawMade('multisig', 9),
      order_seqno: order.order_seqno,
      threshold: 1,
      sent_for_execution: order.sent_for_execution,
      approvals_mask: '9'.repeat(40),
      approvals_num: 1,
      expiration_date: 281474976710655,
      order_boc: order.order_boc.toString('base64'),
      signers: order.signers.map(formatAccount),
      last_transaction_lt: order.last_transaction_lt,
      code_hash: order.code_hash.toString('base64'),
      data_hash: order.data_hash.toString('base64'),
      actions: null,
    });
    const named = [
      row.account,
      ...row.signers,
      ...row.proposers,
      ...orders.flatMap(({ account, signers }) => [account, ...signers]),
    ];
    expect(Object.keys(address_book).sort()).toEqual([...new Set(named.map(formatAccount))].sort());
  });

  it('returns null for no orders, and an empty list without include_orders', async () => {
    expect((await ask(`address=${raw('multisig', 1)}`)).multisigs[0].orders).toBeNull();
    expect((await ask(`address=${raw('multisig', 9)}&include_orders=0`)).multisigs[0].orders).toEqual([]);
  });

  it('refuses a request without addresses', async () => {
    const error = 'At least one of address or wallet_address should be specified';
    expect(await ask('limit=1&address=')).toEqual({ code: 422, error });
    const orders = await app.inject({ url: '/api/v3/multisig/orders' });
    expect(orders.json().error).toBe('At least one of address or multisig_address should be specified');
  });
});
