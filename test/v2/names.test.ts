import { hash as hashOnce } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Address, beginCell, toNano } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoSummary } from '../../src/localnet/demo/run-demo.ts';
import { deployByAlice } from './support/deploy.ts';
import { dnsRecordsOf } from './support/dns-records.ts';
import { DROP, OWN_ADDRESS, type Step, scriptedContract } from './support/scripted-contract.ts';
import { openLocalnetApp } from './support/v2-app.ts';

const SOMEBODY = new Address(0, Buffer.alloc(32, 7));
const POOR = new Address(0, Buffer.alloc(32, 8));
const CATEGORIES = Object.fromEntries(
  ['wallet', 'site', 'storage', 'dns_next_resolver'].map((name) => [
    name,
    hashOnce('sha256', name, 'buffer'),
  ]),
);
const resolver = (...steps: Step[]) => scriptedContract({ dnsresolve: [DROP, DROP, ...steps] });

const SCRIPTED = {
  /** Returns itself as the next resolver after each byte. */
  circle: resolver(8n, OWN_ADDRESS, 0xba93n, { code: 'c8cb0fcec9' }),
  far: resolver(
    8n,
    beginCell()
      .storeUint(0xba93, 16)
      .storeAddress(new Address(5, Buffer.alloc(32)))
      .endCell(),
  ),
  text: resolver(8n, dnsRecordsOf({ wallet: SOMEBODY })),
  halfByte: resolver(4n, beginCell().endCell()),
  tooMuch: resolver(8000n, beginCell().endCell()),
  noCell: resolver(8n, 8n),
  nothing: resolver(),
  zero: resolver(0n, beginCell().endCell()),
  noRecords: resolver(8n, beginCell().storeUint(0, 3).endCell()),
  inTheMiddle: resolver(16n, beginCell().storeUint(0xba93, 16).storeAddress(SOMEBODY).endCell()),
};

describe('dnsResolve on a live chain', () => {
  let context: Awaited<ReturnType<typeof openLocalnetApp>>;
  let demo: DemoSummary;

  beforeAll(async () => {
    context = await openLocalnetApp({ demo: true, blockMs: 100 });
    demo = JSON.parse(await readFile(`${context.folder}/demo.json`, 'utf8'));
    await context.running.faucet.fund(POOR, toNano(1));
    await deployByAlice(context, Object.values(SCRIPTED));
  });
  afterAll(() => context?.close());

  const contract = (name: string): string => Address.parse(demo.contracts[name]!).toString();
  const alice = (): string => Address.parse(demo.wallets.alice!.address).toString();
  const resolve = async (address: Address | string, more: Record<string, unknown> = {}) =>
    (await context.call('dnsResolve', { address: String(address), ...more })).body;
  const refusalOf = async (address: Address | string, more?: Record<string, unknown>) => {
    const { code, error } = await resolve(address, more);
    expect(context.pool.servers()).toMatchObject([{ state: 'live', wrongResponses: 0 }]);
    return [code, error];
  };
  const nextResolver = (name: string, address: string) => ({
    '@type': 'dns.entry',
    name,
    category: CATEGORIES.dns_next_resolver!.toString('base64'),
    entry: {
      '@type': 'dns.entryDataNextResolver',
      resolver: { '@type': 'accountAddress', account_address: address },
    },
  });
  const walletEntry = (name: string) => ({
    '@type': 'dns.entry',
    name,
    category: CATEGORIES.wallet!.toString('base64'),
    entry: {
      '@type': 'dns.entryDataSmcAddress',
      smc_address: { '@type': 'accountAddress', account_address: alice() },
    },
  });

  it('returns the next resolver when ttl is used up', async () => {
    const root = contract('DNS root');
    for (const transport of ['get', 'post', 'rpc'] as const) {
      const { body } = await context.call('dnsResolve', { address: root, name: 'alice.ton' }, transport);
      expect(body.result, JSON.stringify(body)).toEqual({
        '@type': 'dns.resolved',
        entries: [nextResolver('ton.', contract('DNS zone .ton'))],
      });
    }
    const { result } = await resolve(root, { name: 'alice.ton.', ttl: 1 });
    expect(result.entries).toEqual([nextResolver('alice.', contract('domain alice.ton'))]);
  });

  it('returns all records of a name', async () => {
    const { entries } = (await resolve(contract('DNS root'), { name: 'alice.ton', ttl: 9 })).result;
    expect(entries).toHaveLength(3);
    expect(entries).toContainEqual(walletEntry(''));
    const site = CATEGORIES.site!.toString('base64');
    expect(entries.find(({ category }: { category: string }) => category === site).entry).toEqual({
      '@type': 'dns.entryDataAdnlAddress',
      adnl_address: { '@type': 'adnlAddress', adnl_address: expect.stringMatching(/^[a-z2-7]{55}$/) },
    });
    const storage = CATEGORIES.storage!.toString('base64');
    expect(entries.find(({ category }: { category: string }) => category === storage).entry).toEqual({
      '@type': 'dns.entryDataStorageAddress',
      bag_id: hashOnce('sha256', 'bag of alice.ton', 'hex'),
    });
    const order = entries.map(({ category }: { category: string }) => Buffer.from(category, 'base64'));
    expect(order).toEqual([...order].sort(Buffer.compare));
  });

  it('returns the records of a category given by name or hash', async () => {
    const item = contract('domain alice.ton');
    const { wallet } = CATEGORIES;
    for (const category of ['wallet', wallet!.toString('hex'), wallet!.toString('base64')]) {
      const { result } = await resolve(item, { category });
      expect(result.entries, category).toEqual([walletEntry('.')]);
      const { body } = await context.call('dnsResolve', { address: item, category }, 'get');
      expect(body.result.entries, category).toEqual([walletEntry('.')]);
    }
    expect((await resolve(item, { category: 'dns_text' })).result.entries).toEqual([]);
    expect((await resolve(item, { category: '00'.repeat(32) })).result.entries).toHaveLength(3);
    expect((await resolve(item, { category: 'wallet', name: 'sub' })).result.entries).toEqual([]);
  });

  it('returns no records for a name without records', async () => {
    expect((await resolve(contract('DNS root'), { name: 'alice.xyz' })).result.entries).toEqual([]);
    expect((await resolve(contract('domain carol.ton'))).result.entries).toEqual([]);
    expect((await resolve(SCRIPTED.zero.address)).result.entries).toEqual([]);
    // A record of an unknown kind is left out.
    expect((await resolve(SCRIPTED.text.address)).result.entries).toHaveLength(1);
  });

  it('reads the records at an older block', async () => {
    const { code } = await resolve(contract('domain alice.ton'), { seqno: 3 });
    expect(code).toBe(500);
  });

  it('fails with the error text of tonlib for a contract that is not a resolver', async () => {
    expect(await refusalOf(alice())).toEqual([500, 'get method failed']);
    expect(await refusalOf(new Address(0, Buffer.alloc(32, 99)))).toEqual([500, 'get method failed']);
    expect(await refusalOf(POOR)).toEqual([500, 'VALIDATE_ACCOUNT_STATEAccount is not active']);
    for (const name of ['tooMuch', 'noCell', 'nothing'] as const)
      expect(await refusalOf(SCRIPTED[name].address), name).toEqual([500, 'get method failed']);
    expect(await refusalOf(SCRIPTED.halfByte.address)).toEqual([500, 'Prefix size is not divisible by 8']);
    expect(await refusalOf(SCRIPTED.noRecords.address)).toEqual([500, 'Invalid DNS category dictionary']);
    expect(await refusalOf(SCRIPTED.inTheMiddle.address, { name: 'sub', ttl: 1 })).toEqual([
      500,
      'INTERNALdomain is not a suffix of the query',
    ]);
    const [code, error] = await refusalOf(SCRIPTED.far.address, { name: 'sub', ttl: 1 });
    expect(code).toBe(500);
    expect(error).toMatch(/^VALIDATE_ACCOUNT_STATEshard block id .* in answer is invalid$/);
  });

  it('stops when resolvers refer to each other', async () => {
    const name = Array.from('abcdefghijklmnopqrstuvwxyz').join('.');
    const { result } = await resolve(SCRIPTED.circle.address, { name, ttl: 2 ** 31 - 1 });
    expect(result.entries).toEqual([nextResolver(expect.any(String), SCRIPTED.circle.address.toString())]);
  });

  it('rejects invalid names and numbers', async () => {
    const address = contract('DNS root');
    expect(await refusalOf(address, { name: `${'a'.repeat(125)}.ton` })).toEqual([500, 'Name is too long']);
    expect(await refusalOf(address, { name: 'я'.repeat(63) })).toEqual([500, 'DNS encoded name is too long']);
    expect(await refusalOf(address, { name: 7 })).toEqual([
      422,
      "failed to parse post request: Error at path 'name': must be a string",
    ]);
    expect(await refusalOf(address, { ttl: 'soon' })).toEqual([
      422,
      "failed to parse post request: Error at path 'ttl': failed to parse ttl",
    ]);
    expect(await refusalOf(address, { seqno: 0 })).toEqual([
      422,
      'failed to validate request: seqno should be positive',
    ]);
  });
});
