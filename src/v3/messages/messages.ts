import Type from 'typebox';
import { messageOrder, readMessages } from '../../db/queries/messages.ts';
import { type ListedMessage, readWholeMessages } from '../../db/queries/whole-messages.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { booksSchema, loadBooks } from '../books.ts';
import type { V3Call } from '../call.ts';
import type { DecodedBodies } from '../decoded-bodies.ts';
import { notePage, openPage, pageParams } from '../page.ts';
import type { PageLimits } from '../params/limit.ts';
import { sortParam } from '../params/sort.ts';
import { readIndex } from '../read-index.ts';
import { formatHash } from '../value-texts.ts';
import { type MessageJson, messageSchema, toMessage } from './message.ts';
import { messageFilterParams, toMessageFilters } from './message-filters.ts';
import { MESSAGE_EXAMPLES } from './messages-examples.ts';

/** Messages, each once, with the transactions that received and sent them. */
export function createMessages(limits: PageLimits): Operation<V3Call> {
  return defineOperation({
    name: 'messages',
    methods: ['GET'],
    tag: 'blockchain',
    summary: 'Messages',
    description:
      'By logical time of creation, or by time when a time is given, then by hash. Messages from outside stand where they were received; they have no creation, so bounds of it leave them out.',
    parameters: {
      ...messageFilterParams(),
      ...pageParams(limits),
      sort: sortParam({ description: 'Direction of the order.', fallback: 'desc' }),
    },
    result: Type.Object({ messages: Type.Array(messageSchema), ...booksSchema }),
    cache: 'head',
    examples: MESSAGE_EXAMPLES,
    handler: (params, call: V3Call) => {
      const [filters, { sort }] = [toMessageFilters(params), params];
      const keys = messageOrder({ filters, sort });
      const page = openPage(params, keys);
      return readIndex(call, async (db) => {
        const found = await readMessages(db, { filters, sort, page });
        notePage(call, keys, page, found);
        const messages = await readWholeMessages(db, { found });
        const ends = messages.flatMap(({ account, peer }) => [account, peer]);
        return {
          messages: messages.map((message) => toListedMessage(message, call.bodies)),
          ...(await loadBooks(call, db, ends)),
        };
      });
    },
  });
}

function toListedMessage(message: ListedMessage, bodies: DecodedBodies): MessageJson {
  const { received_by, sent_by } = message;
  return {
    ...toMessage(message, bodies),
    ...(received_by && { in_msg_tx_hash: formatHash(received_by) }),
    ...(sent_by && { out_msg_tx_hash: formatHash(sent_by) }),
  };
}
