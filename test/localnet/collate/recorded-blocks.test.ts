import { describe, expect, it } from 'vitest';
import { sampled } from '../../support/long-run.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import { sharedVm } from '../../support/shared-vm.ts';
import { collateRecording } from './recorded-collation.ts';

/**
 * What came of a moment and not of a rule: at the split the node looked at its clock a second earlier, and in the
 * first blocks of new groups of validators it did not have the queues of the neighbours in time.
 */
const CHANCE = [
  '0_8000000000000000_21',
  '0_4000000000000000_27',
  '0_4000000000000000_64',
  '0_c000000000000000_64',
];

const BLOCKS = sampled(30, 347);

describe.skipIf(missingNetwork !== '')(`blocks of the recorded network${missingNetwork}`, () => {
  it('are collated again with the same header, value flow, messages, transactions and state', async () => {
    const vm = sharedVm();
    const names: string[] = [];
    const different: string[] = [];
    for await (const block of collateRecording(vm)) {
      names.push(block.name);
      if (block.different.length > 0) different.push(block.name);
      if (names.length === BLOCKS) break;
    }
    await vm.close();
    expect(different).toEqual(CHANCE.filter((name) => names.includes(name)));
    expect(names).toHaveLength(BLOCKS);
  });
});
