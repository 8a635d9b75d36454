import type { Static } from 'typebox';
import Type from 'typebox';
import { defineOperation, type Operation } from '../http/operation.ts';
import { PlainText } from '../http/serializer.ts';
import { DNS_RECORD_KEYS, type DnsFilter, readDnsRecords } from '../index/read/dns.ts';
import type { ListedContract } from '../index/read/lists.ts';
import { addressBookFields, loadAddressBookFields } from './address-book.ts';
import type { V3Call } from './call.ts';
import { recordedExample } from './examples.ts';
import { type ListLimits, noteNextCursor, toWindow, windowParams } from './list-parameters.ts';
import { addressOrNullParam, stringParam, toAccountOrNull } from './parameter-kinds.ts';
import { invalidParameter } from './parameters.ts';
import { readIndex } from './read-index.ts';
import { formatAccount, formatHashOrNull, Nullable } from './values.ts';

const NEITHER = 'either wallet address or domain is required';
const BOTH = 'provide either wallet address or domain, not both';

/** Domains with their DNS records. */
export function createDnsRecords(limits: ListLimits): Operation<V3Call> {
  return defineOperation({
    name: 'dns/records',
    methods: ['GET'],
    tag: 'dns',
    summary: 'DNS records',
    description: 'Domains of .ton and .t.me with their records, shortest domain first.',
    parameters: {
      wallet: addressOrNullParam({
        description: 'Domains that resolve to this wallet; `addr_none` counts as absent.',
      }),
      domain: stringParam({ description: 'The domain with this name, such as `alice.ton`.' }),
      ...windowParams(limits),
    },
    result: Type.Object(
      { records: Type.Array(dnsRecordSchema), ...addressBookFields },
      { title: 'DNSRecordsResponse' },
    ),
    cache: 'head',
    examples: [
      recordedExample('dns/records'),
      { title: 'Nothing given', params: {}, failure: { code: 422, text: NEITHER } },
      {
        title: 'Both given',
        params: { wallet: '{alice}', domain: 'alice.ton' },
        failure: { code: 422, text: BOTH },
      },
    ],
    handler: (params, call: V3Call) => {
      const { domain } = params;
      const filter = toFilter({ wallet: toAccountOrNull(params.wallet) ?? undefined, domain });
      const page = toWindow(params, DNS_RECORD_KEYS);
      return readIndex(call, async (db) => {
        const rows = await readDnsRecords(db, { filter, page });
        noteNextCursor(call, DNS_RECORD_KEYS, page, rows);
        const accounts = rows.flatMap(({ account, owner, wallet }) => [account, owner, wallet]);
        return { records: rows.map(toDnsRecord), ...(await loadAddressBookFields(call, db, accounts)) };
      });
    },
  });
}

function toFilter({ wallet, domain }: { wallet: Buffer | undefined; domain: string | undefined }): DnsFilter {
  if (wallet !== undefined && domain !== undefined) throw invalidParameter('domain', BOTH);
  if (wallet !== undefined) return { wallet };
  if (domain === undefined) throw invalidParameter('wallet', NEITHER);
  return { domain };
}

const dnsRecordSchema = Type.Object(
  {
    nft_item_address: PlainText(),
    nft_item_owner: Nullable(PlainText()),
    domain: Type.String(),
    dns_next_resolver: Nullable(PlainText()),
    dns_wallet: Nullable(PlainText()),
    dns_site_adnl: Nullable(PlainText({ description: 'Base64.' })),
    dns_storage_bag_id: Nullable(PlainText({ description: 'Base64.' })),
  },
  { title: 'DNSRecord' },
);

function toDnsRecord(row: ListedContract<'dns_entries'>): Static<typeof dnsRecordSchema> {
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
