import Type, { type Static } from 'typebox';
import type { ListedContract } from '../../db/queries/contract-page.ts';
import { PlainText } from '../../http/serializer.ts';
import { formatAccount } from '../account-bytes.ts';
import { Nullable } from '../nullable.ts';
import { formatHashOrNull } from '../value-texts.ts';

/** A domain and where it leads. */
export const dnsRecordSchema = Type.Object({
  nft_item_address: PlainText(),
  nft_item_owner: Nullable(PlainText()),
  domain: Type.String(),
  dns_next_resolver: Nullable(PlainText()),
  dns_wallet: Nullable(PlainText()),
  dns_site_adnl: Nullable(PlainText({ description: 'Base64.' })),
  dns_storage_bag_id: Nullable(PlainText({ description: 'Base64.' })),
});

/** Writes a domain. */
export function toDnsRecord(row: ListedContract<'dns_entries'>): Static<typeof dnsRecordSchema> {
  return {
    nft_item_address: formatAccount(row.account),
    nft_item_owner: row.owner && formatAccount(row.owner),
    domain: row.domain,
    dns_next_resolver: row.next_resolver && formatAccount(row.next_resolver),
    dns_wallet: row.wallet && formatAccount(row.wallet),
    dns_site_adnl: formatHashOrNull(row.site_adnl),
    dns_storage_bag_id: formatHashOrNull(row.storage_bag_id),
  };
}

/** A domain as the docs page shows it. */
export const DNS_RECORD_EXAMPLE: Static<typeof dnsRecordSchema> = {
  nft_item_address: '0:6B8F5A1C3D7E9F20416385A7C9EB0D2F41638507A9CBED0F21436587A9CBED0F',
  nft_item_owner: '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8',
  domain: 'alice.ton',
  dns_next_resolver: null,
  dns_wallet: '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8',
  dns_site_adnl: null,
  dns_storage_bag_id: null,
};
