// Pretends that its process is a browser, and therefore has it for itself.
// @vitest-environment-options {"process":"tonweb"}
import { Address, toNano } from '@ton/core';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Failure } from '../../src/lib/errors.ts';
import { createTestApp, testAccess } from '../support/app.ts';
import { until } from '../support/until.ts';
import { openV2ClientContext } from './v2-client-context.ts';

// As in a browser: elsewhere, the package requires an obsolete package for hashes.
Object.assign(globalThis, { self: globalThis });
// biome-ignore lint/suspicious/noExplicitAny: the package's types do not describe how it is exported
const TonWeb = (await import('tonweb')).default as any;
const { HttpProvider } = TonWeb;

const ADDRESS = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';
/** The same address for transfers without a bounce, since it has no contract. */
const NON_BOUNCEABLE = 'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI';

describe('tonweb on a live chain', () => {
  const keys = TonWeb.utils.keyPairFromSeed(new Uint8Array(32).fill(78));
  let context: Awaited<ReturnType<typeof openV2ClientContext>>;
  let web: typeof TonWeb;
  let wallet: typeof TonWeb;
  let address: Address;

  beforeAll(async () => {
    context = await openV2ClientContext();
    web = new TonWeb(new HttpProvider(context.rpcUrl));
    wallet = new web.wallet.all.v4R2(web.provider, { publicKey: keys.publicKey });
    address = Address.parse((await wallet.getAddress()).toString(true, true, true));
    await context.fund(address, toNano(10));
  });
  afterAll(() => context?.close());

  it('reads a balance', async () => {
    expect(BigInt(await web.getBalance(address.toString()))).toBe(toNano(10));
    expect(await web.getBalance(ADDRESS)).toBe('0');
  });

  it('deploys a wallet, estimates a transfer and sends it', async () => {
    await wallet.deploy(keys.secretKey).send();
    await until(async () => (await wallet.methods.seqno().call()) === 1);
    const transfer = wallet.methods.transfer({
      secretKey: keys.secretKey,
      toAddress: NON_BOUNCEABLE,
      amount: toNano('0.5').toString(),
      seqno: 1,
      payload: 'from an old client',
      sendMode: 3,
    });
    const { source_fees } = await transfer.estimateFee();
    expect(source_fees.gas_fee).toBeGreaterThan(0);
    await transfer.send();
    await until(async () => (await web.getBalance(ADDRESS)) !== '0');
    const [newest] = await web.getTransactions(ADDRESS, 1);
    expect(newest.in_msg).toMatchObject({ value: toNano('0.5').toString(), message: 'from an old client' });
    await expect(transfer.send()).rejects.toMatch(/exitcode=33|duplicate message/);
  });

  it('runs get-methods and parses their stacks', async () => {
    expect((await web.call(address.toString(), 'seqno')).exit_code).toBe(0);
    expect(Number(await web.provider.call2(address.toString(), 'seqno'))).toBe(2);
    const key = await web.provider.call2(address.toString(), 'get_public_key');
    expect(key.toString(16)).toBe(Buffer.from(keys.publicKey).toString('hex'));
    expect((await web.provider.call2(address.toString(), 'get_plugin_list')).length ?? 0).toBe(0);
    await expect(web.provider.call2(address.toString(), 'nothing')).rejects.toThrow();
  });

  it('reads accounts, configuration and blocks', async () => {
    const { provider } = web;
    expect(await provider.getWalletInfo(address.toString())).toMatchObject({
      wallet: true,
      wallet_type: 'wallet v4 r2',
      account_state: 'active',
    });
    expect((await provider.getAddressInfo(address.toString())).state).toBe('active');
    expect((await provider.getExtendedAddressInfo(address.toString())).account_state['@type']).toBe(
      'wallet.v4.accountState',
    );
    expect((await provider.getConfigParam(20)).bits.length).toBeGreaterThan(0);
    const { last } = await provider.getMasterchainInfo();
    const { shards } = await provider.getBlockShards(last.seqno);
    expect(shards).toHaveLength(1);
    const [{ workchain, shard, seqno }] = shards;
    expect((await provider.getBlockHeader(workchain, shard, seqno)).id.seqno).toBe(seqno);
    expect(
      (await provider.getBlockTransactions(-1, last.shard, last.seqno)).transactions.length,
    ).toBeGreaterThan(0);
  });
});

/** The provider resolves with any truthy `result`, whatever the status, and otherwise rejects with `error`. */
describe('tonweb HttpProvider', () => {
  let app: FastifyInstance;
  let provider: typeof HttpProvider;
  beforeAll(async () => {
    const admit = async (request: { headers: Record<string, unknown> }) => {
      if (request.headers['x-api-key'] === 'slow') throw new Failure('rate_limited', 'Ratelimit exceeded');
    };
    app = await createTestApp({ access: testAccess(admit) });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    provider = new HttpProvider(`${url}/api/v2/jsonRPC`);
  });
  afterAll(() => app.close());

  it('resolves with strings and objects', async () => {
    expect(await provider.send('packAddress', { address: ADDRESS })).toBe(ADDRESS);
    expect(await provider.send('detectAddress', { address: ADDRESS })).toMatchObject({ test_only: false });
  });

  it('rejects with the error text', async () => {
    await expect(provider.send('packAddress', { address: 'x' })).rejects.toContain(
      "Failed to parse ton_addr: 'x'",
    );
    await expect(provider.send('nope', {})).rejects.toBe('Unknown method');
    const slow = new HttpProvider(provider.host, { apiKey: 'slow' });
    await expect(slow.send('packAddress', { address: ADDRESS })).rejects.toBe('Ratelimit exceeded');
  });
});
