import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatFriendly, formatRaw } from '../../src/chain/address.ts';
import { methodIdByName } from '../../src/chain/contracts/method-ids.ts';
import { account, domainRow, stateRow } from '../db/support/contract-rows.ts';
import { hashOf } from '../db/support/filled-index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';

const WALLET_V4R2 = Buffer.from('/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=', 'base64');
const HIGHLOAD_V2 = Buffer.from('lJTRzI7fEvBWcaGpugmSEJbrUIEeGSTsZcPGKfu4CBI=', 'base64');

let test: TestDatabase;
let app: FastifyInstance;
let testnet: FastifyInstance;

beforeAll(async () => {
  test = await createTestDatabase();
  const db = test.database.primary;
  const jetton = ['get_jetton_data', 'get_wallet_address'].map(methodIdByName);
  await db
    .insertInto('contract_codes')
    .values([
      { hash: hashOf('jetton'), boc: Buffer.of(1), methods: jetton },
      { hash: hashOf('nameless'), boc: Buffer.of(1), methods: [0, 1] },
      { hash: hashOf('library'), boc: Buffer.of(1), methods: null },
    ])
    .execute();
  await db
    .insertInto('latest_account_states')
    .values([
      stateRow('wallet', WALLET_V4R2),
      stateRow('highload', HIGHLOAD_V2),
      stateRow('jetton', hashOf('jetton')),
      stateRow('another jetton', hashOf('jetton')),
      stateRow('nameless', hashOf('nameless')),
      stateRow('library', hashOf('library')),
      stateRow('uninit'),
    ])
    .execute();
  await db
    .insertInto('dns_entries')
    .values([domainRow('long-name.ton', 'wallet', 'wallet'), domainRow('name.t.me', 'wallet', 'wallet')])
    .execute();
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
  testnet = await buildV3App({ ports: { ...NO_INDEX, database: test.database, testOnly: true } });
});
afterAll(async () => {
  await app.close();
  await testnet.close();
  await test.drop();
});

const parts = (name: string) => ({ workchain: 0, hash: account(name).subarray(1) });
const raw = (name: string) => formatRaw(parts(name), 'upper');
const friendly = (name: string, bounceable: boolean, testOnly = false) =>
  formatFriendly(parts(name), { bounceable, testOnly });

async function ask(addresses: readonly string[], on = app) {
  const query = addresses.map((address) => `address=${encodeURIComponent(address)}`).join('&');
  const answer = await on.inject({ url: `/api/v3/addressBook?${query}` });
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

describe('addressBook', () => {
  it.each([
    ['wallet', false, 'name.t.me', ['wallet_v4r2']],
    ['highload', true, null, ['wallet_highload_v2']],
    ['jetton', true, null, ['jetton_master']],
    ['nameless', true, null, null],
    ['library', true, null, []],
    ['uninit', false, null, null],
    ['nobody', false, null, []],
  ])('returns the entry of %s', async (name, bounceable, domain, interfaces) => {
    const entry = { user_friendly: friendly(name, bounceable), domain, interfaces };
    expect(await ask([raw(name)])).toEqual({ [raw(name)]: entry });
  });

  it('marks addresses as test-only on a test network', async () => {
    const book = await ask([raw('wallet'), raw('jetton')], testnet);
    expect(book[raw('wallet')].user_friendly).toBe(friendly('wallet', false, true));
    expect(book[raw('jetton')].user_friendly).toBe(friendly('jetton', true, true));
  });

  it('keys entries by the address as given, each once', async () => {
    const forms = [raw('jetton'), raw('jetton').toLowerCase(), friendly('jetton', false), raw('jetton')];
    const book = await ask([...forms, 'line\nbreak', '__proto__', `${raw('jetton')},${raw('wallet')}`]);
    const entry = { user_friendly: friendly('jetton', true), domain: null, interfaces: ['jetton_master'] };
    const none = { user_friendly: null, domain: null, interfaces: [] };
    expect(Object.entries(book)).toEqual([
      [forms[0], entry],
      [forms[1], entry],
      [forms[2], entry],
      ['line\nbreak', none],
      ['__proto__', none],
      [`${raw('jetton')},${raw('wallet')}`, none],
    ]);
  });

  it('accepts base64 with an unescaped plus', async () => {
    const name = Array.from({ length: 100 }, (_, i) => `account ${i}`).find((each) =>
      friendly(each, true).includes('-'),
    )!;
    const text = friendly(name, true).replaceAll('-', '+').replaceAll('_', '/');
    const answer = await app.inject({ url: `/api/v3/addressBook?address=${text}` });
    expect(answer.json()).toEqual({
      [text]: { user_friendly: friendly(name, false), domain: null, interfaces: [] },
    });
  });

  it('does not query the index for malformed addresses', async () => {
    const noIndex = await buildV3App();
    expect(await ask(['nonsense'], noIndex)).toHaveProperty('nonsense');
    await noIndex.close();
  });

  it('accepts up to 1024 addresses', async () => {
    const addresses = Array.from({ length: 1024 }, (_, i) => raw(i === 7 ? 'wallet' : `account ${i}`));
    const book = await ask(addresses);
    expect(Object.keys(book)).toEqual(addresses);
    expect(book[raw('wallet')].domain).toBe('name.t.me');
    const query = [...addresses, raw('jetton')].map((address) => `address=${address}`).join('&');
    const refused = await app.inject({ url: `/api/v3/addressBook?${query}` });
    expect(refused.json()).toEqual({ code: 422, error: 'address list exceeds maximum length of 1024' });
  });

  it.each(['', '?address=', '?address=&address[]='])('refuses %s', async (query) => {
    for (const name of ['addressBook', 'metadata']) {
      const answer = await app.inject({ url: `/api/v3/${name}${query}` });
      expect(answer.json()).toEqual({ code: 422, error: 'at least 1 address required' });
    }
  });
});
