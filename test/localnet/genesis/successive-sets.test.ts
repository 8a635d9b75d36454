import { afterAll, beforeAll, expect, it } from 'vitest';
import { configParam } from '../../../src/chain/tlb/config.ts';
import { readMcStateExtra } from '../../../src/chain/tlb/masterchain-state.ts';
import { readShardState } from '../../../src/chain/tlb/shard-state.ts';
import { readValidatorSet } from '../../../src/chain/tlb/validators.ts';
import type { Localnet } from '../../../src/localnet/chain/localnet.ts';
import { createDemoChain } from '../../../src/localnet/demo/demo-chain.ts';
import type { Vm } from '../../../src/vm/vm.ts';
import { sampled } from '../../support/long-run.ts';
import { sharedVm } from '../../support/shared-vm.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { openDemoLocalnet } from '../support/demo-localnet.ts';
import { electorData, holdElections, openValidators } from '../support/elections.ts';

const SETS = sampled(3, 5);
let folder: string;
let vm: Vm;
let localnet: Localnet;

beforeAll(async () => {
  folder = makeTemporaryDirectory('sets');
  vm = sharedVm();
  localnet = await openDemoLocalnet(folder, vm);
  await localnet.drain();
});

afterAll(async () => {
  await localnet?.stop();
  await vm?.close();
  await removeTemporaryDirectory(folder);
});

/** Beginnings of the current validator sets, from all key blocks. */
function setsOfKeyBlocks(): number[] {
  const { store } = localnet;
  const found = new Set<number>();
  for (let seqno = 1; seqno <= store.head.seqno; seqno++) {
    const { id } = store.masterchainBlock(seqno)!;
    if (store.lastKeyBlock(seqno).seqno !== seqno) continue;
    const tree = store.state(id);
    if (typeof tree !== 'object') throw new Error('the state of a key block is not there');
    const { config } = readMcStateExtra(tree.cells, readShardState(tree.cells, tree.cell).custom);
    found.add(readValidatorSet(tree.cells, configParam(tree.cells, config, 34)).since);
  }
  return [...found];
}

it(`${SETS} elections in a row give as many validator sets, one after another`, async () => {
  const chain = createDemoChain(localnet);
  const validators = await openValidators(chain, [1, 2]);
  const ids = await holdElections(chain, validators, SETS);
  expect(setsOfKeyBlocks().slice(-SETS)).toEqual(ids);
  const { activeId, pastElections } = electorData(chain);
  expect(activeId).toBe(ids.at(-1));
  // Stakes of earlier ones went back.
  expect(pastElections.length).toBeLessThan(SETS);
});
