import type { Database } from '../../../src/db/connection.ts';
import { createSecret } from '../../../src/webhooks/request.ts';
import { feedOf, type NewWebhookEvent, queueEvents } from '../../../src/webhooks/stored-feeds.ts';
import { findHolder } from '../../../src/webhooks/stored-holders.ts';
import { findWebhook, insertWebhook, type Webhook } from '../../../src/webhooks/stored-webhooks.ts';

type Connected = Pick<Database, 'write'>;

interface HookOptions {
  readonly url: string;
  /** Left out: the operator. */
  readonly keyId?: string;
  readonly addresses?: readonly Buffer[];
  readonly types?: readonly string[];
}

/** Stores a webhook that no limit concerns. */
export async function storeWebhook(
  { write }: Connected,
  { url, keyId, addresses = [], types = ['transactions'] }: HookOptions,
): Promise<Webhook> {
  const holder = keyId === undefined ? undefined : await write((db) => findHolder(db, { keyId }));
  const none = Number.POSITIVE_INFINITY;
  const id = await write((db) =>
    insertWebhook(db, {
      webhook: {
        keyId: keyId ?? null,
        url,
        secret: createSecret(),
        types,
        actionTypes: [],
        includeAddressBook: false,
        includeMetadata: false,
        minFinality: 'finalized',
        startCursor: '0',
      },
      addresses,
      maxOfKey: none,
      holder,
      limits: { perWebhook: none, inAll: none },
    }),
  );
  return (await write((db) => findWebhook(db, { id: id! })))!;
}

/** Queues events of a webhook without moving the cursor of its feed. */
export async function storeEvents(
  { write }: Connected,
  webhookId: string,
  events: readonly Omit<NewWebhookEvent, 'webhookId'>[],
): Promise<void> {
  const feed = feedOf(webhookId);
  const { cursor } = await write((db) =>
    db.selectFrom('webhook_feeds').select('cursor').where('number', '=', feed).executeTakeFirstOrThrow(),
  );
  const [from, fed] = [cursor!, { feeds: [feed] }];
  const count = await write((db) =>
    queueEvents(db, { fed, from, to: from, events: events.map((event) => ({ ...event, webhookId })) }),
  );
  if (count !== events.length) throw new Error(`${count} of ${events.length} events were queued`);
}
