import { once } from 'node:events';
import { Agent, get as httpGet } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestApp } from '../support/app.ts';
import { sampled } from '../support/long-run.ts';
import { type FaultyServers, only, openFaultyServers } from './support/faulty-servers.ts';
import { callV2, TRANSPORTS } from './support/transports.ts';

const PARALLEL = sampled(100, 1000);

let context: FaultyServers;
const agent = new Agent({ keepAlive: false, maxSockets: PARALLEL });
beforeAll(async () => {
  context = await openFaultyServers({ timing: { queryMs: 20_000 } });
});
afterAll(() => context.close());
beforeEach(async () => {
  context.servers[0]!.misbehave(undefined);
  await context.mine();
  context.answered.length = 0;
});

const server = () => context.servers[0]!;
const asked = () => server().count('getAccountState');
const pathOf = (account: number) =>
  `/api/v2/getAddressBalance?address=0:${account.toString(16).padStart(64, '0')}`;

function get(path: string): Promise<{ status: number; body: { result?: string; error?: string } }> {
  return new Promise((resolve, reject) => {
    const request = httpGet({ port: context.port, host: '127.0.0.1', path, agent }, async (response) => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      resolve({ status: response.statusCode!, body: JSON.parse(text) });
    });
    request.on('error', reject);
  });
}

/** Opens a connection, sends raw bytes and collects the response. */
async function open(text: string): Promise<{ socket: Socket; received: () => string }> {
  const socket = connect(context.port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  await once(socket, 'connect');
  socket.write(text);
  return { socket, received: () => received };
}

const rawGet = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const statuses = () => context.answered.map(({ status }) => status);
const isIdle = () =>
  vi.waitFor(() => expect(context.pool.servers()).toMatchObject([{ inFlight: 0, queued: 0 }]), 120_000);

describe('many v2 clients', () => {
  it('share one lite query for equal requests at the same time', async () => {
    const before = asked();
    server().misbehave(only('getAccountState', { kind: 'slow', delayMs: 1000 }));
    const answers = await Promise.all(Array.from({ length: PARALLEL }, () => get(pathOf(1))));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.result}`))).toEqual(
      new Set(['200 0']),
    );
    expect(asked() - before).toBe(1);
    expect(context.pool.servers()).toMatchObject([{ inFlight: 0, queued: 0 }]);
  });

  it('get their own results for different requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: PARALLEL }, (_, n) => get(pathOf(1000 + (n % (PARALLEL / 5))))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('are recorded as gone when they all disconnect, and leave nothing behind', async () => {
    server().misbehave(only('getAccountState', { kind: 'silent' }));
    const before = context.arrived;
    const clients = await Promise.all(
      Array.from({ length: PARALLEL }, (_, n) => open(rawGet(pathOf(20 + (n % 3))))),
    );
    await vi.waitFor(() => expect(context.arrived - before).toBe(PARALLEL), { timeout: 120_000 });
    for (const { socket } of clients) socket.destroy();
    await vi.waitFor(() => expect(statuses()).toHaveLength(PARALLEL), 120_000);
    expect(new Set(statuses())).toEqual(new Set([499]));
    await isIdle();
  });
});

describe('a v2 client that disconnects', () => {
  it('does not affect others that wait for the same result', async () => {
    server().misbehave(only('getAccountState', { kind: 'slow', delayMs: 600 }));
    const before = context.arrived;
    const first = await open(rawGet(pathOf(2)));
    const other = get(pathOf(2));
    await vi.waitFor(() => expect(context.arrived - before).toBe(2), 120_000);
    first.socket.destroy();
    expect(await other).toMatchObject({ status: 200, body: { result: '0' } });
    expect(statuses().sort()).toEqual([200, 499]);
  });

  it('is noticed while pipelined requests wait, which are not begun then', async () => {
    server().misbehave(only('getAccountState', { kind: 'silent' }));
    const before = context.arrived;
    const { socket, received } = await open(rawGet(pathOf(4)) + rawGet(pathOf(5)) + rawGet(pathOf(5)));
    await vi.waitFor(() => expect(context.arrived - before).toBe(1), 120_000);
    socket.destroy();
    await vi.waitFor(() => expect(statuses()).toEqual([499]), 120_000);
    expect(received()).toBe('');
    await isIdle();
    expect(context.arrived - before).toBe(1);
  });

  it('stops a batch before its next call', async () => {
    server().misbehave(only('getAccountState', { kind: 'silent' }));
    const body = JSON.stringify(
      Array.from({ length: 50 }, (_, n) => ({
        jsonrpc: '2.0',
        id: n,
        method: 'getAddressBalance',
        params: { address: `0:${(100 + n).toString(16).padStart(64, '0')}` },
      })),
    );
    const before = server().queries;
    const head = `POST /api/v2/jsonRPC HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`;
    const { socket } = await open(head + body);
    await vi.waitFor(() => expect(server().queries - before).toBeGreaterThanOrEqual(8), 120_000);
    socket.destroy();
    await vi.waitFor(
      () => expect(context.answered).toEqual([{ operation: 'jsonRPC', status: 499 }]),
      120_000,
    );
    await isIdle();
    expect(server().queries - before).toBeLessThan(30);
  });

  it('is not recorded as gone after its response', async () => {
    const { socket, received } = await open(rawGet(pathOf(6)));
    await vi.waitFor(() => expect(received()).toContain('"ok":true'), 120_000);
    socket.destroy();
    await once(socket, 'close');
    expect((await get(pathOf(6))).status).toBe(200);
    expect(statuses()).toEqual([200, 200]);
  });
});

describe('a v2 request whose time is over', () => {
  it('gets 504 with the text of the contract by every transport', async () => {
    const app = await createTestApp({ ports: { pool: () => context.pool, requestMs: 300 } });
    server().misbehave(only('getAccountState', { kind: 'silent' }));
    for (const transport of TRANSPORTS) {
      const { status, body } = await callV2(app, transport, 'getAddressBalance', {
        address: `0:${'7'.repeat(64)}`,
      });
      const refusal = { ok: false, error: 'Liteserver timeout', code: 504 };
      expect({ status, body }).toMatchObject({ status: 504, body: refusal });
    }
    await isIdle();
    await app.close();
  });
});

it('does not return a result again that was read at an older block than the head', async () => {
  const shaky = await openFaultyServers({ servers: 2 });
  try {
    const [stays, goes] = shaky.servers as [FaultyServers['servers'][0], FaultyServers['servers'][0]];
    stays.freeze();
    await shaky.mine(2);
    await goes.stop();
    await vi.waitFor(() => expect(shaky.pool.servers()[1]).not.toMatchObject({ state: 'live' }), 120_000);
    for (let round = 0; round < 2; round += 1) {
      const { '@extra': extra, ok } = (await shaky.app.inject(pathOf(9))).json();
      expect({ ok, extra }).toEqual({ ok: true, extra: expect.stringMatching(/^\d+:0:[\d.]+$/) });
    }
  } finally {
    await shaky.close();
  }
});
