import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPrivateAdnlKey } from '../../../src/chain/adnl/keys.ts';
import { createConnection } from '../../../src/lite/connection.ts';
import { LiteServerError, LiteTimeout } from '../../../src/lite/errors.ts';
import { LiteNetworkError } from '../../../src/lite/methods/proofs.ts';
import type { Misbehaviour } from '../../support/lite-server.ts';
import { sampled } from '../../support/long-run.ts';
import { echo, testConnection, testServer, until } from './test-connection.ts';

const QUERIES = sampled(2000, 10_000);
const REQUEST = Buffer.from('request!');

describe('a broken lite connection', () => {
  it('fails queries in flight, does not repeat them, and reconnects', async () => {
    const server = await testServer(echo, { misbehave: { kind: 'silent' } });
    const made = testConnection(server);
    await made.untilReady();
    const asked = Array.from({ length: 20 }, () => made.connection.query(REQUEST));
    await until(() => server.queries === 20);
    server.misbehave(undefined);
    server.cutAll();
    const results = await Promise.allSettled(asked);
    for (const result of results)
      expect(result).toMatchObject({ reason: { message: 'LITE_SERVER_NETWORKCancelled' } });
    await made.untilReady();
    expect(await made.connection.query(REQUEST)).toEqual(echo(REQUEST));
    expect(server.queries).toBe(21);
    expect(made.readies).toBe(2);
    expect(made.downs).toHaveLength(1);
  });

  it('reconnects when the server restarts', async () => {
    const server = await testServer();
    const made = testConnection(server);
    await made.untilReady();
    await server.stop();
    await until(() => made.downs.length >= 4);
    expect(made.connection.ready).toBe(false);
    await expect(made.connection.query(REQUEST)).rejects.toThrow('not ready');
    await server.start();
    await made.untilReady();
    expect(await made.connection.query(REQUEST)).toEqual(echo(REQUEST));
  });

  it('connects to a server that starts later', async () => {
    const server = await testServer();
    await server.stop();
    const made = testConnection(server);
    await until(() => made.downs.length >= 2);
    await server.start();
    await made.untilReady();
    expect(await made.connection.query(REQUEST)).toEqual(echo(REQUEST));
  });

  it('logs each reason once', async () => {
    const server = await testServer();
    const made = testConnection(server);
    await made.untilReady();
    await server.stop();
    await until(() => made.downs.length >= 6);
    await server.start();
    await made.untilReady();
    expect(made.log.texts()).toEqual([
      'Lite server connected',
      'Lite server not connected',
      'Lite server not connected',
      'Lite server connected',
    ]);
    const [, closed, refused] = made.log.lines;
    expect(closed).toMatchObject({ level: 'warn', details: { server: `127.0.0.1:${server.port}` } });
    expect(refused?.details.reason).toContain('ECONNREFUSED');
  });

  it('backs off until a query gets a response', async () => {
    const server = await testServer(echo, { misbehave: { kind: 'garbage' } });
    const made = testConnection(server, { reconnectFirstMs: 4, reconnectMaxMs: 64, random: () => 0 });
    const pauses = (): unknown[] => made.log.lines.flatMap(({ details }) => details.pauseMs ?? []);
    // The server takes every handshake, but that alone does not make it a good one.
    for (let round = 0; round < 6; round += 1) {
      await made.untilReady();
      await made.connection.query(REQUEST).catch(() => {});
      await until(() => !made.connection.ready);
    }
    expect(pauses()).toEqual([2, 4, 8, 16, 32, 32]);
    server.misbehave(undefined);
    await made.untilReady();
    await made.connection.query(REQUEST);
    server.cutAll();
    await until(() => made.downs.length === 7);
    expect(pauses().at(-1)).toBe(2);
  });

  it('does not reconnect after it was closed', async () => {
    const server = await testServer();
    const made = testConnection(server);
    await made.untilReady();
    server.cutAll();
    await until(() => made.downs.length === 1);
    made.connection.close();
    const other = testConnection(server);
    await other.untilReady();
    server.cutAll();
    await until(() => other.readies === 2);
    expect(made.readies).toBe(1);
    expect(server.clients).toBe(1);
  });

  it('can be closed by its onDown listener', async () => {
    const server = await testServer();
    const made = testConnection(server, { onDown: () => made.connection.close() });
    await made.untilReady();
    server.cutAll();
    await until(() => made.downs.length === 1);
    expect(made.connection.ready).toBe(false);
    expect(made.readies).toBe(1);
  });

  it('reconnects when a listener throws', async () => {
    const fail = (): never => {
      throw new Error('a listener failed');
    };
    const server = await testServer();
    const made = testConnection(server, { onReady: fail, onDown: fail });
    await made.untilReady();
    server.cutAll();
    await until(() => made.readies === 2);
    expect(await made.connection.query(REQUEST)).toEqual(echo(REQUEST));
    expect(made.log.lines.filter(({ level }) => level === 'error')).toHaveLength(3);
  });
});

describe('a lite connection that cannot be established', () => {
  it('is retried while the server refuses the handshake', async () => {
    const server = await testServer(echo, { misbehave: { kind: 'refuse-handshake' } });
    const made = testConnection(server);
    await until(() => made.downs.length >= 3);
    expect(made.readies).toBe(0);
    server.misbehave(undefined);
    await made.untilReady();
    expect(await made.connection.query(REQUEST)).toEqual(echo(REQUEST));
  });

  it('is not ready with a server of another key', async () => {
    const server = await testServer();
    const publicKey = createPrivateAdnlKey().publicBytes;
    const made = testConnection({ host: server.host, port: server.port, publicKey });
    await until(() => made.downs.length >= 3);
    expect(made.readies).toBe(0);
  });

  it('is closed when the server does not respond to the handshake in time', async () => {
    const mute = createServer((socket) => socket.resume().on('error', () => {})).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    onTestFinished(() => void mute.close());
    const { port } = mute.address() as AddressInfo;
    const { publicBytes: publicKey } = createPrivateAdnlKey();
    const made = testConnection({ host: '127.0.0.1', port, publicKey }, { connectTimeoutMs: 20 });
    await until(() => made.downs.length >= 2);
    expect(made.downs[0]).toBe('not connected in time');
  });

  it.each([
    ['a key of 31 bytes', { port: 1, publicKey: Buffer.alloc(31) }],
    ['a key that gives no secret', { port: 1, publicKey: Buffer.alloc(32) }],
    ['a port that is none', { port: 70_000, publicKey: createPrivateAdnlKey().publicBytes }],
  ])('is refused with %s', (_, target) => {
    expect(() => createConnection({ host: '127.0.0.1', ...target })).toThrow();
  });
});

describe('a misbehaving lite server', () => {
  const fatal: readonly [kind: Misbehaviour, reason: string][] = [
    [{ kind: 'cut' }, 'closed by the server'],
    [{ kind: 'wrong-checksum' }, 'the checksum of a packet is wrong'],
    [{ kind: 'garbage' }, 'a packet of 4294967295 bytes'],
    [{ kind: 'flood', packets: 5000 }, 'flood of unsolicited packets'],
  ];
  it.each(fatal)('is disconnected for $kind, and reconnected', async (misbehaviour, reason) => {
    const server = await testServer(echo, { misbehave: misbehaviour });
    const made = testConnection(server);
    await made.untilReady();
    const asked = [made.connection.query(REQUEST), made.connection.query(REQUEST)];
    const results = await Promise.allSettled(asked);
    expect(results).toMatchObject([{}, { reason: { message: 'LITE_SERVER_NETWORKCancelled' } }]);
    expect(made.downs[0]).toContain(reason);
    expect(made.log.lines[1]?.details.reason).toContain(reason);
    server.misbehave(undefined);
    await made.untilReady();
    expect(await made.connection.query(REQUEST)).toEqual(echo(REQUEST));
  });

  it('is disconnected when its pongs fill a packet without an end', async () => {
    const server = await testServer(echo, { misbehave: { kind: 'endless' } });
    const made = testConnection(server, { pingIntervalMs: 5 });
    await made.untilReady();
    await expect(made.connection.query(REQUEST)).rejects.toThrow('LITE_SERVER_NETWORKCancelled');
    expect(made.downs).toEqual(['a packet without an end']);
    server.misbehave(undefined);
    await made.untilReady();
    expect(await made.connection.query(REQUEST)).toEqual(echo(REQUEST));
  });

  it('may send a few unsolicited packets', async () => {
    const server = await testServer(echo, { misbehave: { kind: 'flood', packets: 300 } });
    const made = testConnection(server);
    await made.untilReady();
    expect(await made.connection.query(REQUEST)).toEqual(echo(REQUEST));
    expect(made.downs).toEqual([]);
  });

  it('is disconnected when not even pings are answered', async () => {
    const server = await testServer();
    const made = testConnection(server, { pingIntervalMs: 15 });
    await made.untilReady();
    server.misbehave({ kind: 'hung' });
    await expect(made.connection.query(REQUEST)).rejects.toThrow('LITE_SERVER_NETWORKCancelled');
    expect(made.downs[0]).toBe('nothing received, not even a pong');
    server.misbehave(undefined);
    await made.untilReady();
    expect(await made.connection.query(REQUEST)).toEqual(echo(REQUEST));
  });

  it('stays connected while it answers pings', async () => {
    const server = await testServer(echo, { misbehave: { kind: 'silent' } });
    const made = testConnection(server, { pingIntervalMs: 10 });
    await made.untilReady();
    await expect(made.connection.query(REQUEST, { timeoutMs: 200 })).rejects.toThrow(LiteTimeout);
    expect(made.downs).toEqual([]);
    server.misbehave(undefined);
    expect(await made.connection.query(REQUEST)).toEqual(echo(REQUEST));
  });

  it('may treat each request differently', async () => {
    const server = await testServer(echo, {
      misbehave: (request) =>
        request.includes('bad') ? { kind: 'error', code: 652, text: 'too slow' } : undefined,
    });
    const made = testConnection(server);
    await made.untilReady();
    const asked = ['good', 'bad', 'good'].map((text) => made.connection.query(Buffer.from(text)));
    expect(await Promise.allSettled(asked)).toMatchObject([
      { value: echo(Buffer.from('good')) },
      { reason: { code: 652 } },
      { value: echo(Buffer.from('good')) },
    ]);
  });

  it('settles all of thousands of queries, whatever it does', async () => {
    const tricks: readonly (Misbehaviour | undefined)[] = [
      { kind: 'slow', delayMs: 5 },
      { kind: 'silent' },
      { kind: 'cut' },
      { kind: 'wrong-checksum' },
      { kind: 'garbage' },
      { kind: 'flood', packets: 20 },
      { kind: 'error', code: 651, text: 'not in db' },
    ];
    // One trick in two hundred queries, so that most connections live for a while.
    let asked = 0;
    const server = await testServer(echo, {
      misbehave: () => (++asked % 200 === 0 ? tricks[(asked / 200) % tricks.length] : undefined),
    });
    const made = testConnection(server, { queryTimeoutMs: 100, pingIntervalMs: 20, reconnectFirstMs: 1 });
    const counts = { answered: 0, refused: 0, late: 0, broken: 0 };

    async function ask(number: number): Promise<void> {
      const request = Buffer.from(`request ${number}`);
      await until(() => made.connection.ready);
      try {
        expect(await made.connection.query(request)).toEqual(echo(request));
        counts.answered += 1;
      } catch (error) {
        if (error instanceof LiteServerError) counts.refused += 1;
        else if (error instanceof LiteTimeout) counts.late += 1;
        else if (error instanceof LiteNetworkError) counts.broken += 1;
        else throw error;
      }
    }

    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < QUERIES) {
        next += 1;
        await ask(next);
      }
    };
    await Promise.all(Array.from({ length: 50 }, worker));
    const { answered, refused, late, broken } = counts;
    expect(answered + refused + late + broken).toBe(QUERIES);
    expect(answered).toBeGreaterThan(QUERIES / 2);
    expect(made.connection.inFlight).toBe(0);
    expect(server.queries).toBeLessThanOrEqual(QUERIES);
  });
});
