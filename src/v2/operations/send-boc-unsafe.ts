import { defineOperation } from '../../http/operation.ts';
import type { V2Call } from '../call.ts';
import { sendBocUnsafeExamples } from '../examples/send-boc-unsafe.ts';
import { readBag } from '../params/bag.ts';
import { messageBoc } from '../params/message-boc.ts';
import { readExternalMessage } from '../reads/external-message.ts';
import { sendToServers } from '../reads/send-message.ts';
import { ResultOk, resultOk } from '../shapes/sent-message.ts';

/** Sends a message until it is taken. */
export const sendBocUnsafe = defineOperation({
  name: 'sendBocUnsafe',
  methods: ['POST'],
  tag: 'send',
  summary: 'Send a message again and again until it is taken',
  description:
    'Answers at once. A message that the lite servers refuse is sent again every 5 seconds for a minute; nobody is told whether it was taken in the end.',
  parameters: { boc: messageBoc() },
  result: ResultOk,
  errors: [
    { code: 500, when: 'no message' },
    { code: 503, when: 'too many messages wait to be sent again' },
  ],
  cache: 'none',
  examples: [
    ...sendBocUnsafeExamples,
    {
      title: 'no message',
      params: { boc: '' },
      failure: { code: 422, text: 'failed to validate request: empty boc' },
    },
  ],
  handler: ({ boc }, call: V2Call) => {
    const message = readExternalMessage(readBag('body', boc));
    // Not the whole call, which holds the request: this may go on for a minute.
    const { ports, group, bound, payer } = call;
    ports.resender.start(message, () => sendToServers({ ports, group, bound, payer }, message));
    return resultOk();
  },
});
