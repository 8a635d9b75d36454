import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPrivateAdnlKey } from '../../../src/chain/adnl/keys.ts';
import { createConnection } from '../../../src/lite/connection/create-connection.ts';
import { echo, testConnection, testServer, until } from './test-connection.ts';

const REQUEST = Buffer.from('request!');

describe('a connection that breaks', () => {
  it('fails what is in flight at once, never asks it again, and comes back', async () => {
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

  it('comes back when the server dies and lives again', async () => {
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

  it('finds a server that starts later', async () => {
    const server = await testServer();
    await server.stop();
    const made = testConnection(server);
    await until(() => made.downs.length >= 2);
    await server.start();
    await made.untilReady();
    expect(await made.connection.query(REQUEST)).toEqual(echo(REQUEST));
  });

  it('says in the log what happened, but not the same again and again', async () => {
    const server = await testServer();
    const made = testConnection(server);
    await made.untilReady();
    await server.stop();
    await until(() => made.downs.length >= 6);
    await server.start();
    await made.untilReady();
    expect(made.log.texts()).toEqual([
      'lite server connected',
      'lite server not connected',
      'lite server not connected',
      'lite server connected',
    ]);
    const [, closed, refused] = made.log.lines;
    expect(closed).toMatchObject({ level: 'warn', details: { server: `127.0.0.1:${server.port}` } });
    expect(refused?.details.reason).toContain('ECONNREFUSED');
  });

  it('waits longer and longer until a query is answered', async () => {
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

  it('does not come back after it was closed', async () => {
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

  it('can be closed by the one who is told of its end', async () => {
    const server = await testServer();
    const made = testConnection(server, { onDown: () => made.connection.close() });
    await made.untilReady();
    server.cutAll();
    await until(() => made.downs.length === 1);
    expect(made.connection.ready).toBe(false);
    expect(made.readies).toBe(1);
  });

  it('lives on when a listener throws', async () => {
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

describe('a connection that never was', () => {
  it('keeps trying while the server refuses its handshake', async () => {
    const server = await testServer(echo, { misbehave: { kind: 'refuse-handshake' } });
    const made = testConnection(server);
    await until(() => made.downs.length >= 3);
    expect(made.readies).toBe(0);
    server.misbehave(undefined);
    await made.untilReady();
    expect(await made.connection.query(REQUEST)).toEqual(echo(REQUEST));
  });

  it('is none with a server that has another key', async () => {
    const server = await testServer();
    const publicKey = createPrivateAdnlKey().publicBytes;
    const made = testConnection({ host: server.host, port: server.port, publicKey });
    await until(() => made.downs.length >= 3);
    expect(made.readies).toBe(0);
  });

  it('is given up when the server does not answer the handshake in time', async () => {
    const mute = createServer((socket) => socket.resume().on('error', () => {})).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    onTestFinished(() => void mute.close());
    const { port } = mute.address() as AddressInfo;
    const { publicBytes: publicKey } = createPrivateAdnlKey();
    const made = testConnection({ host: '127.0.0.1', port, publicKey }, { connectTimeoutMs: 20 });
    await until(() => made.downs.length >= 2);
    expect(made.downs[0]).toBe('no connection in time');
  });

  it.each([
    ['a key of 31 bytes', { port: 1, publicKey: Buffer.alloc(31) }],
    ['a key that gives no secret', { port: 1, publicKey: Buffer.alloc(32) }],
    ['a port that is none', { port: 70_000, publicKey: createPrivateAdnlKey().publicBytes }],
  ])('is refused with %s', (_, target) => {
    expect(() => createConnection({ host: '127.0.0.1', ...target })).toThrow();
  });
});
