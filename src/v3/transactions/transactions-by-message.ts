import { byMessageOrder, readTransactionsByMessage } from '../../db/queries/transactions-by-message.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { Failure } from '../../lib/failure.ts';
import { toAccountBytes } from '../account-bytes.ts';
import type { V3Call } from '../call.ts';
import { notePage, openPage, pageParams } from '../page.ts';
import { type AddressOrNull, addressOrNullParam } from '../params/address-or-null.ts';
import { booleanParam } from '../params/boolean.ts';
import { choiceParam } from '../params/choice.ts';
import { hashKind, hashParam } from '../params/hash.ts';
import type { PageLimits } from '../params/limit.ts';
import { listParam } from '../params/list.ts';
import { opcodeParam } from '../params/opcode.ts';
import { sortParam } from '../params/sort.ts';
import { readIndex } from '../read-index.ts';
import { EXAMPLE_TRANSACTIONS } from './example-transactions.ts';
import { loadTransactions, transactionsSchema } from './load-transactions.ts';

const MAX_HASHES = 1000;
const EMPTY_BODY = 'lqKW0iTyhcZ77pPDD4owkVfw2qNdxbh+QQt4YwoJz8c=';
const NOTHING_GIVEN = 'at least one of msg_hash, body_hash, opcode should be specified';

/** Transactions that received or sent messages. */
export function createTransactionsByMessage(limits: PageLimits): Operation<V3Call> {
  return defineOperation({
    name: 'transactionsByMessage',
    methods: ['GET'],
    tag: 'blockchain',
    summary: 'Transactions by message',
    description:
      'Each transaction once, by logical time, then by account; without `msg_hash` the logical time is that of the message.',
    parameters: {
      msg_hash: listParam(hashKind, { description: 'Hashes, normalized or not.', max: MAX_HASHES }),
      body_hash: hashParam({ description: 'Hash of the body.' }),
      opcode: opcodeParam({ description: 'First 32 bits of the body of a message that was received.' }),
      direction: choiceParam(['in', 'out'], { description: 'The transaction received it, or sent it.' }),
      source: addressOrNullParam({ description: 'Who sent it; `null` for messages from outside.' }),
      destination: addressOrNullParam({ description: 'Who is to get it; `null` for messages to outside.' }),
      exclude_externals: booleanParam({ description: 'Has no effect.' }),
      only_externals: booleanParam({ description: 'Has no effect.' }),
      ...pageParams(limits),
      sort: sortParam({ description: 'Direction of the order.', fallback: 'desc' }),
    },
    result: transactionsSchema,
    cache: 'head',
    examples: [
      {
        title: 'By an empty body',
        params: { body_hash: EMPTY_BODY, direction: 'in', limit: 1 },
        varies: true,
        result: EXAMPLE_TRANSACTIONS,
      },
      { title: 'Nothing given', params: {}, failure: { code: 422, text: NOTHING_GIVEN } },
    ],
    handler: (params, call: V3Call) => {
      const { msg_hash: hashes, body_hash: bodyHash, opcode, direction, sort } = params;
      if (hashes.length === 0 && bodyHash === undefined && opcode === undefined)
        throw new Failure('invalid', NOTHING_GIVEN);
      const [source, destination] = [toAccount(params.source), toAccount(params.destination)];
      const filters = { hashes, bodyHash, opcode, direction, source, destination };
      const keys = byMessageOrder(filters, sort);
      const page = openPage(params, keys);
      return readIndex(call, async (db) => {
        const found = await readTransactionsByMessage(db, { filters, sort, page });
        notePage(call, keys, page, found);
        return loadTransactions(call, db, found);
      });
    },
  });
}

function toAccount(address: AddressOrNull | undefined): Buffer | null | undefined {
  if (address === 'null') return null;
  return address && toAccountBytes(address);
}
