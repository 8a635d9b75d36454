import type { MessageRelaxed } from '@ton/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TestWallet } from '../../localnet/support/local-chain.ts';
import { isLongRun } from '../../support/long-run.ts';
import { isComplete, openTestIndexer, until, untilNothingIsMissing } from '../support/test-indexer.ts';
import { compareContracts } from './support/compare-contracts.ts';
import { type LiveChain, startLiveChain } from './support/live-chain.ts';
import { ROOT, TokenTraffic } from './support/token-traffic.ts';

const PEOPLE = 6;
const WAVES = 16;

test.runIf(isLongRun)(
  'randomly created, changed and deleted contracts are indexed as their get-methods say',
  {
    timeout: 600_000,
  },
  async () => {
    const [seed] = fc.sample(fc.integer(), 1);
    const random = { below: randomNumbers(seed!) };
    const live = await startLiveChain({ people: PEOPLE, dnsRoot: ROOT.address.hash });
    const context = await openTestIndexer();
    try {
      const traffic = new TokenTraffic(
        live.people.map(({ address }) => address),
        random,
      );
      const owner = live.people[0]!;
      await live.send(owner, [...traffic.begin(), ...traffic.more(), ...traffic.more()]);
      for (let i = 0; i < WAVES; i++) await live.step(wave(live, traffic, random.below));
      const pair = [0, 1].map(() =>
        context.indexer(live.pool, { detection: context.detection(live.pool), lanes: 2, chunkSeqnos: 3 }),
      );
      for (const indexer of pair) indexer.start();
      for (let i = 0; i < WAVES; i++) {
        const sends = wave(live, traffic, random.below);
        if (i % 5 === 2) sends.set(owner, [...(sends.get(owner) ?? []), ...traffic.more()]);
        const seqno = await live.step(sends);
        // First block by block, then as fast as possible.
        if (i < WAVES / 2) await until(pair[0]!, ({ followed }) => (followed ?? 0) >= seqno);
      }
      const to = await live.send(owner, []);
      for (const indexer of pair) await until(indexer, isComplete(to));
      await untilNothingIsMissing(context);
      const counts = await compareContracts(context, live.pool);
      for (const table of [
        'jetton_wallets',
        'jetton_transfers',
        'jetton_burns',
        'nft_items',
        'nft_transfers',
      ])
        expect({ table, count: counts[table] }).not.toEqual({ table, count: 0 });
      for (const table of ['nft_sales', 'dns_entries', 'multisigs', 'multisig_orders', 'vestings'])
        expect({ table, count: counts[table] }).not.toEqual({ table, count: 0 });
    } finally {
      await context.close();
      await live.close();
    }
  },
);

/** Messages of some wallets in one block. */
function wave(
  { people }: LiveChain,
  traffic: TokenTraffic,
  below: (limit: number) => number,
): Map<TestWallet, MessageRelaxed[]> {
  const some = people.filter(() => below(3) > 0);
  return new Map(some.map((one) => [one, [traffic.message(one.address)]]));
}

/** Seeded random integers (xorshift). */
function randomNumbers(seed: number): (limit: number) => number {
  let state = seed | 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}
