import { readAdjacentTransactions } from '../../db/queries/adjacent-transactions.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { Failure } from '../../lib/failure.ts';
import type { V3Call } from '../call.ts';
import { choiceParam } from '../params/choice.ts';
import { hashParam } from '../params/hash.ts';
import { readIndex } from '../read-index.ts';
import { EXAMPLE_TRANSACTIONS } from './example-transactions.ts';
import { loadTransactions, transactionsSchema } from './load-transactions.ts';

const NOT_FOUND = 'adjacent transactions not found';

/** Transactions that share a message with another. */
export function createAdjacentTransactions(): Operation<V3Call> {
  return defineOperation({
    name: 'adjacentTransactions',
    methods: ['GET'],
    tag: 'blockchain',
    summary: 'Transactions before and after another',
    description:
      'The transaction that sent what this one received, and those that received what it sent, by logical time.',
    parameters: {
      hash: hashParam({ description: 'Hash of the transaction.' }),
      direction: choiceParam(['in', 'out'], { description: 'Only the sender, or only the receivers.' }),
    },
    result: transactionsSchema,
    errors: [{ code: 404, when: 'there are none' }],
    cache: 'head',
    examples: [
      {
        title: 'The sender',
        params: { hash: EXAMPLE_TRANSACTIONS.transactions[0]!.hash, direction: 'in' },
        varies: true,
        result: EXAMPLE_TRANSACTIONS,
      },
      { title: 'Nothing given', params: {}, failure: { code: 404, text: NOT_FOUND } },
      {
        title: 'No direction',
        params: { direction: 'both' },
        failure: { code: 422, text: 'direction should be one of: in, out' },
      },
    ],
    handler: ({ hash, direction }, call: V3Call) =>
      readIndex(call, async (db) => {
        const found = hash === undefined ? [] : await readAdjacentTransactions(db, { hash, direction });
        if (found.length === 0) throw new Failure('not_found', NOT_FOUND);
        return loadTransactions(call, db, found);
      }),
  });
}
