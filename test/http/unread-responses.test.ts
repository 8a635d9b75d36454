import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import type { UnreadOptions } from '../../src/http/limits.ts';
import { createTestApp } from '../support/app.ts';

// More than the buffers of the system take.
const BYTES = 30_000_000;

let app: FastifyInstance;
/** Connections that the server has accepted, whether they still exist or not. */
let accepted: number;
afterEach(() => app.close());

async function serve(unread: UnreadOptions): Promise<URL> {
  app = await createTestApp({
    overrides: {
      unread,
      interfaces: [
        {
          prefix: '/big',
          plugin: async (big) => {
            big.get('/', async () => 'x'.repeat(BYTES));
          },
        },
      ],
    },
  });
  accepted = 0;
  app.server.on('connection', () => accepted++);
  return new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
}

/** A client that asks and does not read. */
function ask({ port, hostname }: URL): Socket {
  const socket = connect(Number(port), hostname).on('error', () => {});
  socket.write('GET /big HTTP/1.1\r\nHost: here\r\n\r\n');
  return socket.pause();
}

const connections = () =>
  new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)));

async function readAll(url: URL): Promise<number> {
  return (await (await fetch(new URL('/big', url))).text()).length;
}

describe('a response that nobody reads', () => {
  it('is dropped after a while, and one that is read arrives', async () => {
    const url = await serve({ graceMs: 0, minBytesPerSecond: 1e12 });
    const idle = ask(url);
    await once(idle, 'connect');
    await expect.poll(() => accepted).toBe(1);
    await expect.poll(connections, { timeout: 120_000 }).toBe(0);
    idle.destroy();
    await app.close();
    expect(await readAll(await serve({ graceMs: 100, minBytesPerSecond: 1000 }))).toBe(BYTES);
  });

  it('is dropped when all together hold too much, and others are served', async () => {
    const url = await serve({ maxBytes: BYTES * 2 });
    const idle = [ask(url), ask(url), ask(url), ask(url)];
    await expect.poll(() => accepted, { timeout: 120_000 }).toBe(4);
    await expect.poll(connections, { timeout: 120_000 }).toBeLessThan(4);
    expect(await readAll(url)).toBe(BYTES);
    for (const socket of idle) socket.destroy();
  });
});
