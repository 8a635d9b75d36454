import { type RawBuilder, type Selectable, sql } from 'kysely';
import { anyOf, isCluster, readRows } from '../../db/driver.ts';
import type {
  NftAuctionsTable,
  NftItemsTable,
  NftSalesTable,
  TelemintItemsTable,
} from '../../db/tables/contract-tables.ts';
import type { Db } from '../../db/tables/tables.ts';
import { bytesKey } from '../../lib/bytes-key.ts';
import {
  allowSorting,
  BY_ACCOUNT,
  byId,
  hasOneOf,
  type ListWindow,
  type Lookup,
  lookUpBy,
  lookupSlice,
  type OrderKey,
  orderBy,
  readContractList,
  readListFromWorkers,
} from './lists.ts';

/** Which NFT items are wanted; an empty list does not filter. */
export interface NftItemFilters {
  readonly accounts: readonly Buffer[];
  readonly owners: readonly Buffer[];
  readonly collections: readonly Buffer[];
  /** Decimal. */
  readonly indexes: readonly string[];
  /** An item on sale belongs to the seller, not to the sale contract that owns it. */
  readonly bySeller: boolean;
  /** Items with the newest transaction first. */
  readonly isByLastChange: boolean;
}

/** An NFT item with its sale or auction contract, if its owner is one. */
export interface NftItemRow extends Selectable<NftItemsTable> {
  readonly sale: Buffer | null;
  readonly auction: Buffer | null;
  readonly seller: Buffer | null;
}

/** Items without a collection sort after all others, as nulls do; an index has this expression. */
const COLLECTION = sql`coalesce(collection, ${sql.lit(`\\x${'ff'.repeat(34)}`)}::bytea)`;

/** For one collection written such that the index of an owner's items returns them in order. */
function isOfOneOf(collections: readonly Buffer[]): RawBuilder<unknown> {
  if (collections.length === 1) return sql`${COLLECTION} = ${collections[0]}`;
  return sql`${COLLECTION} = any(${collections}::bytea[])`;
}

/** The order: by last change if wanted, by index within one collection, else by owner, by address, or by when they were indexed. */
export function nftItemKeys({ accounts, owners, collections, isByLastChange }: NftItemFilters): OrderKey[] {
  if (isByLastChange) return orderBy('desc', { last_transaction_lt: 'bigint', account: 'bytea' });
  const inCollection = orderBy('asc', { index: 'numeric', account: 'bytea' });
  if (collections.length === 1) return inCollection;
  if (owners.length === 0) return [accounts.length > 0 ? BY_ACCOUNT : byId('asc')];
  const collection: OrderKey = { by: COLLECTION, type: 'bytea', direction: 'asc' };
  return [...(owners.length > 1 ? orderBy('asc', { holder: 'bytea' }) : []), collection, ...inCollection];
}

export async function readNftItems(db: Db, query: NftItemFilters & { readonly page: ListWindow }) {
  const { accounts, owners, collections, indexes, bySeller, page } = query;
  const isByOwner = owners.length > 0 && accounts.length === 0;
  const isByCollection = accounts.length === 0 && !isByOwner;
  const where = [
    ...(isByOwner ? [] : hasOneOf('holder', owners)),
    ...(isByCollection || collections.length === 0 ? [] : [isOfOneOf(collections)]),
    ...(indexes.length === 0 ? [] : [sql`index = any(${indexes}::numeric[])`]),
  ];
  const offers = bySeller && isCluster(db) ? await readOffersFor(db, query) : OFFER_TABLES;
  const list = {
    columns: sql`account, id, holder, collection, index, last_transaction_lt`,
    isOfOneTable: true,
    lookups: lookupsOf(query, offers),
    where,
    keys: nftItemKeys(query),
    page,
  };
  // Items on sale are in no index order, and single items need none; for everything else there is an index.
  const isOrdered = !bySeller && accounts.length === 0 && indexes.length === 0;
  if (isOrdered) allowSorting(db, false);
  if (isCluster(db))
    return withOffers(db, await readListFromWorkers<Selectable<NftItemsTable>>(db, 'nft_items', list));
  return readRows<NftItemRow & { readonly cursor: readonly string[] }>(db)`
    with ${lookupSlice(db, list)}
    select item.*, sale.account as sale, auction.account as auction,
           case when sale.account is null then auction.nft_owner else sale.nft_owner end as seller, page.cursor
    from page join nft_items item using (account) ${sellers(offers)} order by page.place`;
}

/** Reads the NFT items with these addresses, in any order and without sellers. */
export async function readItemsOf(db: Db, { accounts }: { readonly accounts: readonly Buffer[] }) {
  if (accounts.length === 0) return [];
  const items = await db.selectFrom('nft_items').selectAll().where('account', 'in', accounts).execute();
  return items.map((item) => ({ ...item, sale: null, auction: null, seller: null }));
}

/** Relations with the columns `account`, `nft` and `nft_owner` of sale and auction contracts. */
interface Offers {
  readonly sales: RawBuilder<unknown>;
  readonly auctions: RawBuilder<unknown>;
}

const OFFER_TABLES: Offers = { sales: sql`nft_sales`, auctions: sql`nft_auctions` };

interface OfferRow {
  readonly account: Buffer;
  readonly nft: Buffer;
  readonly nft_owner: Buffer | null;
}

/**
 * Reads the contracts that decide whose the wanted items are: on a cluster items cannot be joined with them, which are on
 * other workers.
 */
async function readOffersFor(db: Db, { accounts, owners }: NftItemFilters): Promise<Offers> {
  const { sales, auctions } = await (accounts.length > 0
    ? readOffersOf(db, await readOwners(db, accounts))
    : readOffersOf(db, owners, owners));
  // A contract may be both.
  const both = await readOffersOf(
    db,
    auctions.map(({ account }) => account),
  );
  return { sales: relationOf([...sales, ...both.sales]), auctions: relationOf(auctions) };
}

async function readOwners(db: Db, accounts: readonly Buffer[]): Promise<Buffer[]> {
  const items = db.selectFrom('nft_items').select('owner').distinct().where('account', '=', anyOf(accounts));
  return (await items.execute()).flatMap(({ owner }) => owner ?? []);
}

async function readOffersOf(db: Db, accounts: readonly Buffer[], sellersOf: readonly Buffer[] = []) {
  if (accounts.length === 0) return { sales: [], auctions: [] };
  const read = async (table: 'nft_sales' | 'nft_auctions') => {
    const isOfSeller = sellersOf.length === 0 ? sql`` : sql` or nft_owner = any(${sellersOf}::bytea[])`;
    return readRows<OfferRow>(db)`
      select account, nft, nft_owner from ${sql.table(table)}
      where account = any(${accounts}::bytea[])${isOfSeller}`;
  };
  return { sales: await read('nft_sales'), auctions: await read('nft_auctions') };
}

function relationOf(rows: readonly OfferRow[]): RawBuilder<unknown> {
  return sql`(select distinct * from unnest(${rows.map(({ account }) => account)}::bytea[],
    ${rows.map(({ nft }) => nft)}::bytea[], ${rows.map((row) => row.nft_owner)}::bytea[]) as one (account, nft, nft_owner))`;
}

async function withOffers<Row extends Selectable<NftItemsTable>>(db: Db, items: readonly Row[]) {
  const offers = await readOffersOf(
    db,
    items.flatMap(({ owner }) => owner ?? []),
  );
  const keyOf = (contract: Buffer, item: Buffer) => `${bytesKey(contract)}${bytesKey(item)}`;
  const [sales, auctions] = [offers.sales, offers.auctions].map(
    (rows) => new Map(rows.map((row) => [keyOf(row.account, row.nft), row])),
  );
  return items.map((item) => {
    const key = item.owner === null ? '' : keyOf(item.owner, item.account);
    const [sale, auction] = [sales!.get(key), auctions!.get(key)];
    return {
      ...item,
      sale: sale?.account ?? null,
      auction: auction?.account ?? null,
      seller: (sale ?? auction)?.nft_owner ?? null,
    };
  });
}

function sellers({ sales, auctions }: Offers): RawBuilder<unknown> {
  return sql`
    left join ${sales} sale on sale.account = item.owner and sale.nft = item.account
    left join ${auctions} auction on auction.account = item.owner and auction.nft = item.account`;
}

function hasNone(offers: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`not exists (
    select 1 from ${offers} offer where offer.account = item.owner and offer.nft = item.account)`;
}

function lookupsOf({ accounts, owners, collections, bySeller }: NftItemFilters, offers: Offers): Lookup[] {
  if (accounts.length > 0) {
    const holder = bySeller
      ? sql`case when sale.account is not null then sale.nft_owner
                 when auction.account is not null then auction.nft_owner else item.owner end`
      : sql`item.owner`;
    const from = sql`nft_items item ${bySeller ? sellers(offers) : sql``}`;
    return [{ values: accounts, rows: (value) => items(holder, sql`${from} where item.account = ${value}`) }];
  }
  if (owners.length > 0) return bySeller ? ofSellers(owners, offers) : [ofOwners(owners, sql`true`)];
  const rows = (value: RawBuilder<unknown>) =>
    collections.length === 0
      ? items(sql`item.owner`, sql`nft_items item`)
      : items(sql`item.owner`, sql`nft_items item where item.collection = ${value}`);
  return [{ values: collections.length === 0 ? [Buffer.alloc(0)] : collections, rows }];
}

function ofOwners(owners: readonly Buffer[], where: RawBuilder<unknown>): Lookup {
  const rows = (value: RawBuilder<unknown>) =>
    items(sql`item.owner`, sql`nft_items item where item.owner = ${value} and ${where}`);
  return { values: owners, rows };
}

/** Items that an owner holds, except those held for sale by others, and items that the owner has put on sale. */
function ofSellers(owners: readonly Buffer[], { sales, auctions }: Offers): Lookup[] {
  const onSale = (offers: RawBuilder<unknown>, where: RawBuilder<unknown>): Lookup => ({
    values: owners,
    rows: (value) =>
      items(
        sql`given.nft_owner`,
        sql`${offers} given join nft_items item on item.account = given.nft and item.owner = given.account
            where given.nft_owner = ${value} and ${where}`,
      ),
  });
  return [
    ofOwners(owners, sql`${hasNone(sales)} and ${hasNone(auctions)}`),
    onSale(sales, sql`true`),
    onSale(auctions, hasNone(sales)),
  ];
}

/** Items with a `holder` column, for filters and order. */
function items(holder: RawBuilder<unknown>, from: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select item.*, ${holder} as holder from ${from}) held where true`;
}

/** Which collections are wanted; an empty list does not filter. */
interface NftCollectionFilters {
  readonly accounts: readonly Buffer[];
  readonly owners: readonly Buffer[];
}

/** Collections are ordered by when they were indexed, or by address if they are filtered. */
export function nftCollectionKeys({ accounts, owners }: NftCollectionFilters): OrderKey[] {
  return [accounts.length > 0 || owners.length > 0 ? BY_ACCOUNT : byId('asc')];
}

export function readNftCollections(db: Db, query: NftCollectionFilters & { readonly page: ListWindow }) {
  const found = lookUpBy('nft_collections', { account: query.accounts, owner: query.owners });
  return readContractList(db, 'nft_collections', {
    ...found,
    keys: nftCollectionKeys(query),
    page: query.page,
  });
}

/** Reads the collections with these addresses, in any order. */
export async function readCollectionsOf(db: Db, { accounts }: { readonly accounts: readonly Buffer[] }) {
  if (accounts.length === 0) return [];
  return db.selectFrom('nft_collections').selectAll().where('account', 'in', accounts).execute();
}

/** Sale and auction contracts, each kind by address. */
export interface NftSaleRows {
  readonly sales: readonly Selectable<NftSalesTable>[];
  readonly auctions: readonly Selectable<NftAuctionsTable>[];
  readonly telemintItems: readonly Selectable<TelemintItemsTable>[];
}

/** Reads the sale and auction contracts among accounts. */
export async function readNftSales(db: Db, { accounts }: { readonly accounts: readonly Buffer[] }) {
  const sales = db.selectFrom('nft_sales').selectAll().where('account', 'in', accounts);
  const auctions = db.selectFrom('nft_auctions').selectAll().where('account', 'in', accounts);
  const telemintItems = db.selectFrom('telemint_items').selectAll().where('account', 'in', accounts);
  return {
    sales: await sales.orderBy('account').execute(),
    auctions: await auctions.orderBy('account').execute(),
    telemintItems: await telemintItems.orderBy('account').execute(),
  };
}
