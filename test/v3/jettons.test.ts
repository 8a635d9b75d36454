import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatAccount } from '../../src/v3/values.ts';
import { hashOf } from '../db/support/filled-index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { type CheckedList, checkCombinations, checkForms, checkRefusals } from './support/list-checks.ts';
import { isNamed, type ListQuery, sortBy, valuesOf } from './support/list-queries.ts';
import { made, rawMade, scatter, stateOf } from './support/made-rows.ts';

const MASTERS = Array.from({ length: 30 }, (_, i) => ({
  ...stateOf('jetton', i),
  total_supply: '9'.repeat(30),
  mintable: i % 2 === 0,
  content: { name: `"${i}"\n` },
  admin: i % 3 === 0 ? null : made('person', i % 4),
  wallet_code_hash: hashOf('wallet'),
}));
/** Some have an airdrop that is not claimed; of a claimed one the amount is still stored. */
const WALLETS = Array.from({ length: 60 }, (_, i) => ({
  ...stateOf('wallet', i),
  balance: String(scatter(i, 4) * 10 ** 15),
  owner: made('person', i % 5),
  jetton: made('jetton', i % 4),
  mintless_is_claimed: [false, true, null][i % 3],
  mintless_amount: i % 9 === 0 ? '0' : i % 3 === 1 || i % 6 === 0 ? '700' : null,
  mintless_start_from: '1700000000',
  mintless_expire_at: null,
}));

let test: TestDatabase;
let app: FastifyInstance;

beforeAll(async () => {
  test = await createTestDatabase();
  const db = test.database.primary;
  await db.insertInto('jetton_masters').values(MASTERS).execute();
  await db.insertInto('jetton_wallets').values(WALLETS).execute();
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
});
afterAll(async () => {
  await app?.close();
  await test.drop();
});

const raw = (kind: string, ...numbers: number[]) => numbers.map((number) => rawMade(kind, number));
const addresses = (rows: readonly { readonly account: Buffer }[]) =>
  rows.map((row) => formatAccount(row.account));
const byId = (row: { readonly id: string }) => Number(row.id);

const MASTER_LIST: CheckedList = {
  name: 'jetton/masters',
  key: 'jetton_masters',
  choices: {
    address: [raw('jetton', 3), raw('jetton', 9, 1, 4, 1, 7, 5), raw('nothing', 1)],
    admin_address: [raw('person', 1), raw('person', 3, 2, 1)],
  },
  idOf: (row) => row.address!,
  expected: (query) => {
    const found = MASTERS.filter(
      (row) => isNamed(query, 'address', row.account) && isNamed(query, 'admin_address', row.admin),
    );
    return addresses(query.address ? sortBy(found, (row) => row.account) : sortBy(found, byId));
  },
};

const WALLET_LIST: CheckedList = {
  name: 'jetton/wallets',
  key: 'jetton_wallets',
  choices: {
    address: [raw('wallet', 3), raw('wallet', ...Array.from({ length: 25 }, (_, i) => i))],
    owner_address: [raw('person', 1), raw('person', 4, 0, 1)],
    jetton_address: [raw('jetton', 1), raw('jetton', 3, 1)],
    exclude_zero_balance: ['true', '0'],
    sort: ['asc', 'D'],
  },
  idOf: (row) => row.address!,
  isRefused: (query) =>
    valuesOf(query, 'jetton_address').length > 1 && valuesOf(query, 'owner_address').length !== 1,
  expected: expectedWallets,
};

function expectedWallets(query: ListQuery): string[] {
  const found = WALLETS.filter(
    (row) =>
      isNamed(query, 'address', row.account) &&
      isNamed(query, 'owner_address', row.owner) &&
      isNamed(query, 'jetton_address', row.jetton) &&
      (query.exclude_zero_balance !== 'true' ||
        row.balance !== '0' ||
        (row.mintless_is_claimed === false && row.mintless_amount === '700')),
  );
  const sorted = sortBy(
    found,
    ...(query.sort ? [(row: (typeof WALLETS)[0]) => BigInt(row.balance)] : []),
    byId,
  );
  const plain = query.sort === 'D' ? sorted.reverse() : sorted;
  if (valuesOf(query, 'jetton_address').length === 1) return addresses(plain);
  if (query.owner_address) return addresses(sortBy(plain, (row) => row.owner));
  return addresses(query.address ? sortBy(plain, (row) => row.account) : plain);
}

const BAD = ['x', '0:00', `${rawMade('person', 1)},x`];

describe.each([
  [MASTER_LIST, { address: BAD, admin_address: BAD }],
  [
    WALLET_LIST,
    { address: BAD, owner_address: BAD, jetton_address: BAD, exclude_zero_balance: ['x'], sort: ['up'] },
  ],
] as const)('$name', (list, bad) => {
  it('returns the right rows for all combinations of filters, whole and in pages', async () => {
    expect(await checkCombinations(app, list)).toBeGreaterThan(40);
  });

  it('matches the contract', async () => {
    await checkForms(app, list.name, [{}, { address: list.choices.address![1]! }]);
  });

  it('refuses malformed parameters by name', async () => {
    await checkRefusals(app, list.name, bad);
  });
});

describe('jetton/wallets', () => {
  it('refuses several jettons without one owner', async () => {
    for (const owners of ['', `&owner_address=${raw('person', 1, 2)}`]) {
      const url = `/api/v3/jetton/wallets?jetton_address=${raw('jetton', 1, 2)}${owners}`;
      const answer = await app.inject({ url });
      const error = 'exact one owner_address required for multiple jetton_address';
      expect(answer.json()).toEqual({ code: 422, error });
    }
  });

  it('shows an airdrop that is not claimed, with the API that the metadata of the jetton names', async () => {
    const shown = async (number: number) =>
      (await app.inject({ url: `/api/v3/jetton/wallets?address=${raw('wallet', number)}` })).json()
        .jetton_wallets[0].mintless_info;
    const airdrop = { amount: '700', start_from: 1_700_000_000, expire_at: null };
    const forms: [unknown, string[] | null][] = [
      [undefined, null],
      ['https://a.test', ['https://a.test']],
      [
        ['https://a.test', 5, 'https://b.test'],
        ['https://a.test', 'https://b.test'],
      ],
      [{}, null],
    ];
    for (const [uri, expected] of forms) {
      const extra = JSON.stringify({ custom_payload_api_uri: uri });
      await test.database.primary
        .insertInto('token_metadata')
        .values({
          account: made('jetton', 0),
          kind: 'jetton_masters',
          source_hash: Buffer.alloc(32),
          valid: true,
          extra,
        })
        .onConflict((conflict) => conflict.columns(['account', 'kind']).doUpdateSet({ extra }))
        .execute();
      expect(await shown(12)).toEqual({ ...airdrop, custom_payload_api_uri: expected });
    }
    expect(await shown(6)).toEqual({ ...airdrop, custom_payload_api_uri: null });
    for (const number of [1, 2, 3]) expect(await shown(number)).toBeUndefined();
  });

  it('returns a wallet with owner and jetton in the address book and metadata', async () => {
    const answer = await app.inject({ url: `/api/v3/jetton/wallets?address=${raw('wallet', 3)}` });
    const [row] = WALLETS.filter(({ account }) => account.equals(made('wallet', 3)));
    const [address, owner, jetton] = [row!.account, row!.owner, row!.jetton].map(formatAccount);
    const { address_book, metadata, ...rest } = answer.json();
    expect(rest).toEqual({
      jetton_wallets: [
        {
          address,
          owner,
          jetton,
          balance: row!.balance,
          last_transaction_lt: row!.last_transaction_lt,
          code_hash: row!.code_hash.toString('base64'),
          data_hash: row!.data_hash.toString('base64'),
        },
      ],
    });
    expect(Object.keys(address_book).sort()).toEqual([address, owner, jetton].sort());
    expect(Object.keys(metadata).sort()).toEqual([address, jetton].sort());
  });
});
