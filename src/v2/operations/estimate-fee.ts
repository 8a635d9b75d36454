import { defineOperation } from '../../http/operation.ts';
import type { V2Call } from '../call.ts';
import { estimateFeeExamples } from '../examples/estimate-fee.ts';
import { address } from '../params/address.ts';
import { readBag } from '../params/bag.ts';
import { bytes, optionalBytes } from '../params/bytes.ts';
import { requireFriendlyForm } from '../params/friendly-workchain.ts';
import { ignoreSignature } from '../params/ignore-signature.ts';
import { estimateFee as estimate } from '../reads/estimate-fee.ts';
import { readQueryInit } from '../reads/query-message.ts';
import { QueryFees, queryFees } from '../shapes/query-fees.ts';

/** Estimates what a message from outside would cost. */
export const estimateFee = defineOperation({
  name: 'estimateFee',
  methods: ['POST'],
  tag: 'send',
  summary: 'Estimate the fees of a message',
  description:
    'Runs the contract on the message at the newest block. `gas_fee` and `fwd_fee` are 0 where the contract does not accept the message, as with a wrong seqno; `gas_fee` is the least there is where the account could not pay for any gas. What the receivers of its messages pay is not estimated.',
  parameters: {
    address: address('Address of the account that gets the message.'),
    body: bytes({ description: 'Body of the message as a bag of cells in base64.' }),
    init_code: optionalBytes('Code of a contract to be deployed, as a bag of cells in base64.'),
    init_data: optionalBytes('Data of a contract to be deployed; goes with its code.'),
    ignore_chksig: ignoreSignature(),
  },
  ignoreUnknownProperties: true,
  result: QueryFees,
  errors: [{ code: 500, when: 'no bag of cells, or a run that cannot be estimated, with the reason' }],
  cache: 'none',
  examples: [
    ...estimateFeeExamples,
    {
      title: 'a body that is not a bag of cells',
      params: { address: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N', body: 'AAAA' },
      failure: {
        code: 500,
        text: 'INVALID_BAG_OF_CELLS: bodycannot deserialize bag-of-cells: not enough bytes (3 present, 10 required)',
      },
    },
  ],
  handler: async ({ address, body, init_code, init_data, ignore_chksig }, call: V2Call) => {
    requireFriendlyForm(address);
    const init = readQueryInit(init_code, init_data);
    const question = { to: address, body: readBag('body', body), init, ignoreSignature: ignore_chksig };
    return queryFees(await estimate(call, question));
  },
});
