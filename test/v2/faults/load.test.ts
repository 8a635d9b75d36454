// Measures the memory of its process, which it therefore has for itself.
// @vitest-environment-options {"process":"load"}
import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { sampled } from '../../support/long-run.ts';
import { settledMemory } from '../../support/settled-memory.ts';
import { type FaultyServers, only, openFaultyServers } from '../support/faulty-servers.ts';

const PARALLEL = sampled(20, 1000);
/** Clients of each kind that disconnect. */
const HANGING = sampled(20, 100);
const MIB = 2 ** 20;
/** Memory that may remain after some thousand requests: about one KiB per request. */
const LEFT_BYTES = 3 * MIB;

let context: FaultyServers;
let account = 1;
const agent = new Agent({ keepAlive: false, maxSockets: PARALLEL });
beforeAll(async () => {
  context = await openFaultyServers({ timing: { queryMs: 20_000 } });
});
afterAll(async () => {
  agent.destroy();
  await context?.close();
});
beforeEach(async () => {
  context.servers[0]!.misbehave(undefined);
  await context.mine();
  context.answered.length = 0;
});

interface Answer {
  readonly status: number;
  readonly body: {
    readonly ok: boolean;
    readonly code?: number;
    readonly error?: string;
    readonly result?: string;
  };
}

/** Sends a request over a connection; a stream is sent in chunks, without a content length. */
function send(path: string, body?: string | Readable): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const headers = typeof body === 'string' ? { 'content-length': Buffer.byteLength(body) } : {};
    const place = { host: '127.0.0.1', port: context.port, path: `/api/v2/${path}`, method, headers, agent };
    // After a rejected body the connection is in the middle of a request.
    const request = httpRequest(place, (response) =>
      resolve(read(response).finally(() => request.destroy())),
    );
    request.on('error', reject);
    if (body instanceof Readable) body.pipe(request);
    else request.end(body);
  });
}

async function read(response: IncomingMessage): Promise<Answer> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode!, body: JSON.parse(text) };
}

/** Opens a connection and sends raw bytes. */
async function openSocket(text: string): Promise<Socket> {
  const socket = connect(context.port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

const connections = () =>
  new Promise((resolve) => context.app.server.getConnections((_error, count) => resolve(count)));
const addressOf = (number: number) => `0:${number.toString(16).padStart(64, '0')}`;
const balancePath = (number: number) => `getAddressBalance?address=${addressOf(number)}`;
const asked = () => context.servers[0]!.count('getAccountState');
const statuses = () => new Set(context.answered.map(({ status }) => status));
const textsOf = (answers: readonly Answer[]) =>
  new Set(answers.map(({ status, body }) => `${status} ${body.result ?? body.error}`));
const isIdle = () =>
  vi.waitFor(() => expect(context.pool.servers()).toMatchObject([{ inFlight: 0, queued: 0 }]), {
    timeout: 120_000,
  });

async function askDifferent(count: number): Promise<void> {
  const before = asked();
  const answers = await Promise.all(Array.from({ length: count }, () => send(balancePath(account++))));
  expect(textsOf(answers)).toEqual(new Set(['200 0']));
  expect(asked() - before).toBe(count);
}

async function askTheSame(count: number): Promise<void> {
  const before = asked();
  const path = balancePath(account++);
  const answers = await Promise.all(Array.from({ length: count }, () => send(path)));
  expect(textsOf(answers)).toEqual(new Set(['200 0']));
  expect(asked() - before).toBe(1);
}

async function sendTooMuch(): Promise<void> {
  const big = 'x'.repeat(4 * MIB);
  const chunks = () => Readable.from(Array.from({ length: 64 }, () => 'x'.repeat(MIB / 16)));
  const deep = '['.repeat(100_000);
  const answers = await Promise.all([
    ...['sendBoc', 'jsonRPC', 'runGetMethod'].flatMap((name) => [send(name, big), send(name, chunks())]),
    send('getAddressBalance', JSON.stringify({ address: big })),
    send('jsonRPC', `[${'{"method":"getMasterchainInfo"},'.repeat(150_000).slice(0, -1)}]`),
  ]);
  const limits = [256 * 1024, 512 * 1024, 16 * 1024];
  const refusals = limits.map((bytes) => `413 Request body is larger than ${bytes} bytes`);
  expect(textsOf(answers)).toEqual(new Set(refusals));
  for (const { body } of answers) expect(body).toMatchObject({ ok: false, code: 413 });
  const nested = await Promise.all([
    send('jsonRPC', deep),
    send('runGetMethod', `{"address":"${addressOf(1)}","method":"x","stack":${deep}${']'.repeat(100_000)}}`),
  ]);
  for (const { status, body } of nested)
    expect({ status, text: body.error }).toEqual({
      status: 422,
      text: expect.stringContaining('nested deeper than 2048'),
    });
}

/** Clients that disconnect within a request, while it is processed, and while the response is sent. */
async function hangUp(): Promise<void> {
  context.servers[0]!.misbehave(only('getAccountState', { kind: 'silent' }));
  const before = context.arrived;
  const whole = (number: number) => `GET /api/v2/${balancePath(number)} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const part = 'POST /api/v2/sendBoc HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n{"boc":"';
  const batch = JSON.stringify(
    Array.from({ length: 20 }, () => ({
      method: 'getAddressBalance',
      params: { address: addressOf(account++) },
    })),
  );
  const rpc = `POST /api/v2/jsonRPC HTTP/1.1\r\nHost: x\r\nContent-Length: ${batch.length}\r\n\r\n${batch}`;
  const config = 'GET /api/v2/getConfigAll HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3);
  const texts = Array.from({ length: HANGING }, () => [whole(account++), part, rpc, config]).flat();
  const sockets = await Promise.all(texts.map(openSocket));
  await vi.waitFor(() => expect(context.arrived - before).toBe(HANGING * 6), { timeout: 120_000 });
  for (const socket of sockets) socket.destroy();
  await isIdle();
  context.servers[0]!.misbehave(undefined);
}

it('v2 rejects bodies that are too large or too deep, in the envelope', sendTooMuch);

it('v2 stops working for clients that have disconnected', async () => {
  await hangUp();
  await expect.poll(() => [...statuses()].sort()).toEqual([200, 499]);
});

it('v2 stops writing to a client that does not read', async () => {
  const before = context.arrived;
  const some = 'GET /api/v2/getConfigAll HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(200);
  const socket = await openSocket(some);
  socket.pause();
  let [sent, arrived] = [200, 0];
  await vi.waitFor(
    () => {
      const earlier = arrived;
      arrived = context.arrived - before;
      const isStuck = arrived === earlier && arrived < sent;
      if (arrived === sent) {
        socket.write(some);
        sent += 200;
      }
      expect(isStuck).toBe(true);
    },
    { timeout: 120_000, interval: 500 },
  );
  socket.destroy();
  await vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 120_000 });
});

it(
  'v2 frees memory and connections after all kinds of load',
  async () => {
    async function rest(): Promise<number> {
      await vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 120_000 });
      await isIdle();
      context.answered.length = 0;
      context.log.lines.length = 0;
      context.forget();
      return settledMemory();
    }
    async function round(clients: number): Promise<void> {
      await askDifferent(clients);
      await askTheSame(clients);
      await sendTooMuch();
      await hangUp();
    }
    await round(PARALLEL);
    const before = await rest();
    await round(PARALLEL / 2);
    await round(PARALLEL / 2);
    expect((await rest()) - before).toBeLessThan(LEFT_BYTES);
  },
  sampled(600_000, 600_000),
);
