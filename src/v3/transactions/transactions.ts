import { hasMasterchainBlock } from '../../db/queries/masterchain-blocks.ts';
import { transactionOrder } from '../../db/queries/transaction-order.ts';
import { readTransactions, type TransactionFilters } from '../../db/queries/transactions.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { Failure } from '../../lib/failure.ts';
import type { V3Call } from '../call.ts';
import { type AskedPage, notePage, openPage, pageParams } from '../page.ts';
import type { PageLimits } from '../params/limit.ts';
import { type SortOrder, sortParam } from '../params/sort.ts';
import { readIndex } from '../read-index.ts';
import { EXAMPLE_TRANSACTIONS } from './example-transactions.ts';
import { loadTransactions, transactionsSchema } from './load-transactions.ts';
import { toTransactionFilters, transactionFilterParams } from './transaction-filters.ts';

/** Transactions by their blocks, accounts, hashes and times. */
export function createTransactions(limits: PageLimits): Operation<V3Call> {
  return defineOperation({
    name: 'transactions',
    methods: ['GET'],
    tag: 'blockchain',
    summary: 'Transactions',
    description:
      'By logical time, then by account. By time first when a time is given; by hash when hashes are; by account when a logical time is.',
    parameters: {
      ...transactionFilterParams(),
      ...pageParams(limits),
      sort: sortParam({ description: 'Direction of the order.', fallback: 'desc' }),
    },
    result: transactionsSchema,
    errors: [{ code: 404, when: 'the masterchain block is not indexed' }],
    cache: 'head',
    examples: [
      { title: 'The newest one', params: { limit: 1 }, varies: true, result: EXAMPLE_TRANSACTIONS },
      {
        title: 'A masterchain block that is not there',
        params: { mc_seqno: -1 },
        failure: { code: 404, text: 'masterchain block -1 not found' },
      },
      {
        title: 'No address',
        params: { account: ['nobody'] },
        failure: {
          code: 422,
          text: 'failed to decode: schema: error converting value for index 0 of "account"',
        },
      },
    ],
    handler: (params, call: V3Call) => listTransactions(call, toTransactionFilters(params), params),
  });
}

/** Answers with one page of the transactions wanted. */
export function listTransactions(
  call: V3Call,
  filters: TransactionFilters,
  asked: AskedPage & { readonly sort: SortOrder },
) {
  const keys = transactionOrder(filters, asked.sort);
  const page = openPage(asked, keys);
  const { mcSeqno: seqno } = filters;
  return readIndex(call, async (db) => {
    if (seqno !== undefined && !(await hasMasterchainBlock(db, { seqno })))
      throw new Failure('not_found', `masterchain block ${seqno} not found`);
    const found = await readTransactions(db, { filters, keys, page });
    notePage(call, keys, page, found);
    return loadTransactions(call, db, found);
  });
}
