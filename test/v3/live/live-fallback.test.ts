import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LiveChain } from '../../../src/live/chain.ts';
import { openDemoWallets } from '../../../src/localnet/demo/demo-wallets.ts';
import { formatAccount } from '../../../src/v3/values.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openIndexedDemo } from '../support/indexed-demo.ts';
import { openLiveApp, steadyAccounts } from '../support/live-app.ts';
import { contractCheck, documentCheck, missingContract } from '../support/response-schemas.ts';

const NOBODY = `0:${'AB'.repeat(32)}`;
const LIVE = 'lite-server';
const OPERATIONS = ['accountStates', 'walletStates', 'addressInformation', 'walletInformation'];
const LISTS: Record<string, string> = { accountStates: 'accounts', walletStates: 'wallets' };

let context: Awaited<ReturnType<typeof openLiveApp>>;
let demo: TestDatabase;
let empty: TestDatabase;
/** Apps with a full index, with an empty index, and with an empty index and no live fallback. */
let indexed: FastifyInstance;
let fresh: FastifyInstance;
let closed: FastifyInstance;
let all: string[];
let gone: string[];

beforeAll(async () => {
  [context, demo, empty] = await Promise.all([openLiveApp(), openIndexedDemo(), createTestDatabase()]);
  indexed = await context.openV3({ database: demo.database });
  fresh = await context.openV3({ database: empty.database });
  closed = await context.openV3({ database: empty.database, liveFallback: false });
  const accounts = await steadyAccounts(demo);
  all = accounts.filter(({ status }) => status !== 'nonexist').map(({ address }) => address);
  gone = accounts.filter(({ status }) => status === 'nonexist').map(({ address }) => address);
});
afterAll(async () => {
  await context?.close();
  await demo?.drop();
  await empty?.drop();
});

async function ask(app: FastifyInstance, url: string, headers: Record<string, string> = {}) {
  const answer = await app.inject({ url: `/api/v3/${url}`, headers });
  return { status: answer.statusCode, body: answer.json(), source: answer.headers['x-tongate-source'] };
}
const addresses = (list: readonly string[]) => list.map((address) => `address=${address}`).join('&');
// biome-ignore lint/suspicious/noExplicitAny: a parsed response
type Answered = any;

describe('accounts with an empty index', () => {
  it.each(['accountStates', 'walletStates'])('%s returns the same as with a full index', async (name) => {
    const url = `${name}?${addresses([...all, ...gone, NOBODY])}`;
    const [known, live] = [await ask(indexed, url), await ask(fresh, url)];
    const main = LISTS[name]!;
    const existing = known.body[main].filter(({ address }: Answered) => all.includes(address));
    expect(live.body[main]).toEqual(existing);
    expect([known.source, live.source]).toEqual([undefined, LIVE]);
    // Domains and tokens come from the index only.
    expect(live.body.metadata).toEqual({});
    for (const address of all)
      expect(live.body.address_book[address]).toEqual({ ...known.body.address_book[address], domain: null });
    expect(Object.keys(live.body.address_book)).toHaveLength(all.length);
  });

  it.each(['addressInformation', 'walletInformation'])(
    '%s returns the same as with a full index',
    async (name) => {
      for (const address of all) {
        const url = `${name}?address=${address}`;
        const [known, live] = [await ask(indexed, url), await ask(fresh, url)];
        expect([live.status, live.body]).toEqual([known.status, known.body]);
        expect(known.source).toBeUndefined();
        if (live.status === 200) expect(live.source).toBe(LIVE);
      }
    },
  );

  it('returns the same for an account that does not exist with and without live fallback', async () => {
    for (const name of OPERATIONS) {
      const answers = [fresh, closed].map((app) => ask(app, `${name}?${addresses([NOBODY])}`));
      const [live, silent] = await Promise.all(answers);
      expect(live).toEqual(silent);
      expect([silent!.status, silent!.source]).toEqual([200, undefined]);
    }
  });

  it('filters accounts that were read live by code hash', async () => {
    const wallet = openDemoWallets().bob.address.toRawString().toUpperCase();
    const { accounts } = (await ask(fresh, `accountStates?${addresses([wallet])}`)).body;
    const [{ code_hash }] = accounts;
    const hash = encodeURIComponent(code_hash);
    const chosen = await ask(fresh, `accountStates?${addresses(all)}&code_hash=${hash}`);
    expect(chosen.body.accounts.every((one: Answered) => one.code_hash === code_hash)).toBe(true);
    expect(chosen.body.accounts.map(({ address }: Answered) => address)).toContain(wallet);
    const none = await ask(fresh, `accountStates?${addresses(all)}&code_hash=${'ab'.repeat(32)}`);
    expect(none).toEqual({
      status: 200,
      body: { accounts: [], address_book: {}, metadata: {} },
      source: undefined,
    });
  });

  it('returns no accounts without live fallback', async () => {
    const url = `accountStates?${addresses(all)}`;
    expect((await ask(closed, url)).body).toEqual({ accounts: [], address_book: {}, metadata: {} });
    expect((await ask(closed, `addressInformation?address=${all[0]}`)).body).toEqual({
      balance: '0',
      code: null,
      data: null,
      frozen_hash: null,
      last_transaction_lt: '0',
      last_transaction_hash: Buffer.alloc(32).toString('base64'),
      status: 'uninit',
    });
  });

  it(`returns responses that match the contract and our own document${missingContract}`, async () => {
    const checks = [documentCheck(), ...(missingContract ? [] : [contractCheck()])];
    for (const name of OPERATIONS) {
      const wallets = Object.values(openDemoWallets()).map(({ address }) => address.toRawString());
      const asked = name in LISTS ? all : [wallets[0]!];
      const { body } = await ask(fresh, `${name}?${addresses(asked)}`);
      for (const check of checks) expect(check(name, body)).toBe('');
    }
  });
});

describe('accounts with a partial index', () => {
  it('reads only the missing accounts from lite servers', async () => {
    const asked: string[] = [];
    const live = watched(context.live, (address) => asked.push(address));
    const half = await createPartialIndex(all.slice(0, 10));
    const app = await context.openV3({ database: half.database, live });
    const { body, source } = await ask(app, `accountStates?${addresses(all.slice(0, 20))}&include_boc=0`);
    expect(body.accounts).toHaveLength(20);
    expect(source).toBe(LIVE);
    expect(asked.sort()).toEqual(all.slice(10, 20).sort());
    // Indexed accounts that the filter excludes are not read either.
    asked.length = 0;
    await ask(app, `accountStates?${addresses(all.slice(0, 10))}&code_hash=${'ab'.repeat(32)}&include_boc=0`);
    expect(asked).toEqual([]);
    await half.drop();
  });

  it('fills in missing code and data from lite servers if they belong to the same state', async () => {
    const half = await openIndexedDemo();
    const db = half.database.primary;
    await db.deleteFrom('account_data').execute();
    await db.deleteFrom('contract_codes').execute();
    const app = await context.openV3({ database: half.database });
    const off = await context.openV3({ database: half.database, liveFallback: false });
    const url = `accountStates?${addresses(all)}`;
    const whole = (await ask(indexed, url)).body.accounts;
    expect((await ask(app, url)).body.accounts).toEqual(whole);
    expect((await ask(app, url)).source).toBe(LIVE);
    const bare = await ask(off, url);
    expect(bare.source).toBeUndefined();
    expect(bare.body.accounts.some((one: Answered) => 'data_boc' in one || 'code_boc' in one)).toBe(false);
    const wallet = openDemoWallets().alice.address.toRawString();
    expect((await ask(app, `walletInformation?address=${wallet}`)).body.wallet_type).toBe('wallet v5 r1');
    // It may be a wallet, so the response is not 409.
    expect((await ask(off, `walletInformation?address=${wallet}`)).body).toEqual({
      code: 503,
      error: 'the data of the account is not in the index yet',
    });
    expect((await ask(off, `addressInformation?address=${wallet}`)).body).toMatchObject({
      code: null,
      data: null,
      status: 'active',
    });
    // An outdated state cannot be completed from the chain.
    await db
      .updateTable('latest_account_states')
      .set({ data_hash: Buffer.alloc(32, 1) })
      .execute();
    const { accounts } = (await ask(app, url)).body;
    expect(accounts.some((one: Answered) => 'data_boc' in one)).toBe(false);
    expect(accounts.some((one: Answered) => 'code_boc' in one)).toBe(true);
    await half.drop();
  });
});

/** Reports every account that is read. */
function watched(live: LiveChain, onAsked: (address: string) => void): LiveChain {
  return {
    ...live,
    accountState: (account, asker) => {
      onAsked(`${account.workchain}:${account.hash.toString('hex').toUpperCase()}`);
      return live.accountState(account, asker);
    },
  };
}

async function createPartialIndex(known: readonly string[]): Promise<TestDatabase> {
  const partial = await openIndexedDemo();
  const db = partial.database.primary;
  const rows = await db.selectFrom('latest_account_states').select('account').execute();
  const others = rows.filter(({ account }) => !known.includes(formatAccount(account)));
  const accounts = others.map(({ account }) => account);
  await db.deleteFrom('latest_account_states').where('account', 'in', accounts).execute();
  return partial;
}
