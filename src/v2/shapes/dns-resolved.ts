import Type, { type Static } from 'typebox';
import { formatAdnlAddress } from '../../chain/contracts/adnl-address.ts';
import type { DnsRecord } from '../../chain/contracts/dns-record.ts';
import { PlainText } from '../../http/serializer.ts';
import type { ResolvedName } from '../reads/resolve-name.ts';
import { AccountAddress, accountAddress, friendlyAddress } from './account-address.ts';
import { Hash256 } from './block-id.ts';

const EntryData = Type.Union([
  Type.Object({ '@type': Type.Literal('dns.entryDataText'), text: Type.String() }),
  Type.Object({ '@type': Type.Literal('dns.entryDataNextResolver'), resolver: AccountAddress }),
  Type.Object({ '@type': Type.Literal('dns.entryDataSmcAddress'), smc_address: AccountAddress }),
  Type.Object({
    '@type': Type.Literal('dns.entryDataAdnlAddress'),
    adnl_address: Type.Object({
      '@type': Type.Literal('adnlAddress'),
      adnl_address: PlainText({ pattern: '^[a-z2-7]{55}$' }),
    }),
  }),
  Type.Object({
    '@type': Type.Literal('dns.entryDataStorageAddress'),
    bag_id: PlainText({ pattern: '^[0-9a-f]{64}$' }),
  }),
]);

/** `dns.resolved`: the records of a name. */
export const DnsResolved = Type.Object({
  '@type': Type.Literal('dns.resolved'),
  entries: Type.Array(
    Type.Object({
      '@type': Type.Literal('dns.entry'),
      name: Type.String(),
      category: Hash256(),
      entry: EntryData,
    }),
  ),
});

/** Writes `dns.resolved`. */
export function dnsResolved({ name, entries }: ResolvedName): Static<typeof DnsResolved> {
  return {
    '@type': 'dns.resolved',
    entries: entries.map(({ category, record }) => ({
      '@type': 'dns.entry',
      name,
      category: category.toString('base64'),
      entry: entryData(record),
    })),
  };
}

function entryData(record: DnsRecord): Static<typeof EntryData> {
  switch (record.kind) {
    case 'text':
      return { '@type': 'dns.entryDataText', text: record.text };
    case 'next_resolver':
      return {
        '@type': 'dns.entryDataNextResolver',
        resolver: accountAddress(friendlyAddress(record.address)),
      };
    case 'smc_address':
      return {
        '@type': 'dns.entryDataSmcAddress',
        smc_address: accountAddress(friendlyAddress(record.address)),
      };
    case 'adnl_address':
      return {
        '@type': 'dns.entryDataAdnlAddress',
        adnl_address: { '@type': 'adnlAddress', adnl_address: formatAdnlAddress(record.id) },
      };
    case 'storage_address':
      return { '@type': 'dns.entryDataStorageAddress', bag_id: record.id.toString('hex') };
  }
}
