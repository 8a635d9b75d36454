import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Localnet } from '../../../src/localnet/chain/localnet.ts';
import { hasPendingWork } from '../../../src/localnet/chain/mining.ts';
import { createDemoChain } from '../../../src/localnet/demo/demo-chain.ts';
import { runDemo } from '../../../src/localnet/demo/run-demo.ts';
import type { Vm } from '../../../src/vm/vm.ts';
import { sampled } from '../../support/long-run.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { sharedVm } from '../../support/shared-vm.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { openDemoLocalnet, transactionsOf } from '../support/demo-localnet.ts';

const log = createQuietLog();
const folders: string[] = [];
let vm: Vm;

beforeAll(() => {
  vm = sharedVm();
});
afterAll(async () => {
  await vm.close();
  for (const folder of folders) await removeTemporaryDirectory(folder);
});

function newFolder(): string {
  const folder = makeTemporaryDirectory('demo');
  folders.push(folder);
  return folder;
}

/** A chain that ends after so many messages and blocks; a message may get into a block without those after it. */
function mortal(localnet: Localnet, lifetime: number) {
  let left = lifetime;
  const live = (): void => {
    if (left-- <= 0) throw new Error('the end');
  };
  return {
    ...localnet,
    async send(body: Buffer) {
      live();
      const sent = await localnet.send(body);
      if (left === 0) await localnet.mine(1);
      return sent;
    },
    async drain() {
      const { store, genesis } = localnet;
      while (localnet.status().waitingMessages > 0 || hasPendingWork(store, genesis.shards)) {
        live();
        await localnet.mine(1);
      }
      return store.head;
    },
  };
}

const run = (localnet: Parameters<typeof createDemoChain>[0]) =>
  runDemo({ chain: createDemoChain(localnet), log, save: async () => undefined });

/** How many transactions each account of the basechain has. */
function counts({ store }: Localnet): Record<string, number> {
  const accounts = [...transactionsOf(store)].filter(([address]) => address.startsWith('0:'));
  return Object.fromEntries(accounts.map(([address, transactions]) => [address, transactions.length]));
}

it('an interrupted demo continues where it stopped and does nothing twice', async () => {
  const whole = await openDemoLocalnet(newFolder(), vm);
  await run(whole);
  const expected = counts(whole);
  const { seqno } = whole.store.head;
  await run(whole);
  expect(whole.store.head.seqno).toBe(seqno);
  await whole.stop();

  const folder = newFolder();
  const lifetimes = sampled([1, 4, 17, 30, 11], [1, 1, 1, 1, 4, 2, 6, 3]);
  let ends = 0;
  for (let isDone = false; !isDone; ) {
    const localnet = await openDemoLocalnet(folder, vm);
    try {
      await run(mortal(localnet, lifetimes[ends % lifetimes.length]!));
      expect(counts(localnet)).toEqual(expected);
      isDone = true;
    } catch (error) {
      if (!(error as Error).message.includes('the end')) throw error;
      ends += 1;
    } finally {
      await localnet.stop();
    }
  }
  expect(ends).toBeGreaterThan(sampled(2, 10));
});
