import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { affordableConnections } from '../../src/http/connections.ts';
import { createTestApp } from '../support/app.ts';

const apps: FastifyInstance[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const app of apps.splice(0)) await app.close();
});

interface Listening {
  readonly port: number;
  readonly refused: () => number;
}

async function listening(overrides: object): Promise<Listening> {
  let refused = 0;
  const app = await createTestApp({ overrides: { onConnectionRefused: () => refused++, ...overrides } });
  apps.push(app);
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { port: (app.server.address() as AddressInfo).port, refused: () => refused };
}

async function open({ port }: Listening, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, localAddress });
  socket.on('error', () => {});
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

const REQUEST = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

async function ask(server: Listening, localAddress?: string): Promise<string> {
  const socket = await open(server, localAddress);
  socket.write(REQUEST);
  return text(socket);
}

describe('the limit on connections', () => {
  it('leaves room for other addresses when one has many', async () => {
    const server = await listening({ maxConnections: 40 });
    const held = await Promise.all(Array.from({ length: 10 }, () => open(server)));
    const refusal = await ask(server);
    expect(refusal).toMatch(/^HTTP\/1\.1 503 /);
    expect(refusal).toContain('Retry-After: 1');
    expect(refusal).toContain('"error":"Too many connections"');
    expect(server.refused()).toBe(1);
    expect(await ask(server, '127.0.0.2')).toMatch(/^HTTP\/1\.1 200 /);

    held[0]!.destroy();
    await expect.poll(() => ask(server)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('counts all addresses together behind a proxy', async () => {
    const server = await listening({ maxConnections: 16, trustProxy: true });
    const openBusy = async () => (await open(server)).write('GET /');
    for (let i = 0; i < 14; i++) await openBusy();
    expect(await ask(server)).toMatch(/^HTTP\/1\.1 200 /);
    for (let i = 0; i < 2; i++) await openBusy();
    await expect.poll(() => ask(server)).toMatch(/^HTTP\/1\.1 503 /);
  });

  it('closes connections that send nothing to make room, and no others', async () => {
    const server = await listening({ maxConnections: 20, trustProxy: true });
    const idle = await open(server);
    idle.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(idle, 'data');
    const silent = await Promise.all(Array.from({ length: 17 }, () => open(server)));
    for (const socket of silent) socket.resume();
    const closedCount = () => silent.filter(({ closed }) => closed).length;
    await expect.poll(() => ask(server).then(closedCount)).toBeGreaterThan(0);
    idle.write(REQUEST);
    expect(await text(idle)).toMatch(/^HTTP\/1\.1 200 /);
    expect(server.refused()).toBe(0);
  });

  it('closes connections that wait for a next request when there are many', async () => {
    const server = await listening({ maxConnections: 16, trustProxy: true });
    const idle = await Promise.all(Array.from({ length: 14 }, () => open(server)));
    const answered = idle.map((socket) => once(socket, 'data'));
    for (const socket of idle) socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await Promise.all(answered);
    const closed = idle.map((socket) => once(socket, 'close'));
    for (let i = 0; i < 8; i++) expect(await ask(server)).toMatch(/^HTTP\/1\.1 200 /);
    await Promise.all(closed);
  });

  it.each([
    ['heads', 'GET /?x='],
    ['bodies', 'POST /api/v2/sendBoc HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n'],
  ])('ends requests whose %s trickle in', async (_title, start) => {
    const server = await listening({ receiveTimeoutMs: 300 });
    const socket = await open(server);
    socket.write(start);
    const trickle = setInterval(() => socket.write('x'), 20);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 .*"error":"Request was not received in time"/s);
    clearInterval(trickle);
  });

  it('closes connections that send nothing', async () => {
    const server = await listening({ receiveTimeoutMs: 100 });
    const socket = await open(server);
    socket.resume();
    await once(socket, 'close');
  });

  it.each([
    ['heads', `GET /?x=${'x'.repeat(100_000)}`],
    [
      'bodies',
      `POST /api/v2/sendBoc HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n${'x'.repeat(100_000)}`,
    ],
  ])('refuses the largest of many unfinished %s, and serves others', async (_title, start) => {
    const server = await listening({ maxUnfinishedBytes: 1_000_000 });
    const held = await Promise.all(Array.from({ length: 40 }, () => open(server)));
    const small = await open(server);
    small.write('GET /healthz HTTP/1.1\r\nHost: x\r\n');
    const answers: string[] = [];
    for (const socket of held) {
      text(socket).then(
        (answer) => answers.push(answer),
        () => {},
      );
      socket.write(start);
    }
    await expect.poll(() => answers.length, { timeout: 120_000 }).toBeGreaterThanOrEqual(30);
    expect(server.refused()).toBe(answers.length);
    for (const answer of answers) {
      expect(answer).toMatch(/^HTTP\/1\.1 503 /);
      expect(answer).toMatch(/Retry-After: 1/i);
      expect(answer).toContain('"error":"Too many unfinished requests"');
    }
    // Those that fit are not touched, nor is a small one.
    expect(answers.length).toBeLessThanOrEqual(32);
    expect(await ask(server)).toMatch(/^HTTP\/1\.1 200 /);
    small.write('Connection: close\r\n\r\n');
    expect(await text(small)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('is derived from the limit on open files', () => {
    expect(affordableConnections()).toBeGreaterThan(100);
    expect(affordableConnections()).toBeLessThanOrEqual(20_000);
  });
});
