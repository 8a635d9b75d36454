import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import {
  BY_ACCOUNT,
  type ListedContract,
  type OrderKey,
  type Page,
  readContractPage,
  rowsWith,
} from './pages.ts';

/** Domains are selected by the wallet that they resolve to, or by name. */
export type DnsFilter = { readonly wallet: Buffer } | { readonly domain: string };

/** Shortest domain first. */
export const DNS_RECORD_KEYS: readonly OrderKey[] = [
  { by: sql`length(domain)`, type: 'integer', direction: 'asc' },
  { by: sql`domain`, type: 'text', direction: 'asc' },
  BY_ACCOUNT,
];

/** Reads a page of domains with their records. */
export function readDnsRecords(
  db: Kysely<Tables>,
  { filter, page }: { readonly filter: DnsFilter; readonly page: Page },
): Promise<ListedContract<'dns_entries'>[]> {
  const lookup =
    'wallet' in filter
      ? rowsWith('dns_entries', 'wallet', [filter.wallet])
      : { values: [Buffer.alloc(0)], rows: () => sql`dns_entries where domain = ${filter.domain}` };
  return readContractPage(db, 'dns_entries', {
    columns: sql`account, domain`,
    lookups: [lookup],
    where: [],
    keys: DNS_RECORD_KEYS,
    page,
  });
}
