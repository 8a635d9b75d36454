import { randomBytes } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { InFlightQueries } from '../../../src/lite/connection.ts';
import { LiteServerError, LiteTimeout } from '../../../src/lite/errors.ts';
import { LiteNetworkError } from '../../../src/lite/methods/proofs.ts';
import { echo, testConnection, testServer, until } from './test-connection.ts';

const numbered = (number: number): Buffer => {
  const request = Buffer.alloc(8);
  request.writeUInt32LE(number, 4);
  return request;
};

describe('queries over a lite connection', () => {
  it.each([0, 1, 3, 4, 253, 254, 255, 65_536, 1_000_000])('support a request of %i bytes', async (length) => {
    const { connection, untilReady } = testConnection(await testServer());
    await untilReady();
    const request = randomBytes(length);
    expect((await connection.query(request)).equals(echo(request))).toBe(true);
    expect(connection.inFlight).toBe(0);
  });

  it('support a response of 4 MB', async () => {
    const large = randomBytes(4 * 1024 * 1024);
    const { connection, untilReady } = testConnection(await testServer(() => large));
    await untilReady();
    expect((await connection.query(numbered(1))).equals(large)).toBe(true);
  });

  it('are pipelined, and responses in any order reach their callers', async () => {
    const server = await testServer(async (request) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
      return echo(request);
    });
    const { connection, untilReady } = testConnection(server);
    await untilReady();
    const requests = Array.from({ length: 3000 }, (_, number) => numbered(number));
    const asked = requests.map((request) => connection.query(request));
    expect(connection.inFlight).toBe(3000);
    expect(await Promise.all(asked)).toEqual(requests.map(echo));
    expect(server.queries).toBe(3000);
    expect(connection.inFlight).toBe(0);
  });

  it('can be sent as soon as the connection is ready', async () => {
    const answered = Promise.withResolvers<Buffer>();
    const made = testConnection(await testServer(), {
      onReady: () => made.connection.query(numbered(1)).then(answered.resolve, answered.reject),
    });
    expect(await answered.promise).toEqual(echo(numbered(1)));
  });

  it('of several clients do not get mixed up', async () => {
    const server = await testServer((_, { client }) => Buffer.from(`client ${client}`));
    const first = testConnection(server);
    await first.untilReady();
    const second = testConnection(server);
    await second.untilReady();
    expect(server.clients).toBe(2);
    const answers = [first, second, first].map(({ connection }) => connection.query(numbered(1)));
    expect((await Promise.all(answers)).map(String)).toEqual(['client 1', 'client 2', 'client 1']);
  });

  it('keep the code and the text of a refusal', async () => {
    const server = await testServer(() => {
      throw new LiteServerError(651, 'block is not in db');
    });
    const { connection, untilReady } = testConnection(server);
    await untilReady();
    const failure = await connection.query(numbered(1)).catch((error) => error);
    expect(failure).toBeInstanceOf(LiteServerError);
    expect(failure).toMatchObject({
      code: 651,
      text: 'block is not in db',
      message: 'LITE_SERVER_NOTREADY: block is not in db',
    });
    server.misbehave({ kind: 'error', code: -400, text: 'no' });
    await expect(connection.query(numbered(1))).rejects.toMatchObject({ code: -400, text: 'no' });
  });

  it('fail alone when their refusal is malformed', async () => {
    const broken = Buffer.from('48e1a9bb0000', 'hex');
    const { connection, downs, untilReady } = testConnection(
      await testServer((request) => (request.length === 8 ? broken : echo(request))),
    );
    await untilReady();
    await expect(connection.query(numbered(1))).rejects.toThrow(LiteNetworkError);
    expect(await connection.query(Buffer.from('next'))).toEqual(Buffer.from('echonext'));
    expect(downs).toEqual([]);
  });
});

describe('queries without a response', () => {
  it('time out, and a late response is ignored', async () => {
    const server = await testServer(echo, { misbehave: { kind: 'slow', delayMs: 60 } });
    const { connection, downs, untilReady } = testConnection(server);
    await untilReady();
    const short = connection.query(numbered(1), { timeoutMs: 15 });
    const long = connection.query(numbered(2), { timeoutMs: 20_000 });
    await expect(short).rejects.toThrow(LiteTimeout);
    expect(connection.inFlight).toBe(1);
    expect(await long).toEqual(echo(numbered(2)));
    expect(await connection.query(numbered(3))).toEqual(echo(numbered(3)));
    expect(downs).toEqual([]);
  });

  it('use the timeout of the connection by default', async () => {
    const server = await testServer(echo, { misbehave: { kind: 'silent' } });
    const { connection, untilReady } = testConnection(server, { queryTimeoutMs: 15 });
    await untilReady();
    const all = Array.from({ length: 500 }, (_, number) => connection.query(numbered(number)));
    const results = await Promise.allSettled(all);
    for (const result of results) expect(result).toMatchObject({ reason: expect.any(LiteTimeout) });
    expect(connection.inFlight).toBe(0);
  });

  it('end when their signal is aborted', async () => {
    const server = await testServer(echo, { misbehave: { kind: 'silent' } });
    const { connection, untilReady } = testConnection(server);
    await untilReady();
    const control = new AbortController();
    const asked = connection.query(numbered(1), { signal: control.signal });
    control.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
    await expect(connection.query(numbered(2), { signal: control.signal })).rejects.toThrow('enough');
    await until(() => server.queries === 1);
    expect(connection.inFlight).toBe(0);
    server.misbehave(undefined);
    expect(await connection.query(numbered(3))).toEqual(echo(numbered(3)));
    expect(server.queries).toBe(2);
  });

  it('remove their listeners from the signal', async () => {
    const { connection, untilReady } = testConnection(await testServer());
    await untilReady();
    const { signal } = new AbortController();
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on('warning', onWarning);
    onTestFinished(() => void process.off('warning', onWarning));
    const asked = Array.from({ length: 50 }, (_, number) => connection.query(numbered(number), { signal }));
    expect(getEventListeners(signal, 'abort')).toHaveLength(50);
    await Promise.all(asked);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(warnings).toEqual([]);
  });
});

describe('a lite connection that is not ready', () => {
  it('fails queries immediately, before it is connected and after it was closed', async () => {
    const { connection, untilReady } = testConnection(await testServer());
    expect(connection.ready).toBe(false);
    await expect(connection.query(numbered(1))).rejects.toThrow('LITE_SERVER_NETWORKnot ready');
    await untilReady();
    connection.close();
    expect(connection.ready).toBe(false);
    await expect(connection.query(numbered(1))).rejects.toThrow('LITE_SERVER_NETWORKnot ready');
  });

  it('fails its queries when it is closed', async () => {
    const server = await testServer(echo, { misbehave: { kind: 'silent' } });
    const { connection, downs, untilReady } = testConnection(server);
    await untilReady();
    const asked = connection.query(numbered(1));
    connection.close();
    connection.close();
    await expect(asked).rejects.toThrow('LITE_SERVER_NETWORKCancelled');
    await until(() => server.clients === 0);
    expect(downs).toEqual([]);
  });

  it('accepts no more than it can send, and continues when the server reads', async () => {
    const server = await testServer(() => Buffer.from('done'), { misbehave: { kind: 'hung' } });
    server.misbehave(undefined);
    const maxWaitingBytes = 1_000_000;
    const { connection, untilReady } = testConnection(server, { maxWaitingBytes, queryTimeoutMs: 20_000 });
    await untilReady();
    server.misbehave({ kind: 'hung' });
    const asked: Promise<Buffer>[] = [];
    const request = randomBytes(100_000);
    // The machine's own buffers take some megabytes first.
    while (connection.ready && asked.length < 1000) asked.push(connection.query(request));
    expect(asked.length).toBeLessThan(1000);
    await expect(connection.query(request)).rejects.toThrow('not ready');
    server.misbehave(undefined);
    expect((await Promise.all(asked)).every((answer) => answer.equals(Buffer.from('done')))).toBe(true);
    await untilReady();
  });

  it('refuses a request that is too large for a packet', async () => {
    const { connection, untilReady } = testConnection(await testServer());
    await untilReady();
    await expect(connection.query(Buffer.alloc(9 * 1024 * 1024))).rejects.toThrow(LiteNetworkError);
    expect(await connection.query(numbered(1))).toEqual(echo(numbered(1)));
  });
});

const ANSWER = Buffer.from('answer');

describe('InFlightQueries', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('uses one timer for all queries, and none after the last', async () => {
    const inFlight = new InFlightQueries(() => performance.now());
    const opened = Array.from({ length: 2000 }, (_, number) => {
      const { id, response } = inFlight.open(5000 + (number % 7), undefined);
      return { id: Buffer.from(id), response };
    });
    expect(vi.getTimerCount()).toBe(1);
    for (const { id } of opened) expect(inFlight.settle(id, ANSWER)).toBe(true);
    await Promise.all(opened.map(({ response }) => response));
    await vi.advanceTimersByTimeAsync(6000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('times out each query at its own deadline, in whatever order they were opened', async () => {
    const inFlight = new InFlightQueries(() => performance.now());
    const ended: number[] = [];
    for (const timeoutMs of [500, 100, 300, 100, 900]) {
      inFlight.open(timeoutMs, undefined).response.catch((error) => {
        expect(error).toBeInstanceOf(LiteTimeout);
        ended.push(timeoutMs);
      });
    }
    await vi.advanceTimersByTimeAsync(99);
    expect(ended).toEqual([]);
    await vi.advanceTimersByTimeAsync(251);
    expect(ended).toEqual([100, 100, 300]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(ended).toEqual([100, 100, 300, 500, 900]);
    expect(inFlight.size).toBe(0);
  });

  it('accepts one response per query, and only for a known id', async () => {
    const inFlight = new InFlightQueries(() => performance.now());
    const { id, response } = inFlight.open(5000, undefined);
    const stranger = Buffer.from(id);
    stranger.writeUInt8(stranger.readUInt8(0) ^ 1, 0);
    const unknown = Buffer.from(id);
    unknown.writeUInt8(9, 31);
    expect(inFlight.settle(stranger, ANSWER)).toBe(false);
    expect(inFlight.settle(unknown, ANSWER)).toBe(false);
    expect(inFlight.settle(id, ANSWER)).toBe(true);
    expect(inFlight.settle(id, ANSWER)).toBe(false);
    expect(await response).toEqual(ANSWER);
    inFlight.failAll(new Error('nobody is there'));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('supports timeouts longer than those of timers', async () => {
    const inFlight = new InFlightQueries(() => performance.now());
    const { id, response } = inFlight.open(Number.POSITIVE_INFINITY, undefined);
    const ofId = Buffer.from(id);
    inFlight.open(2 ** 40, undefined).response.catch(() => {});
    await vi.advanceTimersByTimeAsync(60_000);
    expect(inFlight.size).toBe(2);
    inFlight.settle(ofId, ANSWER);
    expect(await response).toEqual(ANSWER);
    inFlight.failAll(new Error('over'));
  });
});
