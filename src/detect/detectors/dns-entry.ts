import { isUtf8 } from 'node:buffer';
import { type AccountId, sameAccount } from '../../chain/address.ts';
import {
  type DnsCategory,
  type DnsRecord,
  decodeFullName,
  findDnsRecord,
  getOwnDnsRecords,
} from '../../chain/contracts/dns.ts';
import { readNftItem } from '../../chain/contracts/nft.ts';
import {
  type ContractReader,
  mismatchOnCellError,
  throwMismatch,
  undefinedOnMismatch,
} from '../../chain/contracts/probe.ts';
import { MAX_STORED_CONTENT_BYTES } from '../../chain/contracts/token-content.ts';
import { accountKeyOf } from '../../chain/tlb/msg-address.ts';
import type { ContractColumns } from '../../index/write/write-contracts.ts';
import type { Detector, DnsZone } from '../detection.ts';
import { accountOrNull } from './result-columns.ts';

/** The longest name that can be resolved. */
const MAX_NAME_BYTES = 126;

/** The zone of a collection; undefined if its items are not domains. */
export function zoneOf(zones: readonly DnsZone[], collection: AccountId | undefined): DnsZone | undefined {
  return zones.find((zone) => sameAccount(collection, zone.collection));
}

/** The full name of an item of a zone; throws InterfaceMismatch if it has none. */
export async function readDomainName(probe: ContractReader, { zone }: DnsZone): Promise<string> {
  const name =
    zone === 'ton'
      ? `${labelOf(await readText(probe, 'get_domain'))}.ton`
      : decodeFullName(await readText(probe, 'get_full_domain'));
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) throwMismatch('the name is too long');
  return name;
}

function labelOf(text: string): string {
  return text === '' || text.includes('\0') ? throwMismatch('a label expected') : text;
}

async function readText(probe: ContractReader, method: string): Promise<string> {
  const bytes = (await probe.run(method)).bytes(0);
  return isUtf8(bytes) ? bytes.toString('utf8') : throwMismatch('text expected');
}

type Auction = Pick<
  ContractColumns<'dns_entries'>,
  'max_bid_address' | 'max_bid_amount' | 'auction_end_time' | 'last_fill_up_time'
>;
type Records = Omit<ContractColumns<'dns_entries'>, 'owner' | 'domain' | keyof Auction>;

/** A single zero byte stands for the domain itself. */
const BITS_OF_ITSELF = 8n;
const NO_RECORDS: Records = { next_resolver: null, wallet: null, site_adnl: null, storage_bag_id: null };

/** A domain: an NFT item of a zone that resolves itself. */
export const DNS_ENTRY: Detector<'dns_entries'> = {
  table: 'dns_entries',
  methods: [
    ['get_nft_data', 'dnsresolve', 'get_domain'],
    ['get_nft_data', 'dnsresolve', 'get_full_domain'],
  ],
  async detect(probe, { zones }) {
    const { collection, owner } = await readNftItem(probe, MAX_STORED_CONTENT_BYTES);
    const zone = zoneOf(zones, collection) ?? throwMismatch('the collection is not a DNS zone');
    const [domain, records, auction] = await Promise.all([
      readDomainName(probe, zone),
      readRecords(probe),
      readAuction(probe, zone),
    ]);
    return { owner: accountOrNull(owner), domain, ...records, ...auction };
  },
};

const NO_BID = { max_bid_address: null, max_bid_amount: null, auction_end_time: null };
/** Unix seconds; what is not below it is not a time. */
const TIME_LIMIT = 2n ** 40n;

/** The auction of a .ton domain; other zones sell their domains by other means. A failing method leaves its own columns empty. */
async function readAuction(probe: ContractReader, { zone }: DnsZone): Promise<Auction> {
  if (zone !== 'ton') return { ...NO_BID, last_fill_up_time: null };
  const [bid, fillUp] = await Promise.all([
    undefinedOnMismatch(readHighestBid(probe)),
    undefinedOnMismatch(probe.run('get_last_fill_up_time').then((result) => timeOf(result.integer(0)))),
  ]);
  return { ...(bid ?? NO_BID), last_fill_up_time: fillUp ?? null };
}

async function readHighestBid(probe: ContractReader) {
  const result = (await probe.run('get_auction_info')).atLeast(3);
  const bidder = accountOrNull(result.address(0));
  if (bidder === null) return NO_BID;
  return {
    max_bid_address: bidder,
    max_bid_amount: result.integer(1),
    auction_end_time: timeOf(result.integer(2)),
  };
}

function timeOf(seconds: bigint): bigint {
  return seconds >= 0n && seconds < TIME_LIMIT ? seconds : throwMismatch('not a time');
}

async function readRecords(probe: ContractReader): Promise<Records> {
  const result = await getOwnDnsRecords(probe);
  if (result.integer(0) !== BITS_OF_ITSELF) throwMismatch('it does not resolve itself');
  const dictionary = result.maybeCell(1);
  if (dictionary === undefined) return NO_RECORDS;
  const find = (name: DnsCategory): DnsRecord | undefined =>
    mismatchOnCellError(() => findDnsRecord(dictionary.cells, dictionary.cell, name));
  return {
    next_resolver: accountIn(find('dns_next_resolver'), 'next_resolver'),
    wallet: accountIn(find('wallet'), 'smc_address'),
    site_adnl: idIn(find('site'), 'adnl_address'),
    storage_bag_id: idIn(find('storage'), 'storage_address'),
  };
}

/** The account of a record, if it is of the kind that its category requires. */
function accountIn(record: DnsRecord | undefined, kind: 'smc_address' | 'next_resolver'): Buffer | null {
  return record?.kind === kind ? (accountKeyOf(record.address) ?? null) : null;
}

/** The 32 bytes of a record, if it is of the kind that its category requires. */
function idIn(record: DnsRecord | undefined, kind: 'adnl_address' | 'storage_address'): Buffer | null {
  return record?.kind === kind ? record.id : null;
}
