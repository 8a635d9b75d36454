import { defineOperation } from '../../http/operation.ts';
import { Failure } from '../../lib/failure.ts';
import type { V2Call } from '../call.ts';
import { sendBocReturnHashNoErrorExamples } from '../examples/send-boc-return-hash-no-error.ts';
import { readBag } from '../params/bag.ts';
import { messageBoc } from '../params/message-boc.ts';
import { sendBag } from '../reads/send-message.ts';
import { ExtMessageInfo, extMessageInfo } from '../shapes/sent-message.ts';

/** Sends a message and tells its hashes; a refusal has another status. */
export const sendBocReturnHashNoError = defineOperation({
  name: 'sendBocReturnHashNoError',
  methods: ['POST'],
  tag: 'send',
  summary: 'Send a message and get its hashes, refusals as status 400',
  description:
    'As sendBocReturnHash, but whatever goes wrong with the message is reported with a status of 400.',
  parameters: { boc: messageBoc() },
  result: ExtMessageInfo,
  errors: [{ code: 400, when: 'no message, or one that the lite servers refuse, with their reason' }],
  cache: 'none',
  examples: [
    ...sendBocReturnHashNoErrorExamples,
    {
      title: 'not a bag of cells',
      params: { boc: 'AAAA' },
      failure: {
        code: 400,
        text: 'INVALID_BAG_OF_CELLS: bodycannot deserialize bag-of-cells: not enough bytes (3 present, 10 required)',
      },
    },
  ],
  handler: async ({ boc }, call: V2Call) => {
    try {
      return extMessageInfo(await sendBag(call, readBag('body', boc)));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      throw new Failure('bad_request', error.message, { cause: error });
    }
  },
});
