import { beginCell } from '@ton/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Indexer } from '../../../src/indexer/indexer.ts';
import { offChainContent } from '../../localnet/support/contract-messages.ts';
import type { MethodResult } from '../../support/get-method-code.ts';
import { buildV3App, NO_INDEX } from '../../v3/support/build-app.ts';
import { listOf } from '../detect/support/other-contract-results.ts';
import { address, cell, int, NULL } from '../detect/support/stack-items.ts';
import {
  isComplete,
  openTestIndexer,
  type TestIndexer,
  until,
  untilNothingIsMissing,
} from '../support/test-indexer.ts';
import {
  changeCode,
  changingContract,
  deployment,
  destroyContract,
  type LiveChain,
  startLiveChain,
} from './support/live-chain.ts';

const TIMEOUT_MS = 300_000;
const CODE = cell(beginCell().storeUint(5, 8).endCell());

let live: LiveChain;
let following: TestIndexer;
let indexer: Indexer;
beforeAll(async () => {
  live = await startLiveChain();
  following = await openTestIndexer();
  indexer = following.indexer(live.pool, { detection: following.detection(live.pool), lanes: 0 });
  indexer.start();
}, TIMEOUT_MS);
afterAll(async () => {
  await following?.close();
  await live?.close();
});

test('destroyed contracts are in no list until they are deployed again, also in an index of history', {
  timeout: TIMEOUT_MS,
}, async () => {
  const alice = live.people[0]!;
  const owner = alice.address;
  const [wallet, item, multisig] = [1, 2, 3].map((number) => changingContract(number)) as [
    ReturnType<typeof changingContract>,
    ReturnType<typeof changingContract>,
    ReturnType<typeof changingContract>,
  ];
  const master = changingContract(4, { get_wallet_address: [address(wallet.address)] });
  const content = cell(offChainContent('https://example.test/1.json'));
  const methods: readonly Readonly<Record<string, MethodResult>>[] = [
    { get_wallet_data: [int(7), address(owner), address(master.address), CODE] },
    { get_nft_data: [int(-1), int(3), address(null), address(owner), content] },
    { get_multisig_data: [int(4), int(1), cell(listOf(owner)), NULL] },
  ];
  const contracts = [wallet, item, multisig];
  const send = async (messages: Parameters<LiveChain['send']>[1]) => {
    const to = await live.send(alice, messages);
    await until(indexer, ({ followed }) => (followed ?? 0) >= to, TIMEOUT_MS);
    await untilNothingIsMissing(following);
    return to;
  };
  const deploy = async () => {
    await send([...contracts, master].map((one) => deployment(one)));
    return send(contracts.map(({ address: to }, at) => changeCode(to, methods[at]!)));
  };
  /** How many of the contracts each list has, by address and by owner. */
  async function listed(index: TestIndexer): Promise<number[]> {
    const app = await buildV3App({ ports: { ...NO_INDEX, database: index.database } });
    const raw = (one: { toRawString(): string }) => encodeURIComponent(one.toRawString());
    const count = async (path: string, rows: string) =>
      (await app.inject(`/api/v3/${path}`)).json()[rows].length;
    const counts = [
      await count(`jetton/wallets?address=${raw(wallet.address)}`, 'jetton_wallets'),
      await count(`jetton/wallets?owner_address=${raw(owner)}`, 'jetton_wallets'),
      await count(`nft/items?address=${raw(item.address)}`, 'nft_items'),
      await count(`nft/items?owner_address=${raw(owner)}`, 'nft_items'),
      await count(`multisig/wallets?address=${raw(multisig.address)}`, 'multisigs'),
      await count(`multisig/wallets?wallet_address=${raw(owner)}`, 'multisigs'),
    ];
    await app.close();
    return counts;
  }
  /** The same of a new index that is filled from the newest blocks to the oldest, one at a time. */
  async function listedInHistory(to: number): Promise<number[]> {
    const index = await openTestIndexer();
    try {
      const options = { detection: index.detection(live.pool), chunkSeqnos: 1 };
      const filling = index.indexer(live.pool, options);
      filling.start();
      await until(filling, isComplete(to), TIMEOUT_MS);
      await untilNothingIsMissing(index);
      return await listed(index);
    } finally {
      await index.close();
    }
  }

  const [ALL, NONE] = [Array(6).fill(1), Array(6).fill(0)];
  await deploy();
  expect(await listed(following)).toEqual(ALL);
  const destroyed = await send(contracts.map(({ address: to }) => destroyContract(to, owner)));
  expect(await listed(following)).toEqual(NONE);
  expect(await listedInHistory(destroyed)).toEqual(NONE);
  const again = await deploy();
  expect(await listed(following)).toEqual(ALL);
  expect(await listedInHistory(again)).toEqual(ALL);
});
