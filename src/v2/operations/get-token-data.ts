import { defineOperation } from '../../http/operation.ts';
import { Failure } from '../../lib/failure.ts';
import type { V2Call } from '../call.ts';
import { getTokenDataExamples } from '../examples/get-token-data.ts';
import { address } from '../params/address.ts';
import { canonicalAddress } from '../params/canonical-address.ts';
import { masterchainSeqno } from '../params/masterchain-seqno.ts';
import { readAccountAt } from '../reads/account-at.ts';
import { readTokenData } from '../reads/token-data.ts';
import { TokenDataShape, tokenData } from '../shapes/token-data.ts';

/** What a jetton or an NFT says of itself. */
export const getTokenData = defineOperation({
  name: 'getTokenData',
  methods: ['GET', 'POST'],
  tag: 'accounts',
  summary: 'Jetton or NFT',
  description:
    'Asks the contract as a jetton, as a wallet of a jetton, as a collection of NFTs and as an NFT, in this order. A wallet must be known to its jetton, and an NFT to its collection. Domains are shown with their records.',
  parameters: { address: address(), seqno: masterchainSeqno() },
  result: TokenDataShape,
  errors: [{ code: 409, when: 'the contract is neither a jetton nor an NFT' }],
  // The configuration that get-methods see is always the newest one.
  cache: 'head',
  examples: [
    ...getTokenDataExamples,
    {
      title: 'a block that there is not',
      params: { address: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N', seqno: 0 },
      failure: { code: 422, text: 'failed to validate request: seqno should be positive' },
    },
  ],
  handler: async ({ address, seqno }, call: V2Call) => {
    const at = await readAccountAt(call, address, seqno);
    const data = await readTokenData(call, at);
    const shown = canonicalAddress(address);
    if (data === undefined) throw new Failure('conflict', `Smart contract ${shown} is not Jetton or NFT`);
    return tokenData(data, shown);
  },
});
