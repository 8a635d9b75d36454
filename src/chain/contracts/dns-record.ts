import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { type AddrStd, readMsgAddress } from '../tlb/msg-address.ts';

/** What a domain name leads to. */
export type DnsRecord =
  | { readonly kind: 'smc_address' | 'next_resolver'; readonly address: AddrStd }
  | { readonly kind: 'adnl_address' | 'storage_address'; readonly id: Buffer }
  | { readonly kind: 'text'; readonly text: string };

const TEXT = 0x1eda;
const SMC_ADDRESS = 0x9fd3;
const NEXT_RESOLVER = 0xba93;
const ADNL_ADDRESS = 0xad01;
const STORAGE_ADDRESS = 0x7473;

/** Reads a record; undefined if it is of no known kind, cut short, or names something that is no account. */
export function readDnsRecord(cells: Cells, cell: number): DnsRecord | undefined {
  try {
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
  } catch (error) {
    if (error instanceof CellFault) return undefined;
    throw error;
  }
}

function readAccount(slice: Slice): AddrStd {
  const address = readMsgAddress(slice);
  if (address.kind !== 'std') throw new CellFault('a domain record of something that is no account');
  return address;
}

/** Flags say whether a list of protocols or capabilities follows, which nobody asks for. */
function withFlags(slice: Slice, record: DnsRecord): DnsRecord {
  if (slice.uint(8) > 1) throw new CellFault('a domain record with unknown flags');
  return record;
}

/** Reads chunks of up to 255 bytes with their length in front, each but the first in a reference of the one before. */
export function readDnsText(slice: Slice): string {
  const parts: Buffer[] = [];
  let part = slice;
  for (let left = slice.uint(8); left > 0; left--) {
    parts.push(part.bytes(part.uint(8)));
    if (left > 1) part = part.refSlice();
  }
  return Buffer.concat(parts).toString('utf8');
}
