import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBoc } from '../../src/chain/boc/bag.ts';
import type { Vm } from '../../src/vm/vm.ts';
import { isLongRun, sampled } from '../support/long-run.ts';
import { missingNetwork } from '../support/recorded-network.ts';
import { sharedVm } from '../support/shared-vm.ts';
import { replayChain } from './recorded-chain.ts';

/** One block in so many is executed. */
const EVERY = sampled(5, 1);

describe.skipIf(missingNetwork !== '')(`transactions of the recorded network${missingNetwork}`, () => {
  let vm: Vm;
  beforeAll(() => {
    vm = sharedVm();
  });
  afterAll(() => vm.close());

  it('have the same hashes when they are executed again', async () => {
    const wrong: string[] = [];
    let right = 0;
    const blocks = [];
    for (const [at, { name, runs, transactions }] of [...replayChain()].entries()) {
      if (at % EVERY > 0) continue;
      const compare = async () => {
        const outcomes = await vm.runTransactions(runs, { timeoutMs: 60_000 });
        outcomes.forEach((outcome, i) => {
          const bag = outcome.kind === 'done' ? readBoc(outcome.transaction) : undefined;
          if (bag?.hash(bag.root).equals(transactions[i]!.hash)) right++;
          else wrong.push(`${name} ${i} ${outcome.kind}`);
        });
      };
      blocks.push(compare());
    }
    await Promise.all(blocks);
    expect(wrong).toEqual([]);
    if (isLongRun) expect(right).toBe(898);
    else expect(right).toBeGreaterThan(150);
  });
});
