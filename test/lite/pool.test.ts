import { afterEach, describe, expect, it, vi } from 'vitest';
import { LiteTimeout } from '../../src/lite/errors.ts';
import { createFakeChain, type ServerTraits, startFakeNet } from '../support/fake-chain.ts';

type Net = Awaited<ReturnType<typeof startFakeNet>>;
let net: Net;
afterEach(() => net.close());

const eventually = <T>(check: () => T) => vi.waitFor(check, { timeout: 120_000, interval: 5 });
const states = () => net.pool.servers().map(({ state }) => state);

describe('the head of the pool', () => {
  it('is the newest block of all servers, and listeners get every one', async () => {
    net = await startFakeNet({ servers: [{}, { lag: 1 }] });
    const heard: number[] = [];
    const unlisten = net.pool.onHead(({ seqno }) => heard.push(seqno));
    await net.pool.waitForSeqno(100, { timeoutMs: 120_000 });
    await eventually(() => expect(states()).toEqual(['live', 'live']));
    expect(net.pool.consensusBlock()).toEqual(net.chain.block(100));
    for (let seqno = 101; seqno <= 105; seqno += 1) {
      net.chain.grow();
      expect(await net.pool.waitForSeqno(seqno, { timeoutMs: 120_000 })).toEqual(net.chain.block(seqno));
    }
    expect(heard.at(-1)).toBe(105);
    expect(heard).toEqual([...heard].sort((a, b) => a - b));
    unlisten();
    net.chain.grow();
    await net.pool.waitForSeqno(106, { timeoutMs: 120_000 });
    expect(heard.at(-1)).toBe(105);
    expect(net.pool.servers()[0]).toMatchObject({
      seqno: 106,
      utime: 1_700_000_000,
      lagBlocks: 0,
      failures: 0,
    });
  });

  it('ends a wait for a missing block with a timeout', async () => {
    net = await startFakeNet({ servers: [{}] });
    await expect(net.pool.waitForSeqno(200, { timeoutMs: 20 })).rejects.toThrow(LiteTimeout);
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(net.pool.waitForSeqno(200, { timeoutMs: 5000, signal })).rejects.toThrow('gone');
  });

  it('reaches the other listeners when one fails', async () => {
    net = await startFakeNet({ servers: [{}] });
    net.pool.onHead(() => {
      throw new Error('listener');
    });
    await net.pool.waitForSeqno(100, { timeoutMs: 120_000 });
    expect(net.log.texts()).toContain('Listener for new blocks failed');
  });

  it.each<[string, ServerTraits]>([
    ['wait prefix', { lacks: ['wait'] }],
    ['getMasterchainInfoExt', { lacks: ['getMasterchainInfoExt'] }],
    ['its mode 1', { lacks: ['mode 1'], shardLag: 2 }],
    ['both', { lacks: ['wait', 'getMasterchainInfoExt'] }],
  ])('comes from a server that does not support %s', async (_name, traits) => {
    net = await startFakeNet({ servers: [traits] });
    await net.pool.waitForSeqno(100, { timeoutMs: 120_000 });
    for (let seqno = 101; seqno <= 103; seqno += 1) {
      net.chain.grow();
      await net.pool.waitForSeqno(seqno, { timeoutMs: 120_000 });
    }
    expect(states()).toEqual(['live']);
    expect(net.log.lines.filter(({ level }) => level !== 'info')).toEqual([]);
  });

  it('is a block of which the server has the shards, too', async () => {
    const traits: ServerTraits = { shardLag: 2 };
    net = await startFakeNet({ servers: [traits] });
    await net.pool.waitForSeqno(98, { timeoutMs: 120_000 });
    net.chain.grow(3);
    await net.pool.waitForSeqno(101, { timeoutMs: 120_000 });
    expect(net.pool.head).toEqual(net.chain.block(101));
    traits.shardLag = 0;
    await net.pool.waitForSeqno(103, { timeoutMs: 120_000 });
    expect(states()).toEqual(['live']);
  });

  it('excludes a lagging server until it has caught up', async () => {
    const traits: ServerTraits = { lag: 4 };
    net = await startFakeNet({ servers: [{}, traits] });
    await eventually(() => expect(states()).toEqual(['live', 'lagging']));
    expect(net.pool.servers()[1]).toMatchObject({ seqno: 96, lagBlocks: 4 });
    expect(net.servers[1]?.clients).toBe(1);
    traits.lag = 3;
    net.chain.grow(0);
    await eventually(() => expect(states()).toEqual(['live', 'live']));
  });

  it('never goes back', async () => {
    const traits: ServerTraits = {};
    net = await startFakeNet({ servers: [traits] });
    await net.pool.waitForSeqno(100, { timeoutMs: 120_000 });
    traits.lag = 2;
    traits.lacks = ['wait'];
    await eventually(() => expect(net.pool.servers()[0]).toMatchObject({ seqno: 98, state: 'live' }));
    expect(net.pool.head?.seqno).toBe(100);
  });
});

describe('a faulty server of the pool', () => {
  it('of another network is never used, and reported', async () => {
    const chain = createFakeChain(100);
    net = await startFakeNet({ servers: [{}], chain, zeroState: createFakeChain(0, 'other').zeroState });
    await eventually(() => expect(states()).toEqual(['foreign']));
    const line = net.log.lines.find(({ level }) => level === 'error');
    expect(line?.details).toMatchObject({ server: net.names[0], index: 0 });
    expect(line?.details.reason).toMatch(
      /^VALIDATE_ZERO_STATE: Masterchain zerostate mismatch: expected: -1:[0-9A-F]{64}:[0-9A-F]{64}, found -1:/,
    );
    expect(() => net.pool.consensusBlock()).toThrow('no workers alive');
    await expect(net.pool.check()).rejects.toThrow('no lite server is live');
  });

  it('that makes up a head is distrusted for longer each time, and used again when it is honest', async () => {
    const liar: ServerTraits = { lies: 'head' };
    const faults: string[] = [];
    const metrics = {
      queryDone() {},
      serverFailed: (name: string, fault: string) => faults.push(`${name} ${fault}`),
    };
    net = await startFakeNet({ servers: [liar, {}], metrics });
    await eventually(() =>
      expect(net.pool.servers()[0]).toMatchObject({ state: 'distrusted', wrongResponses: 3 }),
    );
    expect(net.pool.head).toEqual(net.chain.block(100));
    const lines = net.log.lines.filter(({ text }) => /wrong response/.test(text));
    expect(lines.map(({ details }) => details)).toMatchObject(
      [100, 200, 400].map((periodMs) => ({
        server: net.names[0],
        index: 0,
        periodMs,
        reason: 'VALIDATE_BLOCK_PROOF: no such block',
      })),
    );
    expect(faults.filter((fault) => fault === `${net.names[0]} proof`)).toHaveLength(3);
    liar.lies = undefined;
    await eventually(() => expect(states()).toEqual(['live', 'live']));
    expect(await net.pool.check()).toBe('2 of 2 lite servers live');
  });

  it('with a made-up head is used when proofs are off', async () => {
    net = await startFakeNet({ servers: [{ lies: 'head' }], trustHeads: true });
    await net.pool.waitForSeqno(105, { timeoutMs: 120_000 });
    expect(states()).toEqual(['live']);
  });

  it('with malformed responses is checked again, and used when it recovers', async () => {
    net = await startFakeNet({ servers: [{}], timing: { queryMs: 200, headWaitMs: 100 } });
    await net.pool.waitForSeqno(100, { timeoutMs: 120_000 });
    for (const kind of ['garbage', 'wrong-checksum', 'cut', 'silent'] as const) {
      net.servers[0]?.misbehave({ kind });
      net.chain.grow();
      await eventually(() => expect(states()).not.toEqual(['live']));
      net.servers[0]?.misbehave(undefined);
      await eventually(() => expect(states()).toEqual(['live']));
    }
    net.servers[0]?.misbehave({ kind: 'error', code: -1, text: 'out of order' });
    await eventually(() => expect(states()).toEqual(['failing']));
    net.servers[0]?.misbehave(undefined);
    await eventually(() => expect(states()).toEqual(['live']));
  });

  it('that dies is used again after its restart', async () => {
    net = await startFakeNet({ servers: [{}, {}] });
    await eventually(() => expect(states()).toEqual(['live', 'live']));
    await net.servers[0]?.stop();
    await eventually(() => expect(states()).toEqual(['down', 'live']));
    net.chain.grow(10);
    await net.servers[0]?.start();
    await eventually(() => expect(states()).toEqual(['live', 'live']));
    expect(net.pool.servers()[0]?.seqno).toBe(110);
  });
});

describe('the archive depth of a server', () => {
  it('is probed, and probed again when it changes', async () => {
    const traits: ServerTraits = { oldest: 40_000 };
    const chain = createFakeChain(50_000);
    net = await startFakeNet({ servers: [{}, traits], chain });
    await eventually(() =>
      expect(net.pool.servers()).toMatchObject([{ isArchival: true, oldestSeqno: 1 }, { isArchival: false }]),
    );
    await eventually(() => expect(net.pool.servers()[1]?.oldestSeqno).toBeGreaterThanOrEqual(40_000));
    expect(net.pool.servers()[1]?.oldestSeqno).toBeLessThan(40_200);
    traits.oldest = 45_000;
    await eventually(() => expect(net.pool.servers()[1]?.oldestSeqno).toBeGreaterThanOrEqual(45_000));
    traits.oldest = 0;
    await eventually(() => expect(net.pool.servers()[1]).toMatchObject({ isArchival: true }));
  });
});
