import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { Failure } from '../../src/lib/errors.ts';
import { createTestApp, testAccess } from '../support/app.ts';
import { sampleOf } from '../support/long-run.ts';
import { until } from '../support/until.ts';

const apps: FastifyInstance[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const app of apps.splice(0)) await app.close();
});

interface Listening {
  readonly port: number;
  readonly refused: () => number;
  /** Ends of the server, in the order in which they were accepted. */
  readonly accepted: readonly Socket[];
  /** Requests that were parsed. */
  readonly requests: () => number;
  /** Requests that came to the check of keys and rates. */
  readonly admitted: () => number;
}

async function listening(refusal?: Failure): Promise<Listening> {
  let refused = 0;
  let requests = 0;
  let admitted = 0;
  const accepted: Socket[] = [];
  const app = await createTestApp({
    overrides: { onConnectionRefused: () => refused++ },
    access: testAccess(async () => {
      admitted += 1;
      if (refusal !== undefined) throw refusal;
    }),
  });
  apps.push(app);
  app.server.on('connection', (socket: Socket) => accepted.push(socket));
  app.server.on('request', () => requests++);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { port, refused: () => refused, accepted, requests: () => requests, admitted: () => admitted };
}

async function open({ port }: Listening, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, localAddress });
  socket.on('error', () => {});
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** What a connection receives until it is closed, also if it is reset. */
function untilClosed(socket: Socket): Promise<string> {
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  return new Promise((resolve) => socket.once('close', () => resolve(received)));
}

async function ask(server: Listening, localAddress: string): Promise<string> {
  const socket = await open(server, localAddress);
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  return text(socket);
}

const CHUNKED = 'Host: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
const TINY_CHUNKS = '1\r\n \r\n'.repeat(100_000);
const OTHER = '127.0.0.2';
const OPERATION = `/api/v2/detectHash?hash=${'0'.repeat(64)}`;

describe('a body in tiny chunks', () => {
  it.each(
    sampleOf(
      [
        [
          'that is read',
          'POST /api/v2/jsonRPC',
          /^HTTP\/1\.1 400 .*"error":"Request body comes in too many small pieces"/s,
        ],
        ['of an unknown path', 'POST /api/v2/nothing', /^HTTP\/1\.1 (400|404) /],
        ['of a page', 'POST /healthz', /^HTTP\/1\.1 (400|404|405) /],
      ] as const,
      1,
    ),
  )('%s ends its connection, and its address is refused for a while', async (_title, start, answer) => {
    const server = await listening();
    const socket = await open(server);
    const closed = untilClosed(socket);
    socket.write(`${start} HTTP/1.1\r\n${CHUNKED}${TINY_CHUNKS}`);
    const others = await Promise.all(Array.from({ length: 3 }, () => ask(server, OTHER)));
    for (const other of others) expect(other).toMatch(/^HTTP\/1\.1 200 /);
    expect(await closed).toMatch(answer);
    // A read or two, of 600 kB.
    expect(server.accepted[0]!.bytesRead).toBeLessThan(200_000);
    expect(server.refused()).toBe(1);
    expect(await ask(server, '127.0.0.1')).toMatch(/^HTTP\/1\.1 429 .*Retry-After: 10.*flooded/s);
    expect(await ask(server, OTHER)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('ends its connection also when the request was refused at once', async () => {
    const server = await listening(new Failure('rate_limited', 'Ratelimit exceeded'));
    const socket = await open(server);
    const closed = untilClosed(socket);
    socket.write(`POST /api/v2/jsonRPC HTTP/1.1\r\n${CHUNKED}`);
    await once(socket, 'data');
    socket.write(TINY_CHUNKS);
    await closed;
    expect(server.accepted[0]!.bytesRead).toBeLessThan(200_000);
    expect(server.refused()).toBe(1);
  });

  it('ends its connection when many requests share the chunks', async () => {
    const server = await listening();
    const socket = await open(server);
    const closed = untilClosed(socket);
    socket.write(
      `POST /api/v2/detectHash HTTP/1.1\r\n${CHUNKED}${'1\r\n \r\n'.repeat(100)}0\r\n\r\n`.repeat(1000),
    );
    await closed;
    expect(server.accepted[0]!.bytesRead).toBeLessThan(200_000);
    expect(server.refused()).toBe(1);
  });

  it('ends connections of an address that share the chunks', async () => {
    const server = await listening();
    // Many more than an address may send in a second, however slow the machine is.
    const all = await Promise.all(Array.from({ length: 80 }, () => open(server)));
    const closed = Promise.race(all.map(untilClosed));
    for (const socket of all)
      socket.write(`POST /api/v2/detectHash HTTP/1.1\r\n${CHUNKED}${'1\r\n \r\n'.repeat(900)}`);
    expect(await closed).toMatch(/^HTTP\/1\.1 400 .*"error":"Request body comes in too many small pieces"/s);
    expect(await ask(server, OTHER)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each([
    ['chunks', CHUNKED, (piece: string) => `${piece.length.toString(16)}\r\n${piece}\r\n`, '0\r\n\r\n'],
    [
      'segments',
      'Host: x\r\nContent-Type: application/json\r\nContent-Length: 8000\r\n\r\n',
      (piece: string) => piece,
      '',
    ],
  ])('is taken if it is some hundred %s, as slow clients send', async (_title, head, pieceOf, end) => {
    const server = await listening();
    const socket = (await open(server)).setNoDelay(true);
    const body = JSON.stringify({ hash: '0'.repeat(64) }).padEnd(8000);
    socket.write(`POST /api/v2/detectHash HTTP/1.1\r\nConnection: close\r\n${head}`);
    for (let at = 0; at < body.length; at += 10) {
      socket.write(pieceOf(body.slice(at, at + 10)));
      await nextTurn();
    }
    socket.write(end);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .*"ok":true/s);
    expect(server.refused()).toBe(0);
  });
});

describe('a body that nobody wants', () => {
  it.each([
    ['chunked', 'Transfer-Encoding: chunked'],
    ['long', 'Content-Length: 100000000'],
  ])('is refused with 413 if it is %s and the method has none', async (_title, header) => {
    const server = await listening();
    const socket = await open(server);
    socket.write(`GET /healthz HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 .*"error":"A GET request has no body"/s);
  });

  it('is ignored if it is small, and the connection can be used again', async () => {
    const server = await listening();
    const socket = await open(server);
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}');
    await once(socket, 'data');
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('is read behind few responses of an address, not behind all', async () => {
    const server = await listening(new Failure('rate_limited', 'Ratelimit exceeded'));
    const bytes = 900_000;
    const head = `POST /api/v2/jsonRPC HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;
    const body = Buffer.alloc(bytes, ' ');
    const count = 12;
    for (let i = 0; i < count; i++) {
      const socket = await open(server);
      socket.write(head);
      socket.write(body);
      const [answer] = await once(socket, 'data');
      expect(String(answer)).toMatch(/^HTTP\/1\.1 429 /);
    }
    await until(() => server.accepted[0]!.bytesRead >= bytes);
    // Those that are not read to the end are closed.
    await until(() => server.accepted.some(({ destroyed }) => destroyed));
    const read = server.accepted.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    expect(read).toBeLessThan((count * bytes * 3) / 4);
  });

  it('is not read for long behind the response', async () => {
    const server = await listening(new Failure('rate_limited', 'Ratelimit exceeded'));
    const socket = await open(server);
    const closed = untilClosed(socket);
    socket.write(`POST /api/v2/jsonRPC HTTP/1.1\r\n${CHUNKED}`);
    await once(socket, 'data');
    for (let i = 0; i < 200; i++) socket.write(`10000\r\n${'x'.repeat(65_536)}\r\n`);
    await closed;
    expect(server.accepted[0]!.bytesRead).toBeLessThan(4_000_000);
  });
});

describe('headers of four bytes without end', () => {
  it.each(
    sampleOf(
      [
        ['at the head of a request', 'GET /healthz HTTP/1.1\r\nHost: x\r\n'],
        ['behind a body', `POST /api/v2/detectHash HTTP/1.1\r\n${CHUNKED}2\r\n{}\r\n0\r\n`],
      ] as const,
      1,
    ),
  )('%s end the connection', async (_title, start) => {
    const server = await listening();
    const socket = await open(server);
    const closed = untilClosed(socket);
    socket.write(start + 'a:\r\n'.repeat(3_000_000));
    expect(await closed).toMatch(/^HTTP\/1\.1 431 /);
    expect(server.accepted[0]!.bytesRead).toBeLessThan(10_000_000);
    expect(await ask(server, OTHER)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('pipelined requests', () => {
  it.each(
    sampleOf(
      [
        ['in one write', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'],
        ['that expect something', 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: x\r\n\r\n'],
        ['without a host', 'GET /healthz HTTP/1.1\r\n\r\n'],
      ] as const,
      1,
    ),
  )('%s end their connection when they are thousands, without being read to the end', async (_title, one) => {
    const server = await listening();
    const socket = await open(server);
    const closed = untilClosed(socket);
    socket.write(one.repeat(20_000));
    await closed;
    expect(server.accepted[0]!.bytesRead).toBeLessThan(200_000);
    expect(server.refused()).toBe(1);
    expect(await ask(server, OTHER)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('with an expectation that nobody knows pass the limits like any other', async () => {
    const server = await listening();
    const socket = await open(server);
    socket.write(`GET ${OPERATION} HTTP/1.1\r\nHost: x\r\nExpect: x\r\nConnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .*"ok":true/s);
    expect(server.admitted()).toBe(1);
  });

  it('without a host are refused in the envelope of the interface', async () => {
    const socket = await open(await listening());
    socket.write(`GET ${OPERATION} HTTP/1.1\r\nConnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 .*"error":"Missing or malformed Host header"/s);
  });
});
