import { sql } from 'kysely';
import type { Db } from '../../db/tables/tables.ts';
import {
  type ListedContract,
  type ListWindow,
  type OrderKey,
  orderBy,
  rawAddress,
  readContractList,
  rowsWith,
} from './lists.ts';

/** Domains are selected by the wallet that they resolve to, or by name. */
export type DnsFilter = { readonly wallet: Buffer } | { readonly domain: string };

/** Shortest domain first. */
export const DNS_RECORD_KEYS: readonly OrderKey[] = [
  { by: sql`length(domain)`, type: 'integer', direction: 'asc' },
  ...orderBy('asc', { domain: 'text', account: 'bytea' }),
];

/** Reads a page of domains with their records. */
export function readDnsRecords(
  db: Db,
  { filter, page }: { readonly filter: DnsFilter; readonly page: ListWindow },
): Promise<ListedContract<'dns_entries'>[]> {
  const lookup =
    'wallet' in filter
      ? rowsWith('dns_entries', 'wallet', [filter.wallet])
      : { values: [Buffer.alloc(0)], rows: () => sql`dns_entries where domain = ${filter.domain}` };
  return readContractList(db, 'dns_entries', {
    columns: sql`account, domain`,
    lookups: [lookup],
    where: [],
    keys: DNS_RECORD_KEYS,
    page,
  });
}

/** Which auctions of domains are wanted. */
export interface AuctionFilter {
  /** The highest bidder. */
  readonly bidder: Buffer;
  /** Ended and not claimed, or open; both if undefined. */
  readonly isEnded?: boolean | undefined;
  /** Unix seconds; an auction that ends then has ended. */
  readonly now: number;
}

/** The auction that ends first comes first. */
export const AUCTION_KEYS: readonly OrderKey[] = [
  ...orderBy('asc', { auction_end_time: 'bigint' }),
  { by: rawAddress('account'), type: 'text', direction: 'asc' },
];

export type AuctionRow = ListedContract<'dns_entries'> & {
  readonly max_bid_address: Buffer;
  readonly auction_end_time: string;
};

/** Reads a page of the auctions in which somebody is the highest bidder. */
export async function readAuctions(
  db: Db,
  { filter, page }: { readonly filter: AuctionFilter; readonly page: ListWindow },
): Promise<AuctionRow[]> {
  const { bidder, isEnded, now } = filter;
  const isInState = sql`(auction_end_time <= ${now}::bigint) = ${isEnded}::boolean`;
  const rows = await readContractList(db, 'dns_entries', {
    columns: sql`account, auction_end_time`,
    lookups: [rowsWith('dns_entries', 'max_bid_address', [bidder])],
    where: [sql`auction_end_time is not null`, ...(isEnded === undefined ? [] : [isInState])],
    keys: AUCTION_KEYS,
    page,
  });
  return rows as AuctionRow[];
}
