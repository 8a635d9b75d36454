import Type from 'typebox';
import { DNS_RECORD_KEYS, type DnsFilter, readDnsRecords } from '../../db/queries/dns-records.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { bookSchema, loadBook } from '../books.ts';
import type { V3Call } from '../call.ts';
import { notePage, openPage, pageParams } from '../page.ts';
import { accountParam } from '../params/accounts.ts';
import { refuse } from '../params/kind.ts';
import type { PageLimits } from '../params/limit.ts';
import { plainStringParam } from '../params/plain-string.ts';
import { readIndex } from '../read-index.ts';
import { DNS_RECORD_EXAMPLE, dnsRecordSchema, toDnsRecord } from './record.ts';

const NEITHER = 'either wallet address or domain is required';
const BOTH = 'provide either wallet address or domain, not both';

/** Domains and their records. */
export function createDnsRecords(limits: PageLimits): Operation<V3Call> {
  return defineOperation({
    name: 'dns/records',
    methods: ['GET'],
    tag: 'dns',
    summary: 'Domains',
    description: 'Domains of .ton and .t.me with their records, the shortest first.',
    parameters: {
      wallet: accountParam({ description: 'Domains that lead to this wallet.' }),
      domain: plainStringParam({ description: 'The domain with this name, such as `alice.ton`.' }),
      ...pageParams(limits),
    },
    result: Type.Object({ records: Type.Array(dnsRecordSchema), ...bookSchema }),
    cache: 'head',
    examples: [
      {
        title: 'Names of a wallet',
        params: { wallet: DNS_RECORD_EXAMPLE.dns_wallet },
        varies: true,
        result: { records: [DNS_RECORD_EXAMPLE], address_book: {} },
      },
      { title: 'Nothing given', params: {}, failure: { code: 422, text: NEITHER } },
      {
        title: 'Both given',
        params: { wallet: DNS_RECORD_EXAMPLE.dns_wallet, domain: 'alice.ton' },
        failure: { code: 422, text: BOTH },
      },
    ],
    handler: (params, call: V3Call) => {
      const filter = filterOf(params);
      const page = openPage(params, DNS_RECORD_KEYS);
      return readIndex(call, async (db) => {
        const rows = await readDnsRecords(db, { filter, page });
        notePage(call, DNS_RECORD_KEYS, page, rows);
        const accounts = rows.flatMap(({ account, owner, wallet }) => [account, owner, wallet]);
        return { records: rows.map(toDnsRecord), ...(await loadBook(call, db, accounts)) };
      });
    },
  });
}

function filterOf({ wallet, domain }: { wallet: Buffer | undefined; domain: string | undefined }): DnsFilter {
  if (wallet !== undefined && domain !== undefined) throw refuse('domain', BOTH);
  if (wallet !== undefined) return { wallet };
  if (domain === undefined) throw refuse('wallet', NEITHER);
  return { domain };
}
