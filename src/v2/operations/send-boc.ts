import { defineOperation } from '../../http/operation.ts';
import type { V2Call } from '../call.ts';
import { sendBocExamples } from '../examples/send-boc.ts';
import { readBag } from '../params/bag.ts';
import { messageBoc } from '../params/message-boc.ts';
import { sendBag } from '../reads/send-message.ts';
import { ResultOk, resultOk } from '../shapes/sent-message.ts';

/** Sends a message. */
export const sendBoc = defineOperation({
  name: 'sendBoc',
  methods: ['POST'],
  tag: 'send',
  summary: 'Send a message',
  description:
    'The message goes to several lite servers. Success means that at least one took it, not that it is in a block.',
  parameters: { boc: messageBoc() },
  ignoreUnknownProperties: true,
  result: ResultOk,
  errors: [{ code: 500, when: 'no message, or one that the lite servers refuse, with their reason' }],
  cache: 'none',
  examples: [
    ...sendBocExamples,
    {
      title: 'no message',
      params: { boc: '' },
      failure: { code: 422, text: 'failed to validate request: empty boc' },
    },
    {
      title: 'not base64',
      params: { boc: '!!!' },
      failure: {
        code: 422,
        text: "failed to parse post request: Error at path 'boc': invalid base64 encoded bytes: Wrong character in the string",
      },
    },
    {
      title: 'not a bag of cells',
      params: { boc: 'AAAA' },
      failure: {
        code: 500,
        text: 'INVALID_BAG_OF_CELLS: bodycannot deserialize bag-of-cells: not enough bytes (3 present, 10 required)',
      },
    },
  ],
  handler: async ({ boc }, call: V2Call) => {
    await sendBag(call, readBag('body', boc));
    return resultOk();
  },
});
