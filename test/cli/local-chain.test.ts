import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Address } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { BOB, bobsPayment } from '../localnet/support/demo-payment.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { copyDemoChain } from '../support/demo-chain.ts';
import { sampled } from '../support/long-run.ts';
import { serveHere } from '../support/serve-here.ts';
import {
  localnetKeyOf,
  makeDataDir,
  type RunningTongate,
  runTongateHere,
} from '../support/tongate-process.ts';

const STRANGER = `0:${'11'.repeat(32)}`;
const OTHER = `0:${'22'.repeat(32)}`;
const FRIEND = Address.parseRaw(`0:${'33'.repeat(32)}`);
const TIMEOUT_MS = sampled(600_000, 600_000);

/** `start` runs a chain; a `serve` beside it began before there was one. */
describe('server on the local chain', { timeout: TIMEOUT_MS }, () => {
  const dir = makeDataDir();
  let database: TestDatabase;
  // A busy machine must not make the servers say that they are overloaded.
  const env = () => ({
    DATA_DIR: dir.path,
    DATABASE_URL: database.url,
    SHED_LOOP_DELAY_MS: '0',
    LOG_LEVEL: 'info',
  });
  let serving: RunningTongate;
  let starting: RunningTongate;
  let key: string;
  beforeAll(async () => {
    await copyDemoChain(join(dir.path, 'localnet'), 1);
    database = await createTestDatabase();
    serving = await serveHere(env(), 'serve');
    key = localnetKeyOf(dir.path);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await Promise.all([starting, serving].map((server) => server?.end('SIGTERM')));
    await database?.drop();
    await dir.remove();
  });

  const ask = (server: RunningTongate, path: string, body?: object) =>
    fetch(server.url + path, {
      headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
  async function call(server: RunningTongate, path: string) {
    const answer = await ask(server, `/api/v2/${path}`);
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  }
  const command = (name: string, body: object) => ask(starting, `/localnet/${name}`, body);
  const balanceOf = async (server: RunningTongate, address: unknown = STRANGER) =>
    (await call(server, `getAddressBalance?address=${address}`)).body.result;
  const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 120_000, interval: 50 });

  it('has no lite server while there is no chain', async () => {
    expect((await ask(serving, '/api/v2/healthcheck')).status).toBe(503);
    expect((await ask(serving, '/readyz')).status).toBe(503);
    expect(await call(serving, 'getMasterchainInfo')).toMatchObject({ status: 542, body: { ok: false } });
    expect(await (await ask(serving, '/status')).json()).toMatchObject({
      lite: { groups: [{ name: 'everybody', live: 0, servers: [] }] },
    });
  });

  it('responds as soon as the chain runs, without a restart', async () => {
    starting = await serveHere({ ...env(), LOCALNET_BLOCK_MS: '200' });
    expect((await ask(starting, '/api/v2/healthcheck')).status).toBe(200);
    await eventually(async () => expect((await ask(serving, '/api/v2/healthcheck')).status).toBe(200));
    for (const server of [starting, serving]) {
      expect(await call(server, 'getMasterchainInfo')).toMatchObject({ status: 200 });
      expect(await balanceOf(server)).toBe('0');
      expect(await (await ask(server, '/readyz')).json()).toMatchObject({ ready: true });
      // The index is filled by one of them and served by both.
      await eventually(async () =>
        expect(await (await ask(server, '/readyz')).json()).toMatchObject({
          checks: { index: { status: 'ok', text: expect.stringMatching(/seqno \d+ of \d+, \d+\.\d %/) } },
        }),
      );
    }
  });

  it('runs the requests of the banner', async () => {
    await eventually(async () => expect(starting.output()).toMatch(/Try it:\n(.*\n){3}/));
    const lines = starting.output().split('Try it:\n')[1]!.split('\n').slice(0, 3);
    for (const line of lines) {
      expect(line).toMatch(/^ {2}curl -H "X-API-Key: tg_/);
      const url = /(http:[^\s"]+)/.exec(line)![1]!;
      const body = / -d '([^']+)'/.exec(line)?.[1];
      const answer = await fetch(url, {
        ...(body !== undefined && { method: 'POST', body }),
        headers: { 'x-api-key': key },
      });
      expect(await answer.json(), line).toMatchObject({ ok: true });
    }
    expect(lines.join()).toContain('getAddressBalance?address=0Q');
  });

  it('shows metrics and status without addresses of lite servers', async () => {
    const status = await (await ask(starting, '/status')).text();
    expect(JSON.parse(status)).toMatchObject({
      network: 'localnet',
      lite: { verify: true, groups: [{ live: 1, servers: [{ index: 0, state: 'live', lag_blocks: 0 }] }] },
      vm: { tvm_version: 13, network_version: 13, behind: false },
    });
    const page = await (await ask(starting, '/metrics')).text();
    expect(page).toContain('tongate_lite_server_live{group="everybody",server="0"} 1');
    expect(page).toMatch(
      /tongate_lite_query_duration_seconds_count\{.*method="getAccountState",outcome="ok"\}/,
    );
    expect(page).toMatch(/tongate_vm_job_duration_seconds_count\{outcome="ok"\} [1-9]/);
    const { port } = JSON.parse(readFileSync(join(dir.path, 'localnet/global.config.json'), 'utf8'))
      .liteservers[0];
    for (const text of [status, page]) expect(text).not.toContain(`:${port}`);
  });

  it('takes commands for the chain under /localnet/', async () => {
    const funded = await command('fund', { address: OTHER, amount: '1' });
    expect(await funded.json()).toMatchObject({ ok: true, result: { address: OTHER, amount: '1' } });
    expect((await command('mine', { count: 2 })).status).toBe(200);
    expect((await command('advance', { seconds: -1 })).status).toBe(400);
    const status = await (await ask(starting, '/localnet/status')).json();
    expect(status).toMatchObject({ ok: true, result: { shards: 1 } });
    const printed = await runTongateHere(['localnet', 'status'], { DATA_DIR: dir.path });
    expect(JSON.parse(printed.output)).toMatchObject({ running: true });
    expect(starting.output()).toContain('This mnemonic is public');
  });

  it('follows the chain when it goes back to a snapshot', async () => {
    expect((await command('snapshot', { name: 'before' })).status).toBe(200);
    const { result } = (await (await ask(starting, '/localnet/status')).json()) as {
      result: { seqno: number };
    };
    await command('fund', { address: STRANGER, amount: '5' });
    const later = result.seqno + 3;
    for (const server of [starting, serving]) {
      await eventually(async () => expect(await balanceOf(server)).toBe('5000000000'));
      await eventually(async () =>
        expect((await call(server, `getAddressBalance?address=${STRANGER}&seqno=${later}`)).status).toBe(200),
      );
    }
    const blockAt = async (server: RunningTongate) =>
      JSON.stringify(
        (await call(server, `lookupBlock?workchain=-1&shard=8000000000000000&seqno=${later}`)).body.result,
      );
    const old = await blockAt(starting);
    expect(await blockAt(serving)).toBe(old);

    const restored = await runTongateHere(['localnet', 'restore', 'before'], { DATA_DIR: dir.path });
    expect(restored).toMatchObject({ code: 0 });
    expect(await balanceOf(starting)).toBe('0');
    await eventually(async () => expect(await balanceOf(serving)).toBe('0'));
    // What was kept of the blocks that are no more must not be given again.
    await command('mine', { count: 5 });
    for (const server of [starting, serving])
      await eventually(async () => {
        const block = await blockAt(server);
        expect(block).toContain(`"seqno":${later}`);
        expect(block).not.toBe(old);
      });
  });

  it('is the same for every test of a runner that restores it between them', async () => {
    const { contracts } = JSON.parse(readFileSync(join(dir.path, 'localnet/demo.json'), 'utf8'));
    const bobsJettons = Address.parse(contracts['jetton wallet of bob']);
    const v3 = async (path: string) =>
      (await (await ask(starting, `/api/v3/${path}`)).json()) as Record<string, Record<string, unknown>[]>;
    const seqnoOfBob = async () => {
      const { result } = (await call(starting, `getWalletInformation?address=${BOB.address}`)).body;
      return (result as { seqno: number }).seqno;
    };
    const jettonsOfBob = async () =>
      (await v3(`jetton/wallets?address=${bobsJettons}`)).jetton_wallets!.map(({ balance }) => balance);

    const payment = bobsPayment({ seqno: await seqnoOfBob(), to: FRIEND, jettonWallet: bobsJettons });
    const boc = payment.message.toBoc().toString('base64');
    const hash = encodeURIComponent(payment.hash);
    expect((await command('snapshot', { name: 'clean' })).status).toBe(200);
    await eventually(async () => expect(await jettonsOfBob()).toHaveLength(1));
    const clean = { seqno: await seqnoOfBob(), jettons: await jettonsOfBob() };
    for (let test = 0; test < sampled(2, 100); test++) {
      const sent = await ask(starting, '/api/v2/sendBoc', { boc });
      expect(await sent.json(), `test ${test}`).toMatchObject({ ok: true });
      await eventually(async () => {
        const { actions } = await v3(`actions?msg_hash=${hash}`);
        expect(actions!.map(({ type }) => type).sort()).toEqual(['jetton_transfer', 'ton_transfer']);
      });
      expect(await v3(`jetton/wallets?owner_address=${FRIEND}`)).toMatchObject({
        jetton_wallets: [{ balance: '5' }],
      });
      expect(await v3(`accountStates?address=${FRIEND}`)).toMatchObject({ accounts: [{ status: 'uninit' }] });
      expect(Number(await balanceOf(starting, FRIEND))).toBeGreaterThan(9e8);
      expect(await seqnoOfBob()).toBe(clean.seqno + 1);

      const restored = (await (await command('restore', { name: 'clean' })).json()) as {
        result: { seqno: number };
      };
      expect(restored, `test ${test}`).toMatchObject({ ok: true, result: { index: { agrees: true } } });
      // All of this holds at once.
      const found = await ask(starting, `/api/v3/transactionsByMessage?msg_hash=${hash}`);
      expect(await found.json()).toMatchObject({ transactions: [] });
      expect(Number(found.headers.get('x-tongate-seqno'))).toBeGreaterThanOrEqual(restored.result.seqno);
      expect(await v3(`actions?account=${FRIEND}`)).toMatchObject({ actions: [] });
      expect(await v3(`jetton/wallets?owner_address=${FRIEND}`)).toMatchObject({ jetton_wallets: [] });
      expect(await balanceOf(starting, FRIEND)).toBe('0');
      expect({ seqno: await seqnoOfBob(), jettons: await jettonsOfBob() }).toEqual(clean);
    }
    expect(starting.output()).not.toContain('rebuilding the index');

    // The clock of the machine, which client libraries use, is behind the chain's now.
    const advanced = await (await command('advance', { seconds: 3600 })).json();
    const hint = expect.stringContaining("compute valid_until from the chain's time");
    expect(advanced).toMatchObject({ ok: true, result: { offset_seconds: 3600, hint } });
    const validUntil = Math.floor(Date.now() / 1000) + 600;
    const late = bobsPayment({ seqno: clean.seqno, to: FRIEND, jettonWallet: bobsJettons, validUntil });
    const refused = await ask(starting, '/api/v2/sendBoc', { boc: late.message.toBoc().toString('base64') });
    expect(await refused.json()).toMatchObject({
      ok: false,
      error: expect.stringMatching(
        /^LITE_SERVER_UNKNOWN: cannot apply external message to current state : External message was not accepted.*exitcode=36.*\nHint: the local chain's clock is 3600 s ahead of this machine's/s,
      ),
    });
  });

  it('keeps running when the chain of another process stops', async () => {
    expect(await starting.end('SIGTERM')).toBe(0);
    const printed = await runTongateHere(['localnet', 'status'], { DATA_DIR: dir.path });
    expect(JSON.parse(printed.output)).toMatchObject({ running: false });
    await eventually(async () => expect((await ask(serving, '/api/v2/healthcheck')).status).toBe(503));
    await eventually(async () =>
      expect(await call(serving, `getAddressBalance?address=${STRANGER}`)).toMatchObject({
        status: 542,
        body: { error: 'no workers available (archival=0 mode=Single)' },
      }),
    );
    expect((await ask(serving, '/healthz')).status).toBe(200);
    expect(await serving.end('SIGTERM')).toBe(0);
  });
});

describe('server without a global config', () => {
  it('fails with one clear line', async () => {
    const env = { NETWORK: 'custom', TON_CONFIG: '/nowhere/global.config.json', LOG_LEVEL: 'silent' };
    const { code, output } = await runTongateHere(['doctor'], env);
    expect(code).toBe(1);
    expect(output).toMatch(
      /\ntongate: Global config \/nowhere\/.* cannot be used: [^\n]*TON_CONFIG[^\n]*\n$/,
    );
  });
});
