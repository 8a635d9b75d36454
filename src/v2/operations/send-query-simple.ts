import { defineOperation } from '../../http/operation.ts';
import type { V2Call } from '../call.ts';
import { sendQuerySimpleExamples } from '../examples/send-query-simple.ts';
import { address } from '../params/address.ts';
import { cellObject, optionalCellObject } from '../params/cell-object.ts';
import { requireFriendlyForm } from '../params/friendly-workchain.ts';
import { queryInit, queryMessage } from '../reads/query-message.ts';
import { sendBag } from '../reads/send-message.ts';
import { ResultOk, resultOk } from '../shapes/sent-message.ts';

/** Makes a message of parts that are spelled out and sends it. */
export const sendQuerySimple = defineOperation({
  name: 'sendQuerySimple',
  methods: ['POST'],
  tag: 'send',
  summary: 'Send a message that is given in parts, spelled out',
  description: 'As sendQuery, with cells as objects. Older clients call it; new ones do better with sendBoc.',
  parameters: {
    address: address('Address of the account that gets the message.'),
    body: cellObject({ description: 'Body of the message.' }),
    init_code: optionalCellObject('Code of a contract to be deployed.'),
    init_data: optionalCellObject('Data of a contract to be deployed; goes with its code.'),
  },
  result: ResultOk,
  errors: [
    { code: 400, when: 'a cell object that is none' },
    { code: 500, when: 'a message that the lite servers refuse, with their reason' },
  ],
  cache: 'none',
  examples: [
    ...sendQuerySimpleExamples,
    {
      title: 'a body that is no cell',
      params: { address: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N', body: { data: 'te6cck' } },
      failure: { code: 400, text: 'Error while parsing cell object' },
    },
  ],
  handler: async ({ address, body, init_code, init_data }, call: V2Call) => {
    requireFriendlyForm(address);
    await sendBag(call, queryMessage({ to: address, body, init: queryInit(init_code, init_data) }));
    return resultOk();
  },
});
