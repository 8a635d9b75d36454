import { defineOperation } from '../../http/operation.ts';
import type { V2Call } from '../call.ts';
import { sendQueryExamples } from '../examples/send-query.ts';
import { address } from '../params/address.ts';
import { readBag } from '../params/bag.ts';
import { bytes, optionalBytes } from '../params/bytes.ts';
import { requireFriendlyForm, WORKCHAIN_OUT_OF_RANGE } from '../params/friendly-workchain.ts';
import { queryMessage, readQueryInit } from '../reads/query-message.ts';
import { sendBag } from '../reads/send-message.ts';
import { ResultOk, resultOk } from '../shapes/sent-message.ts';

/** Makes a message of its parts and sends it. */
export const sendQuery = defineOperation({
  name: 'sendQuery',
  methods: ['POST'],
  tag: 'send',
  summary: 'Send a message that is given in parts',
  description: 'The message is put together here and sent as by sendBoc.',
  parameters: {
    address: address('Address of the account that gets the message.'),
    body: bytes({ description: 'Body of the message as a bag of cells in base64.' }),
    init_code: optionalBytes('Code of a contract to be deployed, as a bag of cells in base64.'),
    init_data: optionalBytes('Data of a contract to be deployed; goes with its code.'),
  },
  result: ResultOk,
  errors: [
    { code: 500, when: 'no bag of cells, or a message that the lite servers refuse, with their reason' },
  ],
  cache: 'none',
  examples: [
    ...sendQueryExamples,
    {
      title: 'a body that is not a bag of cells',
      params: { address: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N', body: '' },
      failure: {
        code: 500,
        text: 'INVALID_BAG_OF_CELLS: bodycannot deserialize bag-of-cells: not enough bytes (0 present, 10 required)',
      },
    },
    {
      title: 'a workchain that no message can go to',
      params: {
        address: '300:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8',
        body: 'te6cckEBAQEAAgAAAEysuc0=',
      },
      failure: { code: 422, text: WORKCHAIN_OUT_OF_RANGE },
    },
  ],
  handler: async ({ address, body, init_code, init_data }, call: V2Call) => {
    requireFriendlyForm(address);
    const init = readQueryInit(init_code, init_data);
    await sendBag(call, queryMessage({ to: address, body: readBag('body', body), init }));
    return resultOk();
  },
});
