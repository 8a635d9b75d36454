import { defineOperation } from '../../http/operation.ts';
import type { V2Call } from '../call.ts';
import { estimateFeeSimpleExamples } from '../examples/estimate-fee-simple.ts';
import { address } from '../params/address.ts';
import { cellObject, optionalCellObject } from '../params/cell-object.ts';
import { requireFriendlyForm } from '../params/friendly-workchain.ts';
import { ignoreSignature } from '../params/ignore-signature.ts';
import { estimateFee } from '../reads/estimate-fee.ts';
import { queryInit } from '../reads/query-message.ts';
import { QueryFees, queryFees } from '../shapes/query-fees.ts';

/** Estimates what a message from outside would cost; its cells are spelled out. */
export const estimateFeeSimple = defineOperation({
  name: 'estimateFeeSimple',
  methods: ['POST'],
  tag: 'send',
  summary: 'Estimate the fees of a message that is spelled out',
  description: 'As estimateFee, with cells as objects. Older clients call it.',
  parameters: {
    address: address('Address of the account that gets the message.'),
    body: cellObject({ description: 'Body of the message.' }),
    init_code: optionalCellObject('Code of a contract to be deployed.'),
    init_data: optionalCellObject('Data of a contract to be deployed; goes with its code.'),
    ignore_chksig: ignoreSignature(),
  },
  result: QueryFees,
  errors: [
    { code: 400, when: 'a cell object that is none' },
    { code: 500, when: 'a run that cannot be estimated, with the reason' },
  ],
  cache: 'none',
  examples: [
    ...estimateFeeSimpleExamples,
    {
      title: 'a body that is no cell',
      params: { address: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N', body: { data: 'te6cck' } },
      failure: { code: 400, text: 'Error while parsing cell object' },
    },
  ],
  handler: async ({ address, body, init_code, init_data, ignore_chksig }, call: V2Call) => {
    requireFriendlyForm(address);
    const init = queryInit(init_code, init_data);
    return queryFees(await estimateFee(call, { to: address, body, init, ignoreSignature: ignore_chksig }));
  },
});
