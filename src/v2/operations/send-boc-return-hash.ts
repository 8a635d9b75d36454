import { defineOperation } from '../../http/operation.ts';
import type { V2Call } from '../call.ts';
import { sendBocReturnHashExamples } from '../examples/send-boc-return-hash.ts';
import { readBag } from '../params/bag.ts';
import { messageBoc } from '../params/message-boc.ts';
import { sendBag } from '../reads/send-message.ts';
import { ExtMessageInfo, extMessageInfo } from '../shapes/sent-message.ts';

/** Sends a message and tells its hashes. */
export const sendBocReturnHash = defineOperation({
  name: 'sendBocReturnHash',
  methods: ['POST'],
  tag: 'send',
  summary: 'Send a message and get its hashes',
  description:
    'As sendBoc. `hash` is that of the message as it was sent, `hash_norm` that of its normal form (TEP-467), which is the same however the message was packed.',
  parameters: { boc: messageBoc() },
  ignoreUnknownProperties: true,
  result: ExtMessageInfo,
  errors: [{ code: 500, when: 'no message, or one that the lite servers refuse, with their reason' }],
  cache: 'none',
  examples: [
    ...sendBocReturnHashExamples,
    {
      title: 'no message',
      params: {},
      failure: { code: 422, text: "failed to parse post request: Field 'boc' is missing" },
    },
  ],
  handler: async ({ boc }, call: V2Call) => extMessageInfo(await sendBag(call, readBag('body', boc))),
});
