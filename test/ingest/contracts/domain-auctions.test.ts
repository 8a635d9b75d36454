import { internal, toNano } from '@ton/core';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountKey } from '../../../src/chain/address.ts';
import { onChainContent } from '../../../src/localnet/contracts/contract.ts';
import {
  changeDnsRecord,
  dnsCollection,
  dnsItem,
  dnsRoot,
  registerDomain,
  siteRecord,
} from '../../../src/localnet/contracts/dns.ts';
import { formatAccount } from '../../../src/v3/values.ts';
import type { TestWallet } from '../../localnet/support/local-chain.ts';
import { buildV3App, NO_INDEX } from '../../v3/support/build-app.ts';
import {
  type Indexer,
  openTestIndexer,
  type TestIndexer,
  until,
  untilNothingIsMissing,
} from '../support/test-indexer.ts';
import { deployment, type LiveChain, startLiveChain } from './support/live-chain.ts';

const TIMEOUT_MS = 180_000;
const WEEK_SECONDS = 604_800;
const ZONE = dnsCollection(onChainContent({ name: 'Names' }));
const ROOT = dnsRoot({ zone: 'ton', resolver: ZONE.address });
const DOMAIN = dnsItem(ZONE.address, 'auctioned').address;

let live: LiveChain;
let context: TestIndexer;
let indexer: Indexer;
let app: FastifyInstance;

beforeAll(async () => {
  live = await startLiveChain({ dnsRoot: ROOT.address.hash });
  context = await openTestIndexer();
  indexer = context.indexer(live.pool, { detection: context.detection(live.pool), lanes: 0 });
  indexer.start();
  app = await buildV3App({ ports: { ...NO_INDEX, database: context.database } });
}, TIMEOUT_MS);
afterAll(async () => {
  await app?.close();
  await context?.close();
  await live?.close();
});

const rawOf = ({ address }: TestWallet) => formatAccount(accountKey(0, address.hash));

async function send(from: TestWallet, message: Parameters<typeof internal>[0]): Promise<void> {
  const to = await live.send(from, [internal(message)]);
  await until(indexer, ({ followed }) => (followed ?? 0) >= to);
  await untilNothingIsMissing(context);
}

/** Domain, amount and whether it has ended, of the auctions that somebody leads. */
async function auctionsOf(bidder: TestWallet, state = 'all') {
  const query = new URLSearchParams({ bidder: rawOf(bidder), state });
  const { auctions } = (await app.inject({ url: `/api/v3/dns/activeAuctions?${query}` })).json();
  type Auction = { domain: string; max_bid_amount: string; finished: boolean };
  return auctions.map(({ domain, max_bid_amount, finished }: Auction) => [domain, max_bid_amount, finished]);
}

it('an auction belongs to its highest bidder until it is claimed', { timeout: TIMEOUT_MS }, async () => {
  const [alice, bob, carol] = live.people as [TestWallet, TestWallet, TestWallet];
  await live.send(alice, [deployment(ROOT, toNano(100)), deployment(ZONE, toNano(1))]);
  await send(alice, { to: ZONE.address, value: toNano(10), body: registerDomain('auctioned') });
  expect(await auctionsOf(alice)).toEqual([['auctioned.ton', expect.stringMatching(/^9\d{9}$/), false]]);
  await send(bob, { to: DOMAIN, value: toNano(12) });
  await send(carol, { to: DOMAIN, value: toNano(15) });
  expect([await auctionsOf(alice), await auctionsOf(bob)]).toEqual([[], []]);
  expect(await auctionsOf(carol, 'bidding')).toEqual([['auctioned.ton', `${toNano(15)}`, false]]);
  expect(await auctionsOf(carol, 'won')).toEqual([]);

  // Nobody touches the domain: only the time of the newest block has changed.
  await live.chain.step([], WEEK_SECONDS);
  const ended = await live.step();
  await until(indexer, ({ followed }) => (followed ?? 0) >= ended);
  expect(await auctionsOf(carol, 'won')).toEqual([['auctioned.ton', `${toNano(15)}`, true]]);
  expect(await auctionsOf(carol, 'bidding')).toEqual([]);

  const body = changeDnsRecord('site', siteRecord(Buffer.alloc(32, 1)));
  await send(carol, { to: DOMAIN, value: toNano(1), body });
  expect(await auctionsOf(carol)).toEqual([]);
  const entry = await context.database.primary
    .selectFrom('dns_entries')
    .selectAll()
    .executeTakeFirstOrThrow();
  expect(entry).toMatchObject({
    owner: accountKey(0, carol.address.hash),
    max_bid_address: null,
    max_bid_amount: null,
    auction_end_time: null,
  });
});
