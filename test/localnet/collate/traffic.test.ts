import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startLocalChain } from '../support/local-chain.ts';
import { Traffic } from '../support/traffic.ts';
import { BlockChecker, reExecute } from './block-checker.ts';

const TRANSACTIONS = 2000;

describe('random traffic over four shards', () => {
  it('loses nothing, makes nothing up, and can be made again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const checker = new BlockChecker();
        const chain = await startLocalChain({ shards: 4 }, async (collated) => {
          checker.check(collated);
          await reExecute(collated, chain);
        });
        try {
          await chain.steps(6);
          const traffic = new Traffic(seed);
          await traffic.fund(chain);
          while (checker.ordinary < TRANSACTIONS) await chain.step(traffic.wave());
          for (let i = 0; i < 30 && checker.underWay > 0; i++) await chain.step();
          expect(checker.underWay).toBe(0);
          for (const [kind, count] of Object.entries(traffic.made(chain)))
            expect(count, kind).toBeGreaterThan(0);
        } finally {
          await chain.close();
        }
      }),
      { numRuns: 1 },
    );
  }, 300_000);
});
