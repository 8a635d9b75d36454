import { hash as hashOnce } from 'node:crypto';
import type { Cells } from '../boc/cells.ts';
import type { Slice } from '../boc/slice.ts';
import { lookUp, walkDictionary } from '../tlb/dictionary.ts';
import { type DnsRecord, readDnsRecord } from './dns-record.ts';

/** A record with the category it stands under: the hash of a name such as `wallet`. */
export interface DnsEntry {
  readonly category: Buffer;
  readonly record: DnsRecord;
}

/** The categories that have names everybody knows. */
export const DNS_CATEGORIES = ['wallet', 'site', 'storage', 'dns_next_resolver'] as const;

/** One of the categories with a known name. */
export type DnsCategory = (typeof DNS_CATEGORIES)[number];

const NAMES: ReadonlyMap<string, DnsCategory> = new Map(
  DNS_CATEGORIES.map((name) => [hashOnce('sha256', name, 'hex'), name]),
);

/** The category that a name stands for. */
export function dnsCategory(name: string): Buffer {
  return hashOnce('sha256', name, 'buffer');
}

/** The name of a category, if it is a known one. */
export function dnsCategoryName(category: Buffer): DnsCategory | undefined {
  return NAMES.get(category.toString('hex'));
}

/**
 * Reads the dictionary of all records of a name in ascending order of their categories; throws a CellFault if it is
 * none. Records that cannot be read are left out.
 */
export function readDnsRecords(cells: Cells, root: number): DnsEntry[] {
  const entries: DnsEntry[] = [];
  walkDictionary(cells, root, 256, (key, value) => {
    const record = recordIn(value);
    if (record !== undefined) entries.push({ category: Buffer.from(key), record });
  });
  return entries;
}

/** The record of one category in such a dictionary; undefined if there is none that can be read. */
export function findDnsRecord(cells: Cells, root: number, name: DnsCategory): DnsRecord | undefined {
  const value = lookUp(cells, root, 256, dnsCategory(name));
  return value && recordIn(value);
}

function recordIn(value: Slice): DnsRecord | undefined {
  return value.bitsLeft === 0 && value.refsLeft === 1 ? readDnsRecord(value.cells, value.ref()) : undefined;
}
