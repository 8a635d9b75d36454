import { defineOperation } from '../../http/operation.ts';
import { Failure } from '../../lib/failure.ts';
import type { V2Call } from '../call.ts';
import { tryLocateTxExamples } from '../examples/try-locate-tx.ts';
import { messageParameters } from '../params/message-place.ts';
import { messageRefusals } from '../params/message-refusals.ts';
import { locateResult } from '../reads/locate-result.ts';
import { ExtTransaction, extTransaction } from '../shapes/transaction.ts';

/** The transaction that a message led to. */
export const tryLocateTx = defineOperation({
  name: 'tryLocateTx',
  aliases: ['tryLocateResultTx'],
  methods: ['GET', 'POST'],
  tag: 'transactions',
  summary: 'Transaction that received a message',
  description:
    'Finds it among the last transactions of the receiver and in fifty blocks after the message was created, also if ' +
    'shards were split or merged.',
  parameters: messageParameters(),
  result: ExtTransaction,
  errors: [{ code: 404, when: 'There is no such transaction, or not yet' }],
  cache: 'immutable',
  examples: [...tryLocateTxExamples, ...messageRefusals],
  handler: async ({ source, destination, created_lt: createdLt }, call: V2Call) => {
    const found = await locateResult(call, { source, destination, createdLt });
    if (found === undefined) throw new Failure('not_found', 'transaction was not found');
    call.lasting = true;
    return extTransaction(found);
  },
});
