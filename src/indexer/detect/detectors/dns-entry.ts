import { accountKeyOf } from '../../../chain/address/account-key.ts';
import { askOwnRecords } from '../../../chain/contracts/ask-own-records.ts';
import type { DnsRecord } from '../../../chain/contracts/dns-record.ts';
import { type DnsCategory, findDnsRecord } from '../../../chain/contracts/dns-records.ts';
import { orNotThat, refuse } from '../../../chain/contracts/not-that.ts';
import type { Probe } from '../../../chain/contracts/probe.ts';
import { readNftItem } from '../../../chain/contracts/read-nft-item.ts';
import { MAX_STORED_CONTENT_BYTES } from '../../../chain/contracts/token-content.ts';
import type { ContractColumns, Detector } from '../detector.ts';
import { accountOrNull } from './account-or-null.ts';
import { readDomainName, zoneOf } from './domain-name.ts';

type Records = Omit<ContractColumns<'dns_entries'>, 'owner' | 'domain'>;

/** The one zero byte that stands for the domain itself. */
const BITS_OF_ITSELF = 8n;
const NO_RECORDS: Records = { next_resolver: null, wallet: null, site_adnl: null, storage_bag_id: null };

/** A domain: an NFT of one of the zones that resolves itself. */
export const DNS_ENTRY: Detector<'dns_entries'> = {
  table: 'dns_entries',
  methods: [
    ['get_nft_data', 'dnsresolve', 'get_domain'],
    ['get_nft_data', 'dnsresolve', 'get_full_domain'],
  ],
  async detect(probe, { zones }) {
    const { collection, owner } = await readNftItem(probe, MAX_STORED_CONTENT_BYTES);
    const zone = zoneOf(zones, collection) ?? refuse('an item of another collection');
    const [domain, records] = await Promise.all([readDomainName(probe, zone), readRecords(probe)]);
    return { owner: accountOrNull(owner), domain, ...records };
  },
};

async function readRecords(probe: Probe): Promise<Records> {
  const answer = await askOwnRecords(probe);
  if (answer.integer(0) !== BITS_OF_ITSELF) refuse('it does not resolve itself');
  const dictionary = answer.maybeCell(1);
  if (dictionary === undefined) return NO_RECORDS;
  const find = (name: DnsCategory): DnsRecord | undefined =>
    orNotThat(() => findDnsRecord(dictionary.cells, dictionary.cell, name));
  return {
    next_resolver: accountIn(find('dns_next_resolver'), 'next_resolver'),
    wallet: accountIn(find('wallet'), 'smc_address'),
    site_adnl: idIn(find('site'), 'adnl_address'),
    storage_bag_id: idIn(find('storage'), 'storage_address'),
  };
}

/** The account of a record, which counts only if it is of the kind that its category is made for. */
function accountIn(record: DnsRecord | undefined, kind: 'smc_address' | 'next_resolver'): Buffer | null {
  return record?.kind === kind ? (accountKeyOf(record.address) ?? null) : null;
}

/** As above, the 32 bytes of a record. */
function idIn(record: DnsRecord | undefined, kind: 'adnl_address' | 'storage_address'): Buffer | null {
  return record?.kind === kind ? record.id : null;
}
