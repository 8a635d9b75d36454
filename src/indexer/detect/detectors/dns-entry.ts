import { isUtf8 } from 'node:buffer';
import { type AccountId, accountKeyOf, sameAccount } from '../../../chain/address.ts';
import {
  type DnsCategory,
  type DnsRecord,
  decodeFullName,
  findDnsRecord,
  getOwnDnsRecords,
} from '../../../chain/contracts/dns.ts';
import { readNftItem } from '../../../chain/contracts/nft.ts';
import { type ContractReader, mismatchOnCellError, throwMismatch } from '../../../chain/contracts/probe.ts';
import { MAX_STORED_CONTENT_BYTES } from '../../../chain/contracts/token-content.ts';
import type { ContractColumns, Detector, DnsZone } from '../detection.ts';
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

type Records = Omit<ContractColumns<'dns_entries'>, 'owner' | 'domain'>;

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
    const [domain, records] = await Promise.all([readDomainName(probe, zone), readRecords(probe)]);
    return { owner: accountOrNull(owner), domain, ...records };
  },
};

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
