import { defineOperation, type Operation } from '../../http/operation.ts';
import { booleanParam } from '../params/boolean.ts';
import type { EmulateCall } from './emulate-call.ts';
import { EMULATION_EXAMPLE } from './emulate-examples.ts';
import { messageParam, viewParams } from './emulate-params.ts';
import { runEmulation } from './run-emulation.ts';
import { emulationSchema, showEmulation } from './show-emulation.ts';

const EMPTY_CELL = 'te6cckEBAQEAAgAAAEysuc0=';

/** Says what a message from outside would do. */
export function createEmulateTrace(): Operation<EmulateCall> {
  return defineOperation({
    name: 'emulateTrace',
    methods: ['POST'],
    tag: 'emulate',
    summary: 'What a message would do',
    description:
      'Runs the message and all that follow from it on top of the newest block, or of an older one. Nothing is sent. The header `X-Actions-Version` tells the types of actions that the caller knows; without it they are the latest.',
    parameters: {
      boc: messageParam(),
      ignore_chksig: booleanParam({
        description: 'Whether every check of a signature succeeds in the run.',
        fallback: false,
      }),
      ...viewParams(),
    },
    ignoreUnknownProperties: true,
    result: emulationSchema,
    cache: 'none',
    examples: [
      { title: 'A message', params: { boc: EMPTY_CELL }, varies: true, result: EMULATION_EXAMPLE },
      { title: 'No message', params: {}, failure: { code: 400, text: 'invalid request: boc is required' } },
    ],
    handler: async ({ boc: message, ignore_chksig, ...view }, call: EmulateCall) => {
      const seqno = view.mc_block_seqno;
      const trace = await runEmulation(call, { message, ignoreSignature: ignore_chksig, seqno });
      return showEmulation(call, trace, { ...view, version: call.options.actionsVersion ?? 'latest' });
    },
  });
}
