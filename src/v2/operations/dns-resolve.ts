import { encodeDnsName } from '../../chain/contracts/dns-name.ts';
import { defineOperation } from '../../http/operation.ts';
import type { V2Call } from '../call.ts';
import { dnsResolveExamples } from '../examples/dns-resolve.ts';
import { address } from '../params/address.ts';
import { domainName, recordCategory } from '../params/dns.ts';
import { optionalInt32 } from '../params/integer.ts';
import { masterchainSeqno } from '../params/masterchain-seqno.ts';
import { readAccountAt } from '../reads/account-at.ts';
import { resolveName } from '../reads/resolve-name.ts';
import { DnsResolved, dnsResolved } from '../shapes/dns-resolved.ts';

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
  handler: async ({ address, name, category, ttl, seqno }, call: V2Call) => {
    // Names are taken from the contract itself, which is the empty name at their end.
    const whole = name.endsWith('.') ? name : `${name}.`;
    encodeDnsName(whole);
    const at = await readAccountAt(call, address, seqno);
    return dnsResolved(await resolveName(call, at, { name: whole, category, hops: ttl }));
  },
});
