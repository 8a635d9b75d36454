import { defineOperation } from '../../http/operation.ts';
import type { V2Call } from '../call.ts';
import { sendCellSimpleExamples } from '../examples/send-cell-simple.ts';
import { cellObject } from '../params/cell-object.ts';
import { sendBag } from '../reads/send-message.ts';
import { ResultOk, resultOk } from '../shapes/sent-message.ts';

/** Sends a message that is spelled out. */
export const sendCellSimple = defineOperation({
  name: 'sendCellSimple',
  methods: ['POST'],
  tag: 'send',
  summary: 'Send a message that is spelled out',
  description:
    'As sendBoc, with the message as a cell object. Older clients call it; new ones do better with sendBoc.',
  parameters: {
    cell: cellObject({ description: 'Message from outside.', refusal: 'Error while parsing cell' }),
  },
  result: ResultOk,
  errors: [
    { code: 400, when: 'a cell object that is none' },
    { code: 500, when: 'no message, or one that the lite servers refuse, with their reason' },
  ],
  cache: 'none',
  examples: [
    ...sendCellSimpleExamples,
    {
      title: 'not a cell',
      params: { cell: { data: { b64: 'AAAA', len: 25 }, refs: [] } },
      failure: { code: 400, text: 'Error while parsing cell' },
    },
    {
      title: 'a cell that is no message',
      params: { cell: { data: { b64: '', len: 0 }, refs: [] } },
      failure: { code: 500, text: 'Failed to unpack Message' },
    },
  ],
  handler: async ({ cell }, call: V2Call) => {
    await sendBag(call, cell);
    return resultOk();
  },
});
