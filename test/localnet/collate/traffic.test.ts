import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampled } from '../../support/long-run.ts';
import { startLocalChain } from '../support/local-chain.ts';
import { Traffic } from '../support/traffic.ts';
import { BlockChecker, reExecute } from './block-checker.ts';

const TRANSACTIONS = 2000;
/** After so many a sample ends as soon as there is some of everything. */
const SOME_TRANSACTIONS = sampled(125, TRANSACTIONS);
/** One step in so many is made again. */
const REPEAT_EVERY = sampled(6, 1);

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
          const hasAll = () => Object.values(traffic.made(chain)).every((count) => count > 0);
          for (let enough = SOME_TRANSACTIONS; enough <= TRANSACTIONS; enough += SOME_TRANSACTIONS) {
            while (checker.ordinary < enough) await chain.step(traffic.wave());
            if (hasAll()) break;
          }
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
