import Type, { type Static } from 'typebox';
import type { DnsRecord } from '../../chain/contracts/dns-record.ts';
import { type DnsEntry, dnsCategoryName } from '../../chain/contracts/dns-records.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import { PlainText } from '../../http/serializer.ts';

const HashHex = () => PlainText({ pattern: '^[0-9a-f]{64}$' });
const SmcAddress = Type.Object({
  '@type': Type.Literal('addr_std'),
  workchain_id: Type.Integer(),
  address: HashHex(),
});

/** A record of a domain in the answer about an NFT. */
const DnsRecordShape = Type.Union([
  Type.Object({ '@type': Type.Literal('dns_smc_address'), smc_addr: SmcAddress }),
  Type.Object({ '@type': Type.Literal('dns_next_resolver'), resolver: SmcAddress }),
  Type.Object({ '@type': Type.Literal('dns_adnl_address'), adnl_addr: HashHex() }),
  Type.Object({ '@type': Type.Literal('dns_storage_address'), bag_id: HashHex() }),
]);

/** The records of a domain by the names of their categories, or by the hex of those without a known name. */
export const DnsRecordSet = Type.Record(Type.String(), DnsRecordShape);

/** Writes the records of a domain; texts have no place in it. */
export function dnsRecordSet(entries: readonly DnsEntry[]): Static<typeof DnsRecordSet> {
  const set: Static<typeof DnsRecordSet> = {};
  for (const { category, record } of entries) {
    const shown = dnsRecord(record);
    if (shown !== undefined) set[dnsCategoryName(category) ?? category.toString('hex').toUpperCase()] = shown;
  }
  return set;
}

function dnsRecord(record: DnsRecord): Static<typeof DnsRecordShape> | undefined {
  switch (record.kind) {
    case 'smc_address':
      return { '@type': 'dns_smc_address', smc_addr: smcAddress(record.address) };
    case 'next_resolver':
      return { '@type': 'dns_next_resolver', resolver: smcAddress(record.address) };
    case 'adnl_address':
      return { '@type': 'dns_adnl_address', adnl_addr: record.id.toString('hex') };
    case 'storage_address':
      return { '@type': 'dns_storage_address', bag_id: record.id.toString('hex') };
    default:
      return undefined;
  }
}

function smcAddress({ workchain, hash }: AccountId): Static<typeof SmcAddress> {
  return { '@type': 'addr_std', workchain_id: workchain, address: hash.toString('hex') };
}
