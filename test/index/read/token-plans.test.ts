import { describe, it } from 'vitest';
import { readDnsRecords } from '../../../src/index/read/dns.ts';
import { readJettonMasters, readJettonWallets } from '../../../src/index/read/jettons.ts';
import { readMultisigOrders, readMultisigs, readOrdersOf } from '../../../src/index/read/multisigs.ts';
import { readNftCollections, readNftItems } from '../../../src/index/read/nfts.ts';
import { type EventFilters, findEvents } from '../../../src/index/read/token-events.ts';
import { readVestings } from '../../../src/index/read/vestings.ts';
import { MIDDLE_LT, MIDDLE_TIME, openFilledTokens, tokenAccount } from '../../db/support/filled-tokens.ts';
import { usePlans } from '../../db/support/query-plan.ts';
import { sampled } from '../../support/long-run.ts';

/** Out of 20 000 events or 10 000 contracts of a kind, a fifth of them of the busy owner. */
const FEW = { events: 2500, contracts: 1250 };

const index = usePlans(openFilledTokens);

const [BUSY, QUIET] = [tokenAccount('owner', 0), tokenAccount('owner', 11)];
const SEVERAL = [BUSY, QUIET, tokenAccount('owner', 3)];
const [TOKEN, RARE] = [tokenAccount('token', 0), tokenAccount('token', 7)];
const page = { limit: 100, offset: 0 };
const none = { accounts: [], owners: [], collections: [], jettons: [], indexes: [] };

const eventFilters: readonly [string, Partial<EventFilters>][] = [
  ['nothing', {}],
  ['a wallet', { accounts: [tokenAccount('asked', 0)] }],
  ['an owner with much', { owners: [BUSY] }],
  ['an owner with little', { owners: [QUIET] }],
  ['one side', { owners: [BUSY], direction: 'in' }],
  ['several owners', { owners: SEVERAL }],
  ['a token with much', { token: TOKEN }],
  ['a token with little', { token: RARE }],
];
const time = { startUtime: BigInt(MIDDLE_TIME - 20_000), endUtime: BigInt(MIDDLE_TIME + 20_000) };
const spans = { all: {}, 'a time': time, 'a logical time': { startLt: BigInt(MIDDLE_LT) } };
const eventCases = eventFilters.flatMap(([title, filters]) =>
  Object.entries(spans).flatMap(([when, span]) =>
    (['asc', 'desc'] as const).map((sort) => ({
      title: `${title}, ${when}, ${sort}`,
      query: { filters: { accounts: [], owners: [], span, ...filters }, sort, page },
    })),
  ),
);

const items = { ...none, bySeller: false, isByLastChange: false, page };
const wallets = { ...none, excludeZeroBalance: false, page };
const listCases: readonly { title: string; read: () => Promise<unknown> }[] = [
  ...[none, { ...none, admins: SEVERAL }, { ...none, admins: [BUSY] }].map((filters, at) => ({
    title: `jettons ${at}`,
    read: () => readJettonMasters(index.db, { admins: [], ...filters, page }),
  })),
  ...[
    wallets,
    { ...wallets, sort: 'desc' as const },
    { ...wallets, owners: [BUSY] },
    { ...wallets, owners: SEVERAL },
    { ...wallets, owners: [QUIET], sort: 'desc' as const },
    { ...wallets, owners: [QUIET], jettons: [TOKEN] },
    { ...wallets, jettons: [TOKEN] },
    { ...wallets, jettons: [TOKEN], sort: 'desc' as const, excludeZeroBalance: true },
    { ...wallets, accounts: [tokenAccount('wallet', 7), tokenAccount('wallet', 8)] },
  ].map((query, at) => ({
    title: `wallets of jettons ${at}`,
    read: () => readJettonWallets(index.db, query),
  })),
  ...[none, { ...none, owners: [BUSY] }, { ...none, owners: SEVERAL }].map((filters, at) => ({
    title: `collections ${at}`,
    read: () => readNftCollections(index.db, { ...filters, page }),
  })),
  ...[
    items,
    { ...items, isByLastChange: true },
    { ...items, owners: [BUSY] },
    { ...items, owners: [BUSY], page: { ...page, offset: 300 } },
    { ...items, owners: [BUSY], isByLastChange: true },
    { ...items, owners: SEVERAL },
    { ...items, owners: SEVERAL, isByLastChange: true },
    { ...items, owners: [BUSY], bySeller: true },
    { ...items, owners: SEVERAL, bySeller: true },
    { ...items, owners: [BUSY], collections: [TOKEN, RARE] },
    { ...items, owners: [BUSY], collections: [TOKEN] },
    { ...items, collections: [TOKEN] },
    { ...items, collections: [TOKEN], isByLastChange: true },
    { ...items, collections: [TOKEN], indexes: ['5', '10', '15'] },
    {
      ...items,
      accounts: [tokenAccount('item', 7), tokenAccount('item', 8)],
      owners: SEVERAL,
      bySeller: true,
    },
  ].map((query, at) => ({ title: `NFTs ${at}`, read: () => readNftItems(index.db, query) })),
  { title: 'domains of a wallet', read: () => readDnsRecords(index.db, { filter: { wallet: BUSY }, page }) },
  { title: 'a domain', read: () => readDnsRecords(index.db, { filter: { domain: 'name77.ton' }, page }) },
  {
    title: 'multisigs of members',
    read: () => readMultisigs(index.db, { accounts: [], members: [QUIET], sort: 'desc', page }),
  },
  {
    title: 'orders of a multisig',
    read: () =>
      readMultisigOrders(index.db, {
        accounts: [],
        multisigs: [tokenAccount('multisig', 0)],
        sort: 'desc',
        page,
      }),
  },
  {
    title: 'all orders of some',
    read: () => readOrdersOf(index.db, { multisigs: [tokenAccount('multisig', 9)] }),
  },
  {
    title: 'vestings of members',
    read: () => readVestings(index.db, { filter: { members: [QUIET], includesWhitelist: true }, page }),
  },
];

const TABLES = ['jetton_transfers', 'jetton_burns', 'nft_transfers'] as const;

describe.each(TABLES)('%s', (table) => {
  // In a sample, each case is tried with one of the tables.
  const own = eventCases.filter((_, at) => at % TABLES.length === TABLES.indexOf(table));
  it.each(sampled(own, eventCases))('$title', async ({ query }) => {
    await index.expectFewRows((db) => findEvents(db, { table, ...query }), { rows: FEW.events });
  });
});

describe('lists of contracts read few rows', () => {
  it.each(listCases)('$title', async ({ read }) => {
    await index.expectFewRows(read, { rows: FEW.contracts });
  });
});
