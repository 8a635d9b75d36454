import Type from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import { listBlockTransactionsExt } from '../../lite/queries/list-block-transactions-ext.ts';
import type { V2Call } from '../call.ts';
import { getBlockTransactionsExtExamples } from '../examples/get-block-transactions-ext.ts';
import { blockTransactionsParameters, wantedTransactions } from '../params/block-transactions.ts';
import { blockTransactionsRefusals } from '../params/block-transactions-refusals.ts';
import { readTransactionsOf } from '../reads/block-transactions.ts';
import { TransactionWriter } from '../reads/transaction-writer.ts';
import { BlockIdExt, blockIdExt } from '../shapes/block-id.ts';
import { RawTransactionExt, rawTransactionExt } from '../shapes/transaction.ts';

/** The transactions of a block. */
export const getBlockTransactionsExt = defineOperation({
  name: 'getBlockTransactionsExt',
  methods: ['GET', 'POST'],
  tag: 'transactions',
  summary: 'Transactions of a block',
  description:
    'By account and logical time. When `incomplete` is true, go on with account and time of the last one as ' +
    '`after_hash` and `after_lt`.',
  parameters: blockTransactionsParameters(),
  result: Type.Object({
    '@type': Type.Literal('blocks.transactionsExt'),
    id: BlockIdExt,
    req_count: Type.Integer(),
    incomplete: Type.Boolean(),
    transactions: Type.Array(RawTransactionExt),
  }),
  cache: 'immutable',
  examples: [...getBlockTransactionsExtExamples, ...blockTransactionsRefusals],
  handler: async (params, call: V2Call) => {
    const { workchain, count } = params;
    const writer = new TransactionWriter({ workchain, write: rawTransactionExt, limit: 'count' });
    const wanted = wantedTransactions(params);
    const { block, incomplete } = await readTransactionsOf(call, listBlockTransactionsExt, wanted, (found) =>
      writer.add(found),
    );
    return {
      '@type': 'blocks.transactionsExt' as const,
      id: blockIdExt(block),
      req_count: count,
      incomplete,
      transactions: writer.written,
    };
  },
});
