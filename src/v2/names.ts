import type { Static } from 'typebox';
import Type from 'typebox';
import { type DnsRecord, dnsCategory, encodeDnsName, formatAdnlAddress } from '../chain/contracts/dns.ts';
import { parseHash } from '../chain/hash.ts';
import type { Parameter, ParameterInput } from '../http/operation.ts';
import { PlainText } from '../http/serializer.ts';
import { readAccountAt } from '../live/accounts.ts';
import { admitGetMethod } from '../live/get-methods.ts';
import { type ResolvedName, resolveName } from '../live/names.ts';
import { defineV2Operation } from './operation.ts';
import {
  address,
  givenValue,
  masterchainSeqno,
  optionalInt32,
  parseRefusal,
  restorePlus,
} from './parameters.ts';
import { AccountAddress, accountAddress, Base64, friendlyAddress, Hash256, TonlibObject } from './shapes.ts';

function domainName(): Parameter<string> {
  return {
    schema: Type.String({ default: '' }),
    description: 'Domain name to resolve; when left out, the records of the contract itself.',
    required: false,
    read: (input) => readText(input) ?? '',
  };
}

function recordCategory(): Parameter<Buffer | undefined> {
  return {
    schema: Type.String(),
    description:
      'Category of records: its name (`wallet`, `site`, `storage`, `dns_next_resolver` or another one) or its hash in hex or base64; all records when left out.',
    required: false,
    read: (input) => {
      const text = readText(input);
      return text === undefined ? undefined : (parseHash(restorePlus(text)) ?? dnsCategory(text));
    },
  };
}

function readText(input: ParameterInput): string | undefined {
  const given = givenValue(input);
  if (given === undefined) return undefined;
  if (typeof given !== 'string') throw parseRefusal(input, 'must be a string');
  return given;
}

const EntryData = Type.Union(
  [
    // In the contract, and never sent: records that cannot be read are left out.
    TonlibObject('dns.entryDataUnknown', 'DnsEntryDataUnknown', { bytes: Base64() }),
    TonlibObject('dns.entryDataText', 'DnsEntryDataText', { text: Type.String() }),
    TonlibObject('dns.entryDataNextResolver', 'DnsEntryDataNextResolver', { resolver: AccountAddress }),
    TonlibObject('dns.entryDataSmcAddress', 'DnsEntryDataSmcAddress', { smc_address: AccountAddress }),
    TonlibObject('dns.entryDataAdnlAddress', 'DnsEntryDataAdnlAddress', {
      adnl_address: TonlibObject('adnlAddress', 'AdnlAddress', {
        adnl_address: PlainText({ pattern: '^[a-z2-7]{55}$' }),
      }),
    }),
    TonlibObject('dns.entryDataStorageAddress', 'DnsEntryDataStorageAddress', {
      bag_id: PlainText({ pattern: '^[0-9a-f]{64}$' }),
    }),
  ],
  { title: 'DnsEntryData' },
);

const DnsResolved = TonlibObject('dns.resolved', 'DnsResolved', {
  entries: Type.Array(
    TonlibObject('dns.entry', 'DnsEntry', {
      name: Type.String(),
      category: Hash256(),
      entry: EntryData,
    }),
  ),
});

function dnsResolved({ name, entries }: ResolvedName): Static<typeof DnsResolved> {
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

export const dnsResolve = defineV2Operation({
  name: 'dnsResolve',
  tag: 'accounts',
  summary: 'Resolve a domain name',
  description:
    'Asks a resolver contract for the records of a name. When it resolves only the end of the name, the next resolver is asked, up to `ttl` times and at most 32 times; after that, the result has the resolved part and the address of the next resolver.',
  parameters: {
    address: address('Address of the resolver contract.'),
    name: domainName(),
    category: recordCategory(),
    ttl: optionalInt32('Maximum number of further resolvers to ask.', { minimum: 0 }, 0),
    seqno: masterchainSeqno(),
  },
  result: DnsResolved,
  errors: [{ code: 500, when: 'The contract does not resolve names, or the name is too long' }],
  // Get-methods always see the newest config.
  cache: 'head',
  handler: async ({ address, name, category, ttl, seqno }, call) => {
    // Relative to the contract itself, which is the empty name at the end.
    const fullName = name.endsWith('.') ? name : `${name}.`;
    // Throws for a name that is too long before anything is read.
    encodeDnsName(fullName);
    admitGetMethod(call);
    const at = await readAccountAt(call, address, seqno);
    return dnsResolved(await resolveName(call, at, { name: fullName, category, hops: ttl }));
  },
});
