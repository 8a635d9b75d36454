import { afterEach, describe, expect, it, vi } from 'vitest';
import { createConnection } from '../../src/lite/connection.ts';
import { encodeRequest } from '../../src/lite/methods/codec.ts';
import { ProofFailure } from '../../src/lite/methods/proofs.ts';
import { createPool } from '../../src/lite/pool.ts';
import { createFakeChain, readState, startFakeNet } from '../support/fake-chain.ts';
import { createQuietLog } from '../support/quiet-log.ts';

let net: Awaited<ReturnType<typeof startFakeNet>> | undefined;
afterEach(async () => {
  await net?.close();
  net = undefined;
});

const eventually = <T>(check: () => T) => vi.waitFor(check, { timeout: 120_000, interval: 5 });

function countingMetrics() {
  const counts = new Map<string, number>();
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  return {
    counts,
    queryDone: (method: string, outcome: string, seconds: number) => {
      expect(seconds).toBeGreaterThanOrEqual(0);
      count(`${method} ${outcome}`);
    },
    serverFailed: (_server: string, fault: string) => void count(fault),
  };
}

describe('metrics of the pool', () => {
  it('count queries by method and outcome, and failures by kind', async () => {
    const metrics = countingMetrics();
    net = await startFakeNet({ servers: [{}], metrics, timing: { queryMs: 100 } });
    const { pool, chain, servers } = net;
    const session = await pool.session();
    await session.run((target) => readState(target, chain));
    await expect(
      session.run((target) => readState(target, chain, { block: chain.block(500) })),
    ).rejects.toThrow();
    await expect(session.query(Buffer.from('unknown!'))).rejects.toThrow(/LITE_SERVER_UNKNOWN/);
    servers[0]?.misbehave({ kind: 'silent' });
    await expect(session.query(encodeRequest({ method: 'getTime' }))).rejects.toThrow('timeout');
    const abort = new AbortController();
    const impatient = session.query(encodeRequest({ method: 'getVersion' }));
    const leaving = (await pool.session({ signal: abort.signal })).query(
      encodeRequest({ method: 'getVersion' }),
    );
    abort.abort(new Error('gone'));
    await expect(leaving).rejects.toThrow('gone');
    servers[0]?.cutAll();
    await expect(impatient).rejects.toThrow('LITE_SERVER_NETWORKCancelled');
    expect(Object.fromEntries(metrics.counts)).toMatchObject({
      'getAccountState ok': 1,
      'getAccountState refused': 1,
      'other refused': 1,
      'getTime timeout': 1,
      'getVersion network': 1,
      timeout: expect.any(Number),
      network: expect.any(Number),
    });
    expect(metrics.counts.get('getMasterchainInfoExt ok')).toBeGreaterThan(0);
  });

  it('count a query that was aborted', async () => {
    const metrics = countingMetrics();
    net = await startFakeNet({ servers: [{}], metrics });
    const abort = new AbortController();
    const session = await net.pool.session({ signal: abort.signal });
    net.servers[0]?.misbehave({ kind: 'silent' });
    const answer = session.query(encodeRequest({ method: 'getTime' }));
    abort.abort(new Error('gone'));
    await expect(answer).rejects.toThrow('gone');
    await eventually(() => expect(metrics.counts.get('getTime aborted')).toBe(1));
    expect(net.pool.servers()).toMatchObject([{ inFlight: 0 }]);
  });
});

describe('options of the pool', () => {
  it('distrust excludes a server', async () => {
    net = await startFakeNet({ servers: [{}, {}] });
    await net.pool.waitForSeqno(100, { timeoutMs: 120_000 });
    net.pool.distrust({ index: 1 }, 'I know better');
    net.pool.distrust({ index: 1 }, 'as I said');
    net.pool.distrust({ index: 7 }, 'who is that');
    expect(net.pool.servers()[1]).toMatchObject({ state: 'distrusted', wrongResponses: 1 });
    expect(net.log.lines.filter(({ level }) => level === 'warn')).toEqual([
      {
        level: 'warn',
        text: 'Lite server distrusted after a wrong response',
        details: { server: net.names[1], index: 1, reason: 'I know better', periodMs: 100 },
      },
    ]);
  });

  it('proveHead runs for two servers at a time before the first success, and wrong heads are not used', async () => {
    const chain = createFakeChain(100);
    const underway = new Set<number>();
    const first = Promise.withResolvers<void>();
    let most = 0;
    net = await startFakeNet({
      chain,
      servers: [{}, {}, {}, {}, {}],
      proveHead: async ({ index, name, query }, block) => {
        underway.add(index);
        most = Math.max(most, underway.size);
        expect(name).toMatch(/^127\.0\.0\.1:\d+$/);
        expect(await query(encodeRequest({ method: 'getTime' }))).toHaveLength(8);
        await first.promise;
        underway.delete(index);
        if (index === 4 || !chain.has(block)) throw new ProofFailure('VALIDATE_BLOCK_PROOF', ': not here');
      },
    });
    const { pool } = net;
    await eventually(() => expect(underway.size).toBe(2));
    expect(pool.head).toBeUndefined();
    first.resolve();
    await eventually(() =>
      expect(pool.servers().map(({ state }) => state)).toEqual([
        'live',
        'live',
        'live',
        'live',
        'distrusted',
      ]),
    );
    expect(most).toBe(2);
  });

  it('an impossible key throws StartError and leaves nothing open', async () => {
    const chain = createFakeChain(1);
    net = await startFakeNet({ servers: [{}], chain });
    const [good] = net.servers;
    const server = { index: 0, host: good!.host, port: good!.port, publicKey: good!.publicKey };
    const config = {
      liteServers: [server, { ...server, index: 1, port: 2, publicKey: Buffer.alloc(5) }],
      zeroState: chain.zeroState,
      initBlock: chain.zeroState,
      hardforks: [],
    };
    const log = createQuietLog();
    expect(() => createPool({ config, connect: createConnection, log })).toThrow(
      /^Lite server 127\.0\.0\.1:2 of the global config cannot be used: a public key has 32 bytes, not 5$/,
    );
    await eventually(() => expect(good?.clients).toBe(1));
  });

  it('close ends all queries and waits', async () => {
    net = await startFakeNet({ servers: [{}], timing: { startMs: 10 } });
    const { pool, servers } = net;
    await pool.waitForSeqno(100, { timeoutMs: 120_000 });
    const session = await pool.session();
    const waiting = pool.waitForSeqno(500, { timeoutMs: 120_000 }).catch((error: Error) => error.message);
    servers[0]?.misbehave({ kind: 'silent' });
    const query = session.query(encodeRequest({ method: 'getTime' })).catch((error: Error) => error.message);
    await pool.close();
    await pool.close();
    expect(await waiting).toBe('LITE_SERVER_NETWORKCancelled');
    expect(await query).toBe('LITE_SERVER_NETWORKCancelled');
    await expect(pool.session()).rejects.toThrow(/Cancelled|no workers available/);
    await eventually(() => expect(servers[0]?.clients).toBe(0));
  });
});
