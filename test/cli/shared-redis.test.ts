import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cell, internal } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { externalMessage } from '../../src/localnet/contracts/contract.ts';
import { walletTransfer } from '../../src/localnet/contracts/wallets.ts';
import { type FundedWallet, openFaucets } from '../../src/localnet/genesis/keys.ts';
import { openWs, waitFor } from '../streaming/support/stream-clients.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { noOwnRedis, type OwnRedis, startRedis } from '../support/redis.ts';
import { serveHere } from '../support/serve-here.ts';
import {
  localnetKeyOf,
  makeDataDir,
  type RunningTongate,
  runTongateHere,
} from '../support/tongate-process.ts';

const PATH = '/api/v2/unpackAddress?address=EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';
/** Blocks that do not come: what is sent stays pending. */
const NEVER_MS = '3600000';

describe.skipIf(noOwnRedis)(
  `two server processes that share Redis${noOwnRedis ? ` (skipped: ${noOwnRedis})` : ''}`,
  () => {
    const dataDir = makeDataDir();
    let database: TestDatabase;
    let redis: OwnRedis;
    let pendingRedis: OwnRedis;
    let servers: [RunningTongate, RunningTongate];
    let faucet: FundedWallet;
    let feed: ServerResponse;
    const feeder = createServer((_request, response) => {
      response.writeHead(200).flushHeaders();
      feed = response;
    });
    beforeAll(async () => {
      [redis, pendingRedis] = await Promise.all([startRedis(), startRedis()]);
      database = await createTestDatabase();
      const settings = {
        DATA_DIR: dataDir.path,
        DATABASE_URL: database.url,
        SHED_LOOP_DELAY_MS: '0',
        REDIS_URL: redis.url,
        PENDING_REDIS_URL: pendingRedis.url,
        LOCALNET_BLOCK_MS: NEVER_MS,
        PENDING_PER_RPS: '1',
      };
      feeder.listen(0, '127.0.0.1');
      await once(feeder, 'listening');
      const { port } = feeder.address() as AddressInfo;
      const first = await serveHere(settings);
      const fed = { ...settings, PENDING_FEED_URL: `http://127.0.0.1:${port}/` };
      servers = [first, await serveHere(fed, 'serve')];
      faucet = (await openFaucets()).basechain;
    });
    afterAll(async () => {
      for (const server of servers ?? []) await server.end('SIGTERM');
      await redis?.kill();
      await pendingRedis?.kill();
      feeder.close();
      await database?.drop();
      await dataDir.remove();
    });

    /** What the faucet could do next; only one of them it will. */
    function message(value: bigint): Cell {
      const { version, secretKey, address } = faucet;
      const messages = [internal({ to: address, value, bounce: false })];
      const body = walletTransfer({ version, secretKey, seqno: 0, messages, validUntil: 0xffffffff });
      return externalMessage({ address }, body);
    }

    const keys = (...args: string[]) =>
      runTongateHere(['keys', ...args], { DATA_DIR: dataDir.path, DATABASE_URL: database.url });
    const withKey = () => ({ 'x-api-key': localnetKeyOf(dataDir.path) });

    /** Gives the hash of the message. */
    async function send(server: RunningTongate, cell: Cell): Promise<string> {
      const answer = await fetch(`${server.url}/api/v3/message`, {
        method: 'POST',
        headers: { ...withKey(), 'content-type': 'application/json' },
        body: JSON.stringify({ boc: cell.toBoc().toString('base64') }),
      });
      expect(answer.status).toBe(200);
      return ((await answer.json()) as { message_hash_norm: string }).message_hash_norm;
    }

    /** The same by v2 and without a key. */
    async function sendAnonymously(server: RunningTongate, cell: Cell): Promise<string> {
      const answer = await fetch(`${server.url}/api/v2/sendBocReturnHash`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ boc: cell.toBoc().toString('base64') }),
      });
      expect(answer.status).toBe(200);
      return ((await answer.json()) as { result: { hash_norm: string } }).result.hash_norm;
    }

    async function find(server: RunningTongate, hash: string): Promise<readonly unknown[]> {
      const url = `${server.url}/api/v3/pendingTraces?ext_msg_hash=${encodeURIComponent(hash)}`;
      const answer = await fetch(url, { headers: withKey() });
      expect(answer.status).toBe(200);
      return ((await answer.json()) as { traces: unknown[] | null }).traces ?? [];
    }

    async function untilShown(server: RunningTongate, hash: string): Promise<unknown> {
      for (;;) {
        const [trace] = await find(server, hash);
        if (trace !== undefined) return trace;
        await sleep(50);
      }
    }

    it('stream the pending traces of each other, and count connections together', async () => {
      const key = localnetKeyOf(dataDir.path);
      const client = await openWs(servers[1].url, `?api_key=${key}`);
      const addresses = [faucet.address.toRawString()];
      const types = ['transactions'];
      await client.ask({ operation: 'subscribe', addresses, types, min_finality: 'pending' });
      const hash = await send(servers[0], message(7n));
      await waitFor(() => client.events().length > 0);
      expect(client.events()[0]).toMatchObject({
        type: 'transactions',
        finality: 'pending',
        trace_external_hash_norm: hash,
      });
      client.close();
      const made = await keys('create', '--name', 'streams');
      const plain = /tg_[\w-]+/.exec(made.output)![0];
      const open = (server: RunningTongate) => openWs(server.url, `?api_key=${plain}`);
      const two = [await open(servers[0]), await open(servers[1])];
      await expect(open(servers[0])).rejects.toMatchObject({ status: 429 });
      for (const one of two) one.close();
      // A slot is free when its socket has closed.
      const again = async (): Promise<void> => (await open(servers[0])).close();
      while (
        !(await again().then(
          () => true,
          () => false,
        ))
      )
        await sleep(50);
    });

    it('share the rate limit of a key, and both reject a revoked key', async () => {
      const made = await keys('create', '--name', 'shared', '--rps', '50');
      const key = /tg_[\w-]+/.exec(made.output)![0];
      const ask = (server: RunningTongate) => fetch(server.url + PATH, { headers: { 'x-api-key': key } });
      for (const server of servers) expect((await ask(server)).status).toBe(200);
      // A burst that a slow machine stretched over the end of a window is made again.
      for (;;) {
        await sleep(1100);
        const startedAt = performance.now();
        const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => ask(servers[i % 2]!)));
        if (performance.now() - startedAt > 900) continue;
        expect(answers.filter((answer) => answer.status === 200)).toHaveLength(50);
        expect(answers.filter((answer) => answer.status === 429)).toHaveLength(10);
        break;
      }
      const id = /Key (\S+) "shared"/.exec(made.output)![1]!;
      expect((await keys('revoke', id)).code).toBe(0);
      for (const server of servers) while ((await ask(server)).status !== 401) await sleep(100);
    });

    it('share pending messages; without Redis each process has its own, and they are shared again after it has recovered', async () => {
      const [first, second] = servers;
      const early = await send(first, message(1n));
      const shown = await untilShown(first, early);
      expect(shown).toMatchObject({ trace_info: { trace_state: 'pending', transactions: 2 } });
      expect(await untilShown(second, early)).toEqual(shown);

      await pendingRedis.kill();
      const late = await send(second, message(2n));
      await untilShown(second, late);
      expect(await find(first, late)).toEqual([]);
      expect(await find(first, early)).toEqual([shown]);
      expect(await find(second, early)).toEqual([]);

      await pendingRedis.start();
      for (const server of servers) for (const hash of [early, late]) await untilShown(server, hash);
    });

    it('share pending messages of a feed', async () => {
      const cell = message(6n);
      feed.write(`${cell.toBoc().toString('base64')}\n`);
      for (const server of servers) await untilShown(server, cell.hash().toString('base64'));
      const status = await (await fetch(`${servers[1].url}/status`)).json();
      expect(status).toMatchObject({ pending: { messages: expect.any(Number), feed_connected: true } });
    });

    it('limit pending messages per caller', async () => {
      const [first] = servers;
      const one = await sendAnonymously(first, message(3n));
      await untilShown(first, one);
      await sleep(1100);
      const other = await sendAnonymously(first, message(4n));
      const key = await send(first, message(5n));
      await untilShown(first, key);
      // It was sent, which is all that its sender asked for.
      expect(await find(first, other)).toEqual([]);
    });
  },
);
