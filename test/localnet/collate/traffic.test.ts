import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampled } from '../../support/long-run.ts';
import { startLocalChain } from '../support/local-chain.ts';
import { Traffic } from '../support/traffic.ts';
import { BlockChecker, reExecute } from './block-checker.ts';

const TRANSACTIONS = sampled(80, 2000);
/** One step in so many is made again. */
const REPEAT_EVERY = sampled(12, 1);

describe('random traffic over four shards', () => {
  it('conserves value and messages, and re-executes to the same hashes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const checker = new BlockChecker();
        let steps = 0;
        const chain = await startLocalChain({ shards: 4 }, async (collated) => {
          checker.check(collated);
          if (steps++ % REPEAT_EVERY === 0) await reExecute(collated, chain);
        });
        try {
          await chain.steps(6);
          const traffic = new Traffic(seed);
          await traffic.fund(chain);
          const enough = checker.ordinary + TRANSACTIONS;
          while (checker.ordinary < enough) await chain.step(traffic.wave());
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
  }, 600_000);
});
