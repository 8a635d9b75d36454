import type { Static } from 'typebox';
import Type from 'typebox';
import { type DnsRecord, dnsCategory, encodeDnsName, formatAdnlAddress } from '../chain/contracts/dns.ts';
import { parseHash } from '../chain/hash.ts';
import { defineOperation, type Parameter, type ParameterInput } from '../http/operation.ts';
import { PlainText } from '../http/serializer.ts';
import { readAccountAt } from '../live/accounts.ts';
import { type ResolvedName, resolveName } from '../live/names.ts';
import type { LiveCall } from '../live/session.ts';
import { address, masterchainSeqno } from './chain-parameters.ts';
import { dnsResolveExamples } from './examples/dns-resolve.ts';
import { optionalInt32, parseRefusal, restorePlus } from './parameters.ts';
import { AccountAddress, accountAddress, friendlyAddress, Hash256 } from './shapes.ts';

/** An optional domain name; the resolver itself when left out. */
function domainName(): Parameter<string> {
  return {
    schema: Type.String({ default: '' }),
    description: 'Domain name to resolve; without it, the records of the contract itself.',
    required: false,
    read: (input) => readText(input) ?? '',
  };
}

/** An optional category of records: its name, or the hash of it. */
function recordCategory(): Parameter<Buffer | undefined> {
  return {
    schema: Type.String(),
    description:
      'Category of records, by its name (`wallet`, `site`, `storage`, `dns_next_resolver` or another one) or by its hash in hex or base64; all records when left out.',
    required: false,
    read: (input) => {
      const text = readText(input);
      return text === undefined ? undefined : (parseHash(restorePlus(text)) ?? dnsCategory(text));
    },
  };
}

function readText(input: ParameterInput): string | undefined {
  const given = input.values[0];
  if (given === undefined || given === null || given === '') return undefined;
  if (typeof given !== 'string') throw parseRefusal(input, 'must be a string');
  return given;
}

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
const DnsResolved = Type.Object({
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

const RESOLVER = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';

/** The records of a domain name, as a resolver knows them. */
export const dnsResolve = defineOperation({
  name: 'dnsResolve',
  methods: ['GET', 'POST'],
  tag: 'accounts',
  summary: 'Records of a domain name',
  description:
    'Asks a contract that resolves domain names. Where it knows the end of the name only, the next resolver is asked, as often as `ttl` allows and at most 32 times; after that, the answer is the part that was resolved and the resolver that knows more.',
  parameters: {
    address: address('Address of the contract that resolves.'),
    name: domainName(),
    category: recordCategory(),
    ttl: optionalInt32({ description: 'How many more resolvers may be asked.', minimum: 0 }, 0),
    seqno: masterchainSeqno(),
  },
  result: DnsResolved,
  errors: [{ code: 500, when: 'the contract resolves no names, or the name is too long' }],
  // The configuration that get-methods see is always the newest one.
  cache: 'head',
  examples: [
    ...dnsResolveExamples,
    {
      title: 'a ttl that is none',
      params: { address: RESOLVER, ttl: -1 },
      failure: { code: 422, text: 'failed to validate request: ttl should be non-negative' },
    },
    {
      title: 'a name that is too long',
      params: { address: RESOLVER, name: 'a'.repeat(129) },
      failure: { code: 500, text: 'Name is too long' },
    },
  ],
  handler: async ({ address, name, category, ttl, seqno }, call: LiveCall) => {
    // Names are taken from the contract itself, which is the empty name at their end.
    const whole = name.endsWith('.') ? name : `${name}.`;
    encodeDnsName(whole);
    const at = await readAccountAt(call, address, seqno);
    return dnsResolved(await resolveName(call, at, { name: whole, category, hops: ttl }));
  },
});
