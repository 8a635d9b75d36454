import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readState, type ServerTraits, startFakeNet } from '../support/fake-chain.ts';
import { sampled } from '../support/long-run.ts';

const QUERIES = sampled(800, 10_000);
const LANES = 100;

/** All that a query may fail with when no good server is left. */
const RIGHT_TEXTS = [
  /^LITE_SERVER_NETWORK(Cancelled|not ready| timeout)$/,
  /^LITE_SERVER_NOTREADY: block \S+ is not in db$/,
  /^LITE_SERVER_TIMEOUT: timeout$/,
  /^Liteserver timeout$/,
  /^VALIDATE_ACCOUNT_STATE: account state hash mismatch$/,
  /^no workers available \(archival=0 mode=Single\)$/,
];

let net: Awaited<ReturnType<typeof startFakeNet>>;
afterEach(() => net.close());

describe('a pool of three servers, of which one lags, one is wrong and one dies', () => {
  it('settles every query with the right response or the right error', async () => {
    const lagging: ServerTraits = {};
    const lying: ServerTraits = {};
    net = await startFakeNet({ servers: [lagging, lying, {}] });
    await net.pool.waitForSeqno(100, { timeoutMs: 120_000 });
    const texts = new Map<string, number>();
    let next = 0;
    let answered = 0;
    let settled = 0;

    async function ask(account: number): Promise<void> {
      try {
        const session = await net.pool.session();
        await session.run((target) => readState(target, net.chain, { account }));
        answered += 1;
      } catch (error) {
        const text = (error as Error).message;
        texts.set(text, (texts.get(text) ?? 0) + 1);
      } finally {
        settled += 1;
      }
    }

    async function lane(): Promise<void> {
      while (next < QUERIES) await ask(next++);
    }

    /** One thing after another goes wrong, and is made good again. */
    async function trouble(): Promise<void> {
      for (let turn = 0; next < QUERIES; turn += 1) {
        net.chain.grow();
        lagging.stuckAt = turn % 16 < 10 ? (lagging.stuckAt ?? net.chain.seqno) : undefined;
        lying.lies = turn % 6 < 3 ? 'state' : turn % 12 < 6 ? 'head' : undefined;
        if (turn % 10 === 3) await net.servers[2]?.stop();
        if (turn % 10 === 6) await net.servers[2]?.start();
        if (turn % 10 === 8) net.servers[2]?.cutAll();
        await sleep(20);
      }
    }

    await Promise.all([trouble(), ...Array.from({ length: LANES }, lane)]);
    expect(settled).toBe(QUERIES);
    expect([...texts.keys()].filter((text) => !RIGHT_TEXTS.some((right) => right.test(text)))).toEqual([]);
    expect(answered).toBeGreaterThan(QUERIES / 2);

    const named = net.log.lines.filter(({ text }) => /wrong response/.test(text));
    expect(new Set(named.map(({ details }) => details.server))).toEqual(new Set([net.names[1]]));
    expect(net.pool.servers()).toMatchObject(Array(3).fill({ inFlight: 0, queued: 0 }));

    lagging.stuckAt = undefined;
    lying.lies = undefined;
    await net.servers[2]?.start();
    net.chain.grow();
    await vi.waitFor(() => expect(net.pool.servers()).toMatchObject(Array(3).fill({ state: 'live' })), {
      timeout: 120_000,
    });
  });
});
