import Type, { type Static } from 'typebox';
import { formatAccount } from '../v3/values.ts';
import type { DeadEvent } from './stored-events.ts';
import type { WebhookState } from './webhooks.ts';

const unixTime = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description: `${description}, unix seconds.` });

/** A webhook in a response. */
export const WebhookSchema = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    types: Type.Array(Type.String()),
    action_types: Type.Array(Type.String(), { description: 'Empty for all.' }),
    include_address_book: Type.Boolean(),
    include_metadata: Type.Boolean(),
    addresses: Type.Integer({ description: 'How many addresses it watches.' }),
    state: Type.String({ enum: ['active', 'paused'] }),
    created_at: Type.Integer({ description: 'Unix seconds.' }),
    delivered: Type.Integer({ description: 'Events that arrived.' }),
    failed_attempts: Type.Integer(),
    waiting: Type.Integer({ description: 'Events that wait to be sent.' }),
    oldest_waiting_at: unixTime('When the oldest of them was queued'),
    dead: Type.Integer({ description: 'Events that were given up.' }),
    last_success_at: unixTime('When an event arrived last'),
    last_failure_at: unixTime('When an attempt failed last'),
    last_failure: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed.' }),
  },
  { title: 'Webhook' },
);

/** An event that was given up, in a response. */
export const DeadEventSchema = Type.Object(
  {
    number: Type.String({ description: 'Order of events; the parameter `after` takes it.' }),
    event_id: Type.String(),
    address: Type.Union([Type.String(), Type.Null()]),
    tries: Type.Integer(),
    error: Type.Union([Type.String(), Type.Null()]),
    created_at: Type.Integer({ description: 'Unix seconds.' }),
    dead_at: Type.Integer({ description: 'Unix seconds.' }),
    body: Type.Unknown({ description: 'What is sent.' }),
  },
  { title: 'DeadEvent' },
);

export function webhookJson({
  webhook,
  addresses,
  waiting,
  dead,
  oldestAt,
}: WebhookState): Static<typeof WebhookSchema> {
  return {
    id: webhook.id,
    url: webhook.url,
    types: [...webhook.types],
    action_types: [...webhook.actionTypes],
    include_address_book: webhook.includeAddressBook,
    include_metadata: webhook.includeMetadata,
    addresses,
    state: webhook.pausedAt === null ? 'active' : 'paused',
    created_at: webhook.createdAt,
    delivered: webhook.delivered,
    failed_attempts: webhook.failed,
    waiting,
    oldest_waiting_at: oldestAt,
    dead,
    last_success_at: webhook.lastSuccessAt,
    last_failure_at: webhook.lastFailureAt,
    last_failure: webhook.lastFailure,
  };
}

export function deadEventJson(event: DeadEvent): Static<typeof DeadEventSchema> {
  const { number, eventId, account, body, tries, error, createdAt, deadAt } = event;
  return {
    number,
    event_id: eventId,
    address: account.length === 0 ? null : formatAccount(account),
    tries,
    error,
    created_at: createdAt,
    dead_at: deadAt,
    body: JSON.parse(body) as unknown,
  };
}
