import { Address, Cell } from '@ton/core';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { interfaceNames } from '../../src/chain/contracts/interfaces.ts';
import { readMethodIds } from '../../src/chain/contracts/method-ids.ts';
import { openDemoWallets } from '../../src/localnet/demo/demo-wallets.ts';
import type { TestDatabase } from '../support/database.ts';
import { readIndexedDemo } from './support/indexed-demo.ts';
import { openLiveApp, steadyAccounts } from './support/live-app.ts';
import { contractCheck, documentCheck, missingContract } from './support/response-schemas.ts';

let live: Awaited<ReturnType<typeof openLiveApp>>;
let test: TestDatabase;
let app: FastifyInstance;
let all: string[];

beforeAll(async () => {
  [live, test] = await Promise.all([openLiveApp(), readIndexedDemo()]);
  app = await live.openV3({ database: test.database });
  all = (await steadyAccounts(test)).map(({ address }) => address).sort();
});
afterAll(async () => {
  await live?.close();
  await test?.drop();
});

async function ask(url: string) {
  const answer = await app.inject({ url: `/api/v3/${url}` });
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
}
const many = (name: string, values: readonly string[]) =>
  values.map((value) => `${name}=${encodeURIComponent(value)}`).join('&');
// biome-ignore lint/suspicious/noExplicitAny: a parsed response
type Answered = any;

/** The account as v2 returns it, read from the chain. */
async function onChain(address: string): Promise<Answered> {
  return (await live.call('getAddressInformation', { address })).body.result;
}
const cellOf = (base64: string) => Cell.fromBase64(base64);
const hashOf = (base64: string) => cellOf(base64).hash().toString('base64');
const STATUS: Record<string, readonly string[]> = {
  active: ['active'],
  frozen: ['frozen'],
  uninitialized: ['uninit', 'nonexist'],
};

describe('accountStates', () => {
  it('returns every account of the demo chain with its state on the chain', async () => {
    const { status, body, headers } = await ask(`accountStates?${many('address', all)}`);
    expect(status).toBe(200);
    expect(headers['x-tongate-source']).toBeUndefined();
    expect(body.accounts.map(({ address }: Answered) => address).sort()).toEqual(all);
    expect(all.length).toBeGreaterThan(40);
    for (const account of body.accounts) {
      const there = await onChain(account.address);
      expect(account.balance).toBe(there.balance);
      expect(STATUS[there.state]).toContain(account.status);
      expect(account.extra_currencies).toEqual(
        Object.fromEntries(there.extra_currencies.map(({ id, amount }: Answered) => [String(id), amount])),
      );
      if (account.status === 'nonexist') continue;
      expect([account.last_transaction_lt, account.last_transaction_hash]).toEqual([
        there.last_transaction_id.lt,
        there.last_transaction_id.hash,
      ]);
      expect(account.frozen_hash ?? '').toBe(there.frozen_hash);
      for (const part of ['code', 'data']) {
        expect(Boolean(account[`${part}_boc`])).toBe(there[part] !== '');
        if (there[part] === '') continue;
        expect(account[`${part}_hash`]).toBe(hashOf(there[part]));
        expect(hashOf(account[`${part}_boc`])).toBe(account[`${part}_hash`]);
        // Without a checksum, and otherwise in the cell order of the node.
        expect(account[`${part}_boc`].startsWith('te6ccg')).toBe(true);
      }
    }
  });

  it('returns state hashes that match the chain', async () => {
    const { body } = await ask(`accountStates?${many('address', all)}&include_boc=false`);
    const existing = body.accounts.filter(({ status }: Answered) => status !== 'nonexist').slice(0, 20);
    for (const { address, account_state_hash } of existing) {
      const { bytes } = (await live.call('getShardAccountCell', { address })).body.result;
      // A ShardAccount has the account in its first reference.
      expect(cellOf(bytes).refs[0]!.hash().toString('base64')).toBe(account_state_hash);
    }
  });

  it('returns get-method ids and interfaces by code', async () => {
    const { body } = await ask(`accountStates?${many('address', all)}`);
    let named = 0;
    for (const { code_boc, code_hash, contract_methods, interfaces } of body.accounts) {
      if (code_boc === undefined) {
        expect([contract_methods, interfaces]).toEqual([null, []]);
        continue;
      }
      const methods = readMethodIds(Buffer.from(code_boc, 'base64'));
      expect(contract_methods).toEqual(methods?.toSorted((a, b) => a - b) ?? null);
      expect(interfaces).toEqual(interfaceNames(Buffer.from(code_hash, 'base64'), methods));
      named += interfaces?.length ?? 0;
    }
    expect(named).toBeGreaterThan(20);
  });

  it('leaves out code and data with include_boc=false', async () => {
    const full = (await ask(`accountStates?${many('address', all)}&include_boc=1`)).body;
    const bare = (await ask(`accountStates?${many('address', all)}&include_boc=false`)).body;
    const without = full.accounts.map(({ code_boc, data_boc, ...rest }: Answered) => rest);
    expect(bare).toEqual({ ...full, accounts: without });
  });

  it('filters by code hash', async () => {
    const { accounts } = (await ask(`accountStates?${many('address', all)}`)).body;
    const hashes = [...new Set<string>(accounts.flatMap(({ code_hash }: Answered) => code_hash ?? []))];
    expect(hashes.length).toBeGreaterThan(5);
    for (const chosen of [...hashes.map((hash) => [hash]), hashes.slice(0, 3), [hashes[0]!, hashes[0]!]]) {
      const url = `${many('address', all)}&${many('code_hash', chosen)}`;
      const states = await ask(`accountStates?${url}`);
      const expected = accounts.filter(({ code_hash }: Answered) => chosen.includes(code_hash));
      expect(states.body.accounts).toEqual(expected);
      const addresses = expected.map(({ address }: Answered) => address);
      expect(Object.keys(states.body.address_book).sort()).toEqual(addresses.toSorted());
      const wallets = await ask(`walletStates?${url}`);
      expect(wallets.body.wallets.map(({ address }: Answered) => address)).toEqual(addresses);
    }
    const none = await ask(`accountStates?${many('address', all)}&code_hash=${'ab'.repeat(32)}`);
    expect(none.body).toEqual({ accounts: [], address_book: {}, metadata: {} });
  });

  it('accepts addresses in any form and order, and returns each account once', async () => {
    const [first, second] = [all[0]!, all.at(-1)!];
    const friendly = Address.parse(first).toString({ urlSafe: false });
    const { body } = await ask(
      `accountStates?address[]=${encodeURIComponent(friendly)}&ADDRESS=${first},${second.toLowerCase()}`,
    );
    expect(body.accounts.map(({ address }: Answered) => address).sort()).toEqual([first, second]);
    expect(Object.keys(body.address_book).sort()).toEqual([first, second]);
    const empty = await ask(`accountStates?${many('address', [first])}&x_no_address_book=1&x_no_metadata=1`);
    expect([empty.body.address_book, empty.body.metadata]).toEqual([{}, {}]);
  });

  it('leaves out unknown accounts', async () => {
    const nobody = `0:${'AB'.repeat(32)}`;
    const { body } = await ask(`accountStates?address=${nobody},${all[0]}`);
    expect(body.accounts.map(({ address }: Answered) => address)).toEqual([all[0]]);
    expect(Object.keys(body.address_book)).toEqual([all[0]]);
  });
});

describe('walletStates', () => {
  it('returns the same wallets as v2 for every account of the demo', async () => {
    const { body } = await ask(`walletStates?${many('address', all)}`);
    expect(body.wallets).toHaveLength(all.length);
    for (const wallet of body.wallets) {
      const there = (await live.call('getWalletInformation', { address: wallet.address })).body.result;
      expect(wallet.is_wallet).toBe(there.wallet);
      expect(wallet.wallet_type).toBe(there.wallet_type);
      expect(wallet.seqno).toBe(there.seqno);
      expect(wallet.is_signature_allowed).toBe(there.is_signature_allowed);
      expect(wallet.balance).toBe(there.balance);
      // v2 returns a signed number.
      expect(wallet.wallet_id === undefined ? undefined : wallet.wallet_id | 0).toBe(there.wallet_id);
      if (wallet.status !== 'nonexist') expect(wallet.last_transaction_lt).toBe(there.last_transaction_id.lt);
    }
  });

  it('recognises all wallet versions of the demo', async () => {
    const wallets = Object.values(openDemoWallets());
    const addresses = wallets.map(({ address }) => address.toRawString());
    const { body } = await ask(`walletStates?${many('address', addresses)}`);
    const types = new Set(body.wallets.flatMap(({ wallet_type }: Answered) => wallet_type ?? []));
    expect(types.size).toBeGreaterThanOrEqual(8);
    const kate = body.wallets.find(({ address }: Answered) =>
      Address.parse(address).equals(openDemoWallets().kate.address),
    );
    expect(kate).toMatchObject({ is_wallet: false, status: 'active', code_hash: expect.any(String) });
  });
});

describe('accountStates and walletStates', () => {
  it.each(['accountStates', 'walletStates'])(
    '%s refuses malformed parameters and names them',
    async (name) => {
      const good = `address=${all[0]}`;
      const bad = (parameter: string, at?: number) =>
        `failed to decode: schema: error converting value for ${at === undefined ? '' : `index ${at} of `}"${parameter}"`;
      const cases: [string, string][] = [
        ['', 'address of account is required'],
        ['address=', 'address of account is required'],
        ['address=&address[]=', 'address of account is required'],
        ['address=nobody', bad('address', 0)],
        [`${good}&address=0:12`, bad('address', 1)],
        [`address=${'ab'.repeat(32)}`, bad('address', 0)],
        [`address=200:${'ab'.repeat(32)}`, bad('address', 0)],
        [`${good}&code_hash=xyz`, bad('code_hash', 0)],
        [
          many(
            'address',
            Array.from({ length: 1001 }, () => all[0]!),
          ),
          'address list exceeds maximum length of 1000',
        ],
      ];
      if (name === 'accountStates') cases.push([`${good}&include_boc=maybe`, bad('include_boc')]);
      for (const [query, error] of cases)
        expect((await ask(`${name}?${query}`)).body).toEqual({ code: 422, error });
    },
  );

  it('accept a thousand addresses', async () => {
    const crowd = Array.from(
      { length: 999 },
      (_, i) => `0:${i.toString(16).padStart(64, '0').toUpperCase()}`,
    );
    const off = await live.openV3({ database: test.database, liveFallback: false });
    for (const name of ['accountStates', 'walletStates']) {
      const url = `/api/v3/${name}?${many('address', [...crowd, all[0]!])}`;
      const answer = await off.inject({ url });
      expect(answer.statusCode).toBe(200);
      expect(Object.keys(answer.json().address_book)).toEqual([all[0]]);
    }
  });

  it(`match the contract and our own document${missingContract}`, async () => {
    const checks = [documentCheck(), ...(missingContract ? [] : [contractCheck()])];
    for (const name of ['accountStates', 'walletStates']) {
      const { body } = await ask(`${name}?${many('address', all)}`);
      for (const check of checks) expect(check(name, body)).toBe('');
    }
  });
});
