import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLongRun } from '../../support/long-run.ts';
import { buildV3App, NO_INDEX } from '../../v3/support/build-app.ts';
import {
  type Indexer,
  isComplete,
  openTestIndexer,
  type TestIndexer,
  until,
  untilNothingIsMissing,
} from '../support/test-indexer.ts';
import {
  DESTROYABLE_DOMAIN,
  DESTROYABLE_ROOT,
  destroyableContracts,
} from './support/destroyable-contracts.ts';
import { type LiveChain, startLiveChain } from './support/live-chain.ts';

const TIMEOUT_MS = 300_000;

let live: LiveChain;
let following: TestIndexer;
let indexer: Indexer;
beforeAll(async () => {
  live = await startLiveChain({ dnsRoot: DESTROYABLE_ROOT.address.hash });
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
  const { contracts, prepare, deploy, begin, destroy, destroyVesting } = destroyableContracts(owner);
  const send = async (messages: Parameters<LiveChain['send']>[1]) => {
    const to = await live.send(alice, messages);
    await until(indexer, ({ followed }) => (followed ?? 0) >= to);
    await untilNothingIsMissing(following);
    return to;
  };
  const deployAll = async () => {
    await send(deploy());
    return send(begin());
  };
  const raw = (one: { toRawString(): string }) => encodeURIComponent(one.toRawString());
  const { wallet, item, multisig, sale, vesting, domain } = contracts;
  /** Lists by address and by owner, and how many of the contracts each has while they exist. */
  const lists: readonly (readonly [path: string, rows: string, count: number])[] = [
    [`jetton/wallets?address=${raw(wallet.address)}`, 'jetton_wallets', 1],
    [`jetton/wallets?owner_address=${raw(owner)}`, 'jetton_wallets', 1],
    [`nft/items?address=${raw(item.address)}`, 'nft_items', 1],
    [`nft/items?address=${raw(domain.address)}`, 'nft_items', 1],
    [`nft/items?owner_address=${raw(owner)}`, 'nft_items', 2],
    [`multisig/wallets?address=${raw(multisig.address)}`, 'multisigs', 1],
    [`multisig/wallets?wallet_address=${raw(owner)}`, 'multisigs', 1],
    [`nft/sales?address=${raw(sale.address)}`, 'nft_sales', 1],
    [`vesting?contract_address=${raw(vesting.address)}`, 'vesting_contracts', 1],
    [`vesting?wallet_address=${raw(owner)}`, 'vesting_contracts', 1],
    [`dns/records?domain=${DESTROYABLE_DOMAIN}`, 'records', 1],
    [`dns/records?wallet=${raw(owner)}`, 'records', 1],
  ];
  async function listed(index: TestIndexer): Promise<number[]> {
    const app = await buildV3App({ ports: { ...NO_INDEX, database: index.database } });
    const counts: number[] = [];
    for (const [path, rows] of lists) counts.push((await app.inject(`/api/v3/${path}`)).json()[rows].length);
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
      await until(filling, isComplete(to));
      await untilNothingIsMissing(index);
      return await listed(index);
    } finally {
      await index.close();
    }
  }

  const all = lists.map(([, , count]) => count);
  const none = all.map(() => 0);
  await send(prepare());
  await deployAll();
  expect(await listed(following)).toEqual(all);
  await live.chain.step([destroyVesting()]);
  const destroyed = await send(destroy());
  expect(await listed(following)).toEqual(none);
  expect(await listedInHistory(destroyed)).toEqual(none);
  const again = await deployAll();
  expect(await listed(following)).toEqual(all);
  if (isLongRun) expect(await listedInHistory(again)).toEqual(all);
});
