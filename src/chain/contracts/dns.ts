import { hash as hashOnce } from 'node:crypto';
import { Failure } from '../../lib/errors.ts';
import { CellError, type Cells, undefinedOnCellError } from '../boc/cells.ts';
import { crc16 } from '../boc/checksums.ts';
import { Slice } from '../boc/slice.ts';
import { bytesArgument } from '../stack/arguments.ts';
import { intEntry } from '../stack/entries.ts';
import { lookUp, walkDictionary } from '../tlb/dictionary.ts';
import { type AddrStd, readMsgAddress } from '../tlb/msg-address.ts';
import { type ContractReader, type MethodResult, throwMismatch } from './probe.ts';

const MAX_NAME_BYTES = 128;
const MAX_ENCODED_BYTES = 127;

/**
 * Encodes a domain name for resolvers: its labels from last to first, each followed by a zero byte. A trailing dot
 * adds an empty first label; an empty name, or a single dot, is one empty label. A name that is too long
 * is rejected like in tonlib.
 */
export function encodeDnsName(name: string): Buffer {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) throw new Failure('lite_server', 'Name is too long');
  const labels = name.split('.');
  if (labels.length > 1 && labels[0] === '') labels.shift();
  const encoded = Buffer.from(
    labels
      .reverse()
      .map((label) => `${label}\0`)
      .join(''),
  );
  if (encoded.length > MAX_ENCODED_BYTES) throw new Failure('lite_server', 'DNS encoded name is too long');
  return encoded;
}

/** Decodes the full name that a contract returns in the encoding of resolvers. */
export function decodeFullName(encoded: string): string {
  const labels = encoded.split('\0').filter((label) => label !== '');
  return labels.length === 0 ? throwMismatch('no name') : labels.reverse().join('.');
}

export function decodeDnsName(encoded: Buffer): string {
  return encoded.toString('utf8').split('\0').reverse().join('.');
}

/** A record with its category: the hash of a name such as `wallet`. */
export interface DnsEntry {
  readonly category: Buffer;
  readonly record: DnsRecord;
}

const DNS_CATEGORIES = ['wallet', 'site', 'storage', 'dns_next_resolver'] as const;

export type DnsCategory = (typeof DNS_CATEGORIES)[number];

const NAMES: ReadonlyMap<string, DnsCategory> = new Map(
  DNS_CATEGORIES.map((name) => [hashOnce('sha256', name, 'hex'), name]),
);

export function dnsCategory(name: string): Buffer {
  return hashOnce('sha256', name, 'buffer');
}

export function dnsCategoryName(category: Buffer): DnsCategory | undefined {
  return NAMES.get(category.toString('hex'));
}

/**
 * Reads the dictionary of all records of a name in ascending order of their categories; throws a CellError if it is
 * malformed. Unreadable records are skipped.
 */
export function readDnsRecords(cells: Cells, root: number): DnsEntry[] {
  const entries: DnsEntry[] = [];
  walkDictionary(cells, root, 256, (key, value) => {
    const record = recordIn(value);
    if (record !== undefined) entries.push({ category: Buffer.from(key), record });
  });
  return entries;
}

/** The record of one category in such a dictionary; undefined if it is missing or unreadable. */
export function findDnsRecord(cells: Cells, root: number, name: DnsCategory): DnsRecord | undefined {
  const value = lookUp(cells, root, 256, dnsCategory(name));
  return value && recordIn(value);
}

function recordIn(value: Slice): DnsRecord | undefined {
  return value.bitsLeft === 0 && value.refsLeft === 1 ? readDnsRecord(value.cells, value.ref()) : undefined;
}

export type DnsRecord =
  | { readonly kind: 'smc_address' | 'next_resolver'; readonly address: AddrStd }
  | { readonly kind: 'adnl_address' | 'storage_address'; readonly id: Buffer }
  | { readonly kind: 'text'; readonly text: string };

const TEXT = 0x1eda;
const SMC_ADDRESS = 0x9fd3;
const NEXT_RESOLVER = 0xba93;
const ADNL_ADDRESS = 0xad01;
const STORAGE_ADDRESS = 0x7473;

/** Reads a record; undefined if its kind is unknown, it is truncated, or its address is not an account. */
export function readDnsRecord(cells: Cells, cell: number): DnsRecord | undefined {
  return undefinedOnCellError(() => {
    const slice = new Slice(cells, cell);
    switch (slice.uint(16)) {
      case SMC_ADDRESS:
        return withFlags(slice, { kind: 'smc_address', address: readAccount(slice) });
      case NEXT_RESOLVER:
        return { kind: 'next_resolver', address: readAccount(slice) };
      case ADNL_ADDRESS:
        return withFlags(slice, { kind: 'adnl_address', id: slice.hash() });
      case STORAGE_ADDRESS:
        return { kind: 'storage_address', id: slice.hash() };
      case TEXT:
        return { kind: 'text', text: readDnsText(slice) };
      default:
        return undefined;
    }
  });
}

function readAccount(slice: Slice): AddrStd {
  const address = readMsgAddress(slice);
  if (address.kind !== 'std') throw new CellError('DNS record without an account address');
  return address;
}

/** Flags announce a list of protocols or capabilities, which is not read. */
function withFlags(slice: Slice, record: DnsRecord): DnsRecord {
  if (slice.uint(8) > 1) throw new CellError('DNS record has unknown flags');
  return record;
}

/** Reads text in length-prefixed chunks of up to 255 bytes, each but the first in a reference of the previous one. */
export function readDnsText(slice: Slice): string {
  const parts: Buffer[] = [];
  let part = slice;
  for (let left = slice.uint(8); left > 0; left--) {
    parts.push(part.bytes(part.uint(8)));
    if (left > 1) part = part.refSlice();
  }
  return Buffer.concat(parts).toString('utf8');
}

/** The name of a domain as seen from its own contract. */
const ITSELF = bytesArgument(Buffer.alloc(1));
const ALL_RECORDS = intEntry(0);

/** Gets all records of a domain: the number of resolved bits of the name, and a dictionary or null. */
export async function getOwnDnsRecords(probe: ContractReader): Promise<MethodResult> {
  const result = await probe.run('dnsresolve', [ITSELF, ALL_RECORDS]);
  return result.size === 2 ? result : throwMismatch(`${result.size} results`);
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** An ADNL address in its user-facing form: 55 characters of base32 with a tag and a checksum. */
export function formatAdnlAddress(id: Buffer): string {
  const bytes = Buffer.alloc(35);
  bytes[0] = 0x2d;
  id.copy(bytes, 1);
  bytes.writeUInt16BE(crc16(bytes, 0, 33), 33);
  let text = '';
  for (let bit = 0; bit < 35 * 8; bit += 5) {
    const pair = (bytes[bit >> 3]! << 8) | (bytes[(bit >> 3) + 1] ?? 0);
    text += BASE32[(pair >> (11 - (bit & 7))) & 31];
  }
  // The first character is part of the tag, the same for every address.
  return text.slice(1);
}
