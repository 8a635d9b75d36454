import { lookup } from 'node:dns/promises';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beginCell } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openKeyFiles } from '../../src/cli/key-files.ts';
import { adminKeys, openFaucets } from '../../src/localnet/genesis/keys.ts';
import { configChangeMessage } from '../../src/localnet/genesis/special-accounts.ts';
import { TVM_VERSION } from '../../src/vm/vm.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { serveHere } from '../support/serve-here.ts';
import {
  localnetKeyOf,
  makeDataDir,
  type RunningTongate,
  runTongateHere,
} from '../support/tongate-process.ts';

// biome-ignore lint/suspicious/noExplicitAny: a parsed response
type Json = any;

/** A name of this machine, if it stands for the machine alone. */
const NAME = await lookup(hostname(), 4).then(
  ({ address }) => (address.startsWith('127.') ? hostname() : undefined),
  () => undefined,
);
/** Config param. */
const GLOBAL_VERSION = 8;
const SOMEBODY = `0:${'7'.repeat(64)}`;

/** A proxy as many are: it forwards to the address of the server, and says nothing of who asked. */
async function startProxy(target: () => string): Promise<Server> {
  const proxy = createServer((incoming, answer) => {
    const { 'content-type': type = '', 'x-api-key': key } = incoming.headers;
    const headers = { 'content-type': type, ...(key !== undefined && { 'x-api-key': key }) };
    const sent = request(target() + incoming.url, { method: incoming.method, headers }, (response) => {
      answer.writeHead(response.statusCode!, response.headers);
      response.pipe(answer);
    });
    incoming.pipe(sent);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}

/** A server as `npm start` runs it, without ADMIN_KEY. */
describe('the operator of a local chain', () => {
  const data = makeDataDir();
  let base: TestDatabase;
  let server: RunningTongate;
  let proxy: Server;
  let key: string;
  beforeAll(async () => {
    base = await createTestDatabase();
    server = await serveHere({
      HOST: NAME ?? '127.0.0.1',
      DATA_DIR: data.path,
      DATABASE_URL: base.url,
      LOCALNET_BLOCK_MS: '3600000',
    });
    key = localnetKeyOf(data.path);
    proxy = await startProxy(() => server.url);
  });
  afterAll(async () => {
    proxy?.closeAllConnections();
    proxy?.close();
    await server?.end('SIGTERM');
    await base?.drop();
    await data.remove();
  });

  async function ask(
    path: string,
    { url = server.url, keyed = true, body = undefined as object | undefined } = {},
  ) {
    const response = await fetch(url + path, {
      headers: { 'content-type': 'application/json', ...(keyed && { 'x-api-key': key }) },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, body: JSON.parse(text) as Json };
  }
  const seqno = async (): Promise<number> => (await ask('/localnet/status')).body.result.seqno;
  const fund = { address: SOMEBODY, amount: '1' };

  it('is not whoever comes through a proxy on the same machine', async () => {
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const before = await seqno();
    for (const [path, body] of [
      ['/api/admin/keys', undefined],
      ['/api/admin/keys', { name: 'stolen', plan: 'pro' }],
      ['/api/dashboard/details', undefined],
      ['/localnet/status', undefined],
      ['/localnet/fund', fund],
      ['/localnet/mine', {}],
    ] as const)
      expect((await ask(path, { url, keyed: false, ...(body && { body }) })).status, path).toBe(401);
    for (const path of [
      '/web.json',
      '/api/v2/api-key.json',
      '/api/v3/api-key.json',
      '/api/emulate/api-key.json',
    ])
      expect((await ask(path, { url, keyed: false })).text, path).not.toContain(key);
    expect(await seqno()).toBe(before);
    expect((await ask('/localnet/fund', { url, body: fund })).status).toBe(200);
  });

  it.skipIf(NAME === undefined)(
    'reaches it by the name in HOST (needs a host name of 127.0.0.1)',
    async () => {
      const statusFor = (host: string) =>
        new Promise((resolve, reject) =>
          request(`${server.url}/localnet/status`, { headers: { host, 'x-api-key': key } }, (response) => {
            response.resume();
            resolve(response.statusCode);
          })
            .on('error', reject)
            .end(),
        );
      expect(await statusFor(`${NAME}:8081`)).toBe(200);
      expect(await statusFor(`other.${NAME}`)).toBe(403);
    },
  );

  it('has the key that the start printed', async () => {
    expect(server.output()).toContain(key);
    for (const path of ['/api/admin/keys', '/api/dashboard/details', '/localnet/status'])
      expect([path, (await ask(path)).status]).toEqual([path, 200]);
    const { body } = await ask('/api/admin/keys', { body: { name: 'bot', plan: 'pro' } });
    const bot = await fetch(`${server.url}/api/admin/keys`, { headers: { 'x-api-key': body.key } });
    expect(bot.status).toBe(401);
  });

  it('is told by the second call of a newcomer and by the banner where the key is and how to send it', async () => {
    const info = () => ask('/api/v2/getMasterchainInfo', { keyed: false });
    expect((await info()).status).toBe(200);
    const second = await info();
    const file = join(data.path, 'localnet-api-key');
    expect([second.status, second.body.error]).toEqual([
      429,
      `Ratelimit exceeded: the key of this local chain is in ${file}, send it in the header X-API-Key`,
    ]);
    const banner = server.output().split('tongate listening on ')[1]!;
    expect(banner).toContain(`It is in ${file}; send it in the header X-API-Key. Without it: 1 per second.`);
    expect(banner).toContain(`  explorer  ${server.url}/#key=${key} `);
    expect(
      (await fetch(`${server.url}/api/v2/getMasterchainInfo`, { headers: { 'x-api-key': key } })).status,
    ).toBe(200);
  });

  it('is told with predictions which version of the TVM made them', async () => {
    const ask = (path: string) => fetch(`${server.url}${path}`, { headers: { 'x-api-key': key } });
    const version = async (path: string) => (await ask(path)).headers.get('x-tongate-emulator-version');
    const { vm } = (await (await ask('/status')).json()) as { vm: { tvm_version: number } };
    expect(vm).toMatchObject({ get_methods: 'auto', get_methods_run: 'local', behind: false });
    expect(await version(`/api/v3/pendingTraces?ext_msg_hash=${'ab'.repeat(32)}`)).toBe(`${vm.tvm_version}`);
    expect(await version('/api/v2/getMasterchainInfo')).toBeNull();
    const estimate = await fetch(`${server.url}/api/v3/estimateFee`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ address: `0:${'0'.repeat(64)}`, body: 'te6cckEBAQEAAgAAAEysuc0=' }),
    });
    expect(await estimate.json()).toMatchObject({ emulator_version: vm.tvm_version });
  });

  it('is told when the network has a newer version, whose get-methods the lite server runs', async () => {
    const newer = TVM_VERSION + 2;
    const version = beginCell().storeUint(0xc4, 8).storeUint(newer, 32).storeUint(0b1110_1110, 64).endCell();
    const upgrade = configChangeMessage({
      admin: adminKeys(),
      seqno: 0,
      validUntil: 0xffffffff,
      change: new Map([[GLOBAL_VERSION, version]]),
    });
    const { basechain } = await openFaucets();
    const call = { address: basechain.address.toString(), method: 'seqno', stack: [] };
    const run = async () => (await ask('/api/v2/runGetMethod', { body: call })).body.result;
    const mine = async () => {
      expect((await ask('/localnet/mine', { body: {} })).status).toBe(200);
      const head = await seqno();
      const info = () => ask('/api/v2/getMasterchainInfo');
      await expect.poll(async () => (await info()).body.result.last.seqno).toBeGreaterThanOrEqual(head);
    };
    const { gas_used, ...before } = await run();
    expect(gas_used).toBeGreaterThan(0);

    const boc = upgrade.toBoc().toString('base64');
    expect((await ask('/api/v2/sendBoc', { body: { boc } })).body).toMatchObject({ ok: true });
    await mine();
    // The first that runs on the new rules, too. A lite server does not tell the gas.
    expect(await run()).toMatchObject({ gas_used: 0, stack: before.stack, exit_code: 0 });
    expect((await ask('/status')).body.vm).toMatchObject({
      get_methods: 'auto',
      get_methods_run: 'remote',
      tvm_version: TVM_VERSION,
      network_version: newer,
      behind: true,
    });
    expect(server.output()).toContain('Network version is newer than our TVM');

    // Transactions, predictions and the index go on.
    const OTHER = `0:${'8'.repeat(64)}`;
    expect((await ask('/localnet/fund', { body: { address: OTHER, amount: '1' } })).status).toBe(200);
    await mine();
    const balance = `/api/v2/getAddressBalance?address=${OTHER}`;
    await expect.poll(async () => (await ask(balance)).body.result).toBe('1000000000');
    const found = `/api/v3/transactions?account=${OTHER}`;
    await expect.poll(async () => (await ask(found)).body.transactions.length, { timeout: 60_000 }).toBe(1);
    const fees = { address: call.address, body: 'te6cckEBAQEAAgAAAEysuc0=' };
    expect((await ask('/api/v3/estimateFee', { body: fees })).body).toMatchObject({
      emulator_version: TVM_VERSION,
    });
  });

  it('commands the chain by the command line, whose port refuses others', async () => {
    const file = join(data.path, 'localnet/control.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { url, key: controlKey } = JSON.parse(readFileSync(file, 'utf8'));
    const mine = (headers: Record<string, string>) =>
      fetch(`${url}/localnet/mine`, { method: 'POST', headers });
    expect((await mine({})).status).toBe(401);
    expect((await mine({ 'x-api-key': key })).status).toBe(401);
    expect((await mine({ 'x-api-key': controlKey, origin: 'http://127.0.0.1:3000' })).status).toBe(403);
    const mined = await runTongateHere(['localnet', 'mine'], { DATA_DIR: data.path });
    expect(mined).toMatchObject({ code: 0, output: `Masterchain block ${await seqno()}\n` });
  });

  it('loses the key when it is revoked', async () => {
    const { keys } = (await ask('/api/admin/keys')).body;
    const { id } = keys.find(({ name }: Json) => name === 'localnet');
    expect((await ask(`/api/admin/keys/${id}/revoke`, { body: {} })).status).toBe(200);
    await expect.poll(async () => (await ask('/localnet/status')).status, { timeout: 60_000 }).toBe(401);
  });
});

describe('the key of the administration', () => {
  const log = createQuietLog();
  const open = (dataDir: string, adminKey?: string) =>
    openKeyFiles({ network: 'mainnet', dataDir, adminKey }, undefined as never, log);

  it('is made by the first of all starts, for its owner only, unless ADMIN_KEY is set', async () => {
    const data = makeDataDir();
    const file = join(data.path, 'admin-key');
    expect(await open(data.path, 'chosen')).toEqual({ local: undefined, admin: undefined });
    expect(log.texts()).toEqual(['ADMIN_KEY is short enough to be guessed']);
    const opened = await Promise.all(Array.from({ length: 8 }, () => open(data.path)));
    const [{ admin }] = opened as [(typeof opened)[0]];
    expect(admin).toEqual({ key: readFileSync(file, 'utf8').trim(), path: file });
    for (const other of opened) expect(other.admin).toEqual(admin);
    expect(admin!.key).toMatch(/^tg_[\w-]{43}$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await data.remove();
  });

  it('is the one that is there, which others cannot read from then on', async () => {
    const data = makeDataDir();
    const file = join(data.path, 'admin-key');
    writeFileSync(file, 'own key\n', { mode: 0o644 });
    expect((await open(data.path)).admin?.key).toBe('own key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await data.remove();
  });

  it('is missing where the directory cannot be used, which stops no start', async () => {
    const data = makeDataDir();
    expect(await open(join(data.path, 'nowhere'))).toEqual({ local: undefined, admin: undefined });
    await data.remove();
  });
});
