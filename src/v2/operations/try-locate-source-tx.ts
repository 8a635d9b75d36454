import { defineOperation } from '../../http/operation.ts';
import { Failure } from '../../lib/failure.ts';
import type { V2Call } from '../call.ts';
import { tryLocateSourceTxExamples } from '../examples/try-locate-source-tx.ts';
import { messageParameters } from '../params/message-place.ts';
import { messageRefusals } from '../params/message-refusals.ts';
import { locateSource } from '../reads/locate-source.ts';
import { ExtTransaction, extTransaction } from '../shapes/transaction.ts';

/** The transaction that sent a message. */
export const tryLocateSourceTx = defineOperation({
  name: 'tryLocateSourceTx',
  methods: ['GET', 'POST'],
  tag: 'transactions',
  summary: 'Transaction that sent a message',
  description: 'Messages to the outside of the chain are not looked at.',
  parameters: messageParameters(),
  result: ExtTransaction,
  errors: [{ code: 404, when: 'There is no such transaction' }],
  cache: 'immutable',
  examples: [...tryLocateSourceTxExamples, ...messageRefusals],
  handler: async ({ source, destination, created_lt: createdLt }, call: V2Call) => {
    const found = await locateSource(call, { source, destination, createdLt });
    if (found === undefined) throw new Failure('not_found', 'transaction was not found');
    call.lasting = true;
    return extTransaction(found);
  },
});
