import Type from 'typebox';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { PlainText } from '../../http/serializer.ts';
import type { V3Call } from '../call.ts';
import { bagParam } from '../params/bag.ts';

const HASH = 'kK7Illr6uxbrw8ubQI665xthjXh4i8gNCYQ1k8rJjaQ=';
const EMPTY_CELL = 'te6cckEBAQEAAgAAAEysuc0=';

/** Sends a message to the chain. */
export function createSendMessage(): Operation<V3Call> {
  return defineOperation({
    name: 'message',
    methods: ['POST'],
    tag: 'api/v2',
    summary: 'Send a message and get its hashes',
    description:
      'Done as soon as one lite server has taken the message. `message_hash_norm` is that of its normal form (TEP-467), which is the same however the message was packed.',
    parameters: {
      boc: bagParam({
        description: 'Message from outside as a bag of cells in base64.',
        required: true,
      }),
    },
    result: Type.Object({ message_hash: PlainText(), message_hash_norm: PlainText() }),
    errors: [{ code: 500, when: 'a message that the lite servers refuse, with their reason' }],
    cache: 'none',
    examples: [
      {
        title: 'A message',
        params: { boc: EMPTY_CELL },
        varies: true,
        result: { message_hash: HASH, message_hash_norm: HASH },
      },
      { title: 'No message', params: {}, failure: { code: 422, text: 'boc is required' } },
    ],
    handler: async ({ boc }, call: V3Call) => {
      const { hash, normalizedHash } = await call.ports.live.sendMessage(boc, call);
      return { message_hash: hash.toString('base64'), message_hash_norm: normalizedHash.toString('base64') };
    },
  });
}
