import { readFile } from 'node:fs/promises';
import { Address, beginCell, type Cell, toNano } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LiteTimeout } from '../../src/lite/errors.ts';
import { readAccountAt } from '../../src/live/accounts.ts';
import { createLiveCaches } from '../../src/live/caches.ts';
import { createResender } from '../../src/live/send-messages.ts';
import type { LiveCall, LivePorts } from '../../src/live/session.ts';
import { readTokenData } from '../../src/live/tokens.ts';
import { onChainContent } from '../../src/localnet/contracts/contract.ts';
import type { DemoSummary } from '../../src/localnet/demo/run-demo.ts';
import { tokenData } from '../../src/v2/tokens.ts';
import { offChainContent } from '../localnet/support/contract-messages.ts';
import { deployByAlice } from './support/deploy.ts';
import { dnsRecordsOf } from './support/dns-records.ts';
import {
  ADDRESS_OF_ID,
  DROP,
  OWN_ADDRESS,
  OWN_ID,
  type Step,
  scriptedContract,
  THROW,
} from './support/scripted-contract.ts';
import { openLocalnetApp, type V2TestApp } from './support/v2-app.ts';

const addressSlice = (address: Address | null): Step => ({
  slice: beginCell().storeAddress(address).endCell(),
});
const SOMEBODY = new Address(0, Buffer.alloc(32, 7));
const NOWHERE = new Address(5, Buffer.alloc(32, 7));
const CODE = beginCell().storeUint(5, 8).endCell();
const CONTENT = offChainContent('https://example.test/ж.json');
const NOT_UTF8 = beginCell().storeUint(1, 8).storeUint(0xff, 8).endCell();
const CUT = beginCell().storeUint(1, 8).storeUint(1, 3).endCell();

const master = (content: Cell, admin: Address | null = null): Step[] => [
  -5n,
  0n,
  addressSlice(admin),
  content,
  CODE,
];
/** A jetton master whose wallet of every owner is the owner itself. */
const ECHOING = scriptedContract({ get_wallet_address: [] });
const walletOf = (jetton: Address): Step[] => [7n, OWN_ADDRESS, addressSlice(jetton), CODE];
/** A collection whose item index is the hash of the item's address. */
const COLLECTION = scriptedContract({
  get_nft_address_by_index: [ADDRESS_OF_ID],
  get_nft_content: [DROP, DROP, CONTENT],
});
const item = (collection: Address | null, content: Cell): Step[] => [
  -1n,
  OWN_ID,
  addressSlice(collection),
  addressSlice(null),
  content,
];
const RECORDS = dnsRecordsOf({ wallet: SOMEBODY, other: SOMEBODY });
const domain = { get_nft_data: item(COLLECTION.address, CONTENT), dnsresolve: [DROP, DROP, 8n, RECORDS] };
const text = (bytes: string): Step => ({ slice: beginCell().storeBuffer(Buffer.from(bytes)).endCell() });

const SCRIPTED = {
  master: scriptedContract({ get_jetton_data: master(CONTENT) }),
  several: scriptedContract({
    get_collection_data: [3n, CONTENT, addressSlice(SOMEBODY)],
    get_jetton_data: master(onChainContent({ name: 'Both', unknown: 'dropped' }), SOMEBODY),
  }),
  adminOutside: scriptedContract({
    get_jetton_data: [
      1n,
      1n,
      { slice: beginCell().storeUint(0b01, 2).storeUint(0, 9).endCell() },
      CONTENT,
      CODE,
    ],
  }),
  notUtf8: scriptedContract({ get_jetton_data: master(NOT_UTF8) }),
  cut: scriptedContract({ get_jetton_data: master(CUT) }),
  noCell: scriptedContract({ get_jetton_data: [1n, 1n, addressSlice(null), 5n, CODE] }),
  tooFew: scriptedContract({ get_jetton_data: [1n, 1n, addressSlice(null), CONTENT] }),
  throwing: scriptedContract({
    get_jetton_data: [THROW],
    get_collection_data: [1n, CONTENT, addressSlice(null)],
  }),
  claimed: scriptedContract({ get_wallet_data: walletOf(ECHOING.address), is_claimed: [-1n] }),
  unclaimed: scriptedContract({ get_wallet_data: walletOf(ECHOING.address), is_claimed: [0n] }),
  twoClaims: scriptedContract({ get_wallet_data: walletOf(ECHOING.address), is_claimed: [1n, 1n] }),
  unknownWallet: scriptedContract({
    get_wallet_data: [7n, addressSlice(SOMEBODY), addressSlice(ECHOING.address), CODE],
  }),
  strayWallet: scriptedContract({ get_wallet_data: walletOf(NOWHERE) }),
  alone: scriptedContract({ get_nft_data: item(null, CONTENT) }),
  member: scriptedContract({ get_nft_data: item(COLLECTION.address, CODE) }),
  intruder: scriptedContract({
    get_nft_data: [-1n, 5n, addressSlice(COLLECTION.address), addressSlice(null), CONTENT],
  }),
  domain: scriptedContract({ ...domain, get_domain: [text('somebody')] }),
  nameless: scriptedContract({ ...domain, get_domain: [beginCell().storeUint(1, 3).endCell()] }),
  userName: scriptedContract({
    ...domain,
    get_domain: [text('durable')],
    get_full_domain: [text('me\0t\0durable\0')],
  }),
};

describe('getTokenData on a live chain', () => {
  let context: Awaited<ReturnType<typeof openLocalnetApp>>;
  let demo: DemoSummary;

  beforeAll(async () => {
    context = await openLocalnetApp({ demo: true, blockMs: 100 });
    demo = JSON.parse(await readFile(`${context.folder}/demo.json`, 'utf8'));
    await deployByAlice(context, [ECHOING, COLLECTION, ...Object.values(SCRIPTED)]);
  });
  afterAll(() => context?.close());

  const contract = (name: string): Address => Address.parse(demo.contracts[name]!);
  const wallet = (name: string): string => Address.parse(demo.wallets[name]!.address).toString();
  const ask = (address: Address | string) => context.call('getTokenData', { address: String(address) });
  const tokenOf = async (address: Address | string) => (await ask(address)).body.result;
  const scripted = (name: keyof typeof SCRIPTED) => tokenOf(SCRIPTED[name].address);

  it('returns a jetton master by every transport', async () => {
    const address = contract('jetton minter').toRawString();
    for (const transport of ['get', 'post', 'rpc'] as const) {
      const { status, body } = await context.call('getTokenData', { address }, transport);
      expect(status, JSON.stringify(body)).toBe(200);
      expect(body.result).toEqual({
        '@type': 'ext.tokens.jettonMasterData',
        address: `0:${address.slice(2).toUpperCase()}`,
        contract_type: 'jetton_master',
        total_supply: (toNano(1_001_500) - toNano(25)).toString(),
        mintable: true,
        admin_address: wallet('alice'),
        jetton_content: {
          type: 'onchain',
          data: {
            name: 'Demo jetton',
            symbol: 'DEMO',
            decimals: '9',
            description: 'The jetton of the demo of a local chain',
          },
        },
        jetton_wallet_code: expect.stringMatching(/^te6cck/),
      });
    }
  });

  it('returns a jetton wallet for any flags of its address', async () => {
    const address = contract('jetton wallet of bob');
    for (const flags of [{}, { bounceable: false }, { testOnly: true }]) {
      const given = address.toString(flags);
      expect(await tokenOf(given)).toEqual({
        '@type': 'ext.tokens.jettonWalletData',
        address: given,
        contract_type: 'jetton_wallet',
        balance: toNano(1000).toString(),
        owner: wallet('bob'),
        jetton: contract('jetton minter').toString(),
        jetton_wallet_code: expect.stringMatching(/^te6cck/),
      });
    }
  });

  it('returns an NFT collection and its items for any flags of their addresses', async () => {
    const collection = contract('NFT collection').toString();
    expect(await tokenOf(collection)).toEqual({
      '@type': 'ext.tokens.nftCollectionData',
      address: collection,
      contract_type: 'nft_collection',
      next_item_index: '4',
      owner_address: wallet('bob'),
      collection_content: {
        type: 'onchain',
        data: { name: 'Demo collection', description: 'Times of the day' },
      },
    });
    const item = contract('NFT that was given away').toString({ bounceable: false });
    expect(await tokenOf(item)).toEqual({
      '@type': 'ext.tokens.nftItemData',
      address: item,
      contract_type: 'nft_item',
      init: true,
      index: '0',
      collection_address: collection,
      owner_address: wallet('carol'),
      content: {
        type: 'onchain',
        data: { name: 'Sunrise', description: 'Item 0 of the demo collection' },
      },
    });
  });

  it('returns a domain with its records', async () => {
    const { content, ...item } = await tokenOf(contract('domain alice.ton'));
    expect(item).toMatchObject({
      '@type': 'ext.tokens.nftItemData',
      init: true,
      owner_address: wallet('alice'),
      collection_address: contract('DNS zone .ton').toString(),
    });
    const alice = Address.parse(wallet('alice')).hash.toString('hex');
    const hex = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(content).toEqual({
      domain: 'alice.ton',
      data: {
        wallet: {
          '@type': 'dns_smc_address',
          smc_addr: { '@type': 'addr_std', workchain_id: 0, address: alice },
        },
        site: { '@type': 'dns_adnl_address', adnl_addr: hex },
        storage: { '@type': 'dns_storage_address', bag_id: hex },
      },
    });
  });

  it('returns a domain without records as an NFT', async () => {
    expect((await tokenOf(contract('domain carol.ton'))).content).toEqual({ type: 'onchain', data: {} });
  });

  it('uses the full name of a domain contract, or the zone .ton', async () => {
    const key = expect.stringMatching(/^[0-9A-F]{64}$/);
    const { content } = await scripted('domain');
    expect(content.domain).toBe('somebody.ton');
    expect(Object.keys(content.data).sort()).toEqual([key, 'wallet']);
    expect((await scripted('userName')).content.domain).toBe('durable.t.me');
    expect((await scripted('nameless')).content.domain).toBe('');
  });

  it('answers 409 for a contract that is not a token', async () => {
    for (const address of [wallet('bob'), new Address(0, Buffer.alloc(32, 99)).toString()]) {
      const { status, body } = await ask(address);
      expect([status, body.error]).toEqual([409, `Smart contract ${address} is not Jetton or NFT`]);
    }
    const raw = `-1:${'55'.repeat(32)}`;
    expect((await ask(raw)).body.error).toBe(`Smart contract ${raw} is not Jetton or NFT`);
    const early = { address: contract('jetton minter').toString(), seqno: 4 };
    expect((await context.call('getTokenData', early)).body).toMatchObject({
      code: 409,
      error: expect.any(String),
    });
  });

  it('uses the first kind that a contract matches', async () => {
    expect(await scripted('several')).toMatchObject({
      contract_type: 'jetton_master',
      admin_address: SOMEBODY.toString(),
      jetton_content: { type: 'onchain', data: { name: 'Both' } },
    });
    expect(await scripted('throwing')).toMatchObject({ contract_type: 'nft_collection' });
  });

  it('leaves out missing members', async () => {
    expect(await scripted('master')).toEqual({
      '@type': 'ext.tokens.jettonMasterData',
      address: SCRIPTED.master.address.toString(),
      contract_type: 'jetton_master',
      total_supply: '-5',
      mintable: false,
      jetton_wallet_code: 'te6cckEBAQEAAwAAAgXPcy10',
      jetton_content: { type: 'offchain', data: 'https://example.test/ж.json' },
    });
    const { index, ...alone } = await scripted('alone');
    expect(index).toBe(BigInt(`0x${SCRIPTED.alone.address.hash.toString('hex')}`).toString());
    expect(alone).toEqual({
      '@type': 'ext.tokens.nftItemData',
      address: SCRIPTED.alone.address.toString(),
      contract_type: 'nft_item',
      init: true,
      content: { type: 'offchain', data: 'https://example.test/ж.json' },
    });
    expect(await scripted('member')).toMatchObject({
      collection_address: COLLECTION.address.toString(),
      content: { type: 'offchain', data: 'https://example.test/ж.json' },
    });
  });

  it('returns whether a mintless jetton wallet is claimed', async () => {
    expect(await scripted('claimed')).toMatchObject({ mintless_is_claimed: true, balance: '7' });
    expect(await scripted('unclaimed')).toMatchObject({ mintless_is_claimed: false });
    expect(await scripted('twoClaims')).not.toHaveProperty('mintless_is_claimed');
  });

  it.each([
    ...(['adminOutside', 'notUtf8', 'cut', 'noCell', 'tooFew'] as const),
    ...(['unknownWallet', 'strayWallet', 'intruder'] as const),
  ])('rejects a contract that is not confirmed: %s', async (name) => {
    expect((await ask(SCRIPTED[name].address)).status).toBe(409);
    expect(context.pool.servers()).toMatchObject([{ state: 'live', wrongResponses: 0 }]);
  });

  it('returns the same with GET_METHODS=remote', async () => {
    const names = ['jetton minter', 'jetton wallet of bob', 'NFT that was given away', 'domain alice.ton'];
    for (const { workChain: workchain, hash } of names.map(contract)) {
      const [here, there] = await Promise.all(
        (['local', 'remote'] as const).map(async (getMethods) => {
          const call = callOn(context, getMethods);
          const at = await readAccountAt(call, { workchain, hash }, undefined);
          return tokenData((await readTokenData(call, at))!, '');
        }),
      );
      expect(there).toEqual(here);
    }
  });

  it('does not treat a lite server failure as a result of the contract', async () => {
    const { workChain: workchain, hash } = contract('jetton wallet of bob');
    const call = callOn(context);
    const { session, ...at } = await readAccountAt(call, { workchain, hash }, undefined);
    const readAfter = (runs: number) => {
      let left = runs;
      const run: typeof session.run = (work) =>
        left-- > 0 ? session.run(work) : Promise.reject(new LiteTimeout());
      return readTokenData(call, { ...at, session: { ...session, run } });
    };
    // Five runs: jetton master, jetton wallet, is claimed, the master of the wallet, and the master itself.
    for (const runs of [0, 1, 2, 3, 4]) await expect(readAfter(runs)).rejects.toThrow(LiteTimeout);
    expect(await readAfter(5)).toMatchObject({ kind: 'jetton_wallet', isClaimed: undefined });
  });
});

/** A call of an operation. */
function callOn({ pool, vm, log }: V2TestApp, getMethods: LivePorts['getMethods'] = 'local'): LiveCall {
  const ports: LivePorts = {
    clock: () => Date.now() / 1000,
    pool: () => pool,
    check: { verify: true },
    vm,
    getMethods,
    caches: createLiveCaches(),
    requestMs: 10_000,
    pending: { accepted: () => {} },
    resender: createResender(),
  };
  return {
    ports,
    log: log as unknown as LiveCall['log'],
    group: undefined,
    usedServers: [],
    immutable: false,
    vmMs: 0,
    deadlineMs: performance.now() + 60_000,
    signal: new AbortController().signal,
  };
}
