import { defineOperation, type Operation } from '../../http/operation.ts';
import { seqnoParam } from '../blocks/seqno-param.ts';
import type { V3Call } from '../call.ts';
import { pageParams } from '../page.ts';
import type { PageLimits } from '../params/limit.ts';
import { sortParam } from '../params/sort.ts';
import { EXAMPLE_TRANSACTIONS } from './example-transactions.ts';
import { transactionsSchema } from './load-transactions.ts';
import { listTransactions } from './transactions.ts';

/** The transactions that a masterchain block committed. */
export function createTransactionsByMasterchainBlock(limits: PageLimits): Operation<V3Call> {
  return defineOperation({
    name: 'transactionsByMasterchainBlock',
    methods: ['GET'],
    tag: 'blockchain',
    summary: 'Transactions of a masterchain block',
    description:
      'Those of the masterchain block and of the shard blocks that are new since the one before it, by logical time, then by account.',
    parameters: {
      seqno: seqnoParam(),
      ...pageParams(limits),
      sort: sortParam({ description: 'Direction of the order.', fallback: 'desc' }),
    },
    result: transactionsSchema,
    errors: [{ code: 404, when: 'the masterchain block is not indexed' }],
    cache: 'head',
    examples: [
      { title: 'A block', params: { seqno: 2, limit: 1 }, varies: true, result: EXAMPLE_TRANSACTIONS },
      {
        title: 'No block',
        params: { seqno: -1 },
        failure: { code: 404, text: 'masterchain block -1 not found' },
      },
      { title: 'Nothing given', params: {}, failure: { code: 422, text: 'seqno is required' } },
    ],
    handler: (params, call: V3Call) => {
      const filters = { mcSeqno: params.seqno, accounts: [], excluded: [], hashes: [], span: {} };
      return listTransactions(call, filters, params);
    },
  });
}
