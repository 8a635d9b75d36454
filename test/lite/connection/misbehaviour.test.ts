import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { LiteNetworkError, LiteServerError, LiteTimeout } from '../../../src/lite/errors.ts';
import type { Misbehaviour } from '../../support/lite-server/misbehaviour.ts';
import { echo, testConnection, testServer, until } from './test-connection.ts';

const REQUEST = Buffer.from('request!');

describe('a server that misbehaves', () => {
  const fatal: readonly [kind: Misbehaviour, reason: string][] = [
    [{ kind: 'cut' }, 'closed by the server'],
    [{ kind: 'wrong-checksum' }, 'the checksum of a packet is wrong'],
    [{ kind: 'garbage' }, 'a packet of 4294967295 bytes'],
    [{ kind: 'flood', packets: 5000 }, 'a flood of packets that nobody asked for'],
  ];
  it.each(fatal)('is cut for $kind, and connected again', async (misbehaviour, reason) => {
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

  it('is cut when its pongs fill a packet that does not end', async () => {
    const server = await testServer(echo, { misbehave: { kind: 'endless' } });
    const made = testConnection(server, { pingIntervalMs: 5 });
    await made.untilReady();
    await expect(made.connection.query(REQUEST)).rejects.toThrow('LITE_SERVER_NETWORKCancelled');
    expect(made.downs).toEqual(['a packet that does not end']);
    server.misbehave(undefined);
    await made.untilReady();
    expect(await made.connection.query(REQUEST)).toEqual(echo(REQUEST));
  });

  it('may send a few packets that nobody asked for', async () => {
    const server = await testServer(echo, { misbehave: { kind: 'flood', packets: 300 } });
    const made = testConnection(server);
    await made.untilReady();
    expect(await made.connection.query(REQUEST)).toEqual(echo(REQUEST));
    expect(made.downs).toEqual([]);
  });

  it('is cut when not even pings are answered', async () => {
    const server = await testServer();
    const made = testConnection(server, { pingIntervalMs: 15 });
    await made.untilReady();
    server.misbehave({ kind: 'hung' });
    await expect(made.connection.query(REQUEST)).rejects.toThrow('LITE_SERVER_NETWORKCancelled');
    expect(made.downs[0]).toBe('nothing heard, not even a pong');
    server.misbehave(undefined);
    await made.untilReady();
    expect(await made.connection.query(REQUEST)).toEqual(echo(REQUEST));
  });

  it('is kept while its pongs come', async () => {
    const server = await testServer(echo, { misbehave: { kind: 'silent' } });
    const made = testConnection(server, { pingIntervalMs: 10 });
    await made.untilReady();
    await expect(made.connection.query(REQUEST, { timeoutMs: 200 })).rejects.toThrow(LiteTimeout);
    expect(made.downs).toEqual([]);
    server.misbehave(undefined);
    expect(await made.connection.query(REQUEST)).toEqual(echo(REQUEST));
  });

  it('may treat each request in another way', async () => {
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

  it('loses none of 10 000 queries, whatever it does', async () => {
    const tricks: readonly (Misbehaviour | undefined)[] = [
      { kind: 'slow', delayMs: 5 },
      { kind: 'silent' },
      { kind: 'cut' },
      { kind: 'wrong-checksum' },
      { kind: 'garbage' },
      { kind: 'flood', packets: 20 },
      { kind: 'error', code: 651, text: 'not in db' },
    ];
    // One trick in two hundred, so that most connections live for a while.
    const server = await testServer(echo, {
      misbehave: () => (randomInt(200) === 0 ? tricks[randomInt(tricks.length)] : undefined),
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
      while (next < 10_000) {
        next += 1;
        await ask(next);
      }
    };
    await Promise.all(Array.from({ length: 50 }, worker));
    const { answered, refused, late, broken } = counts;
    expect(answered + refused + late + broken).toBe(10_000);
    expect(answered).toBeGreaterThan(5000);
    expect(made.connection.inFlight).toBe(0);
    expect(server.queries).toBeLessThanOrEqual(10_000);
  });
});
