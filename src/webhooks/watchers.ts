import type { Database } from '../db/connection.ts';
import { bytesKey, distinctBytes, type HashKey } from '../lib/bytes-key.ts';
import type { Payer } from '../lib/payer.ts';
import { type Cursor, isAfter, parseCursor } from '../streaming/cursor.ts';
import type { StreamEvent } from '../streaming/events.ts';
import type { Interest } from '../streaming/load-events.ts';
import {
  type EventType,
  emptySubscription,
  reaches,
  type Subscription,
  supportedBy,
} from '../streaming/subscription.ts';
import { type Fed, findRoutes } from './stored-feeds.ts';
import { findHolders } from './stored-holders.ts';
import { findWebhooks, type Webhook } from './stored-webhooks.ts';

/** A webhook that watches an account. */
export interface Watcher {
  readonly webhookId: string;
  /** What it wants to see, of no account. */
  readonly subscription: Subscription;
  /** Events up to here are not its own; undefined for one that has all. */
  readonly start: Cursor | undefined;
  /** Who its events are counted for; undefined for the operator. */
  readonly holder: Payer | undefined;
}

/** The webhooks that watch the accounts of some seqnos. */
export type Watchers = ReturnType<typeof createWatchers>;

/**
 * Creates the webhooks of some events. They are looked up in the database for the accounts of those, so that a webhook of
 * which nothing happens costs nothing, and a change of its addresses holds for what is read next.
 */
export function createWatchers(
  database: Pick<Database, 'write'>,
  fed: Fed,
  types: readonly string[],
  isWanted: (subscription: Subscription) => boolean = () => true,
) {
  const byId = new Map<string, Watcher>();
  /** Also accounts that nobody watches. */
  const byAccount = new Map<HashKey, Watcher[]>();
  let [withBook, withMetadata] = [false, false];

  async function lookUp(accounts: readonly Buffer[]): Promise<void> {
    const unknown = distinctBytes(accounts).filter((account) => !byAccount.has(bytesKey(account)));
    if (unknown.length === 0) return;
    for (const account of unknown) byAccount.set(bytesKey(account), []);
    const routes = await database.write((db) => findRoutes(db, { fed, accounts: unknown }));
    const newIds = new Set(routes.map(({ webhookId }) => webhookId).filter((id) => !byId.has(id)));
    if (newIds.size > 0) {
      const ids = [...newIds];
      const webhooks = await database.write((db) => findWebhooks(db, { ids }));
      const holders = await database.write((db) => findHolders(db, { ids }));
      for (const webhook of webhooks) add(webhook, holders.get(webhook.id));
    }
    for (const { account, webhookId } of routes) {
      const watcher = byId.get(webhookId);
      if (watcher !== undefined && isWanted(watcher.subscription))
        byAccount.get(bytesKey(account))!.push(watcher);
    }
  }

  function add(webhook: Webhook, holder: Payer | undefined): void {
    withBook ||= webhook.includeAddressBook;
    withMetadata ||= webhook.includeMetadata;
    byId.set(webhook.id, {
      webhookId: webhook.id,
      subscription: subscriptionOf(webhook),
      start: parseCursor(webhook.startCursor)?.cursor,
      holder,
    });
  }

  const interest: Interest = {
    lookUp,
    wantsAccount: (key) => (byAccount.get(key)?.length ?? 0) > 0,
    wantsTrace: () => false,
    awaitsTrace: () => false,
    hasTraces: false,
    types: new Set(types as EventType[]),
    get includeAddressBook() {
      return withBook;
    },
    get includeMetadata() {
      return withMetadata;
    },
  };

  return {
    interest,
    /** The webhooks that are told of an event because of one of its accounts. */
    of({ type, finality, at }: StreamEvent, key: HashKey): Watcher[] {
      const watchers = byAccount.get(key) ?? [];
      return watchers.filter(
        ({ subscription, start }) =>
          subscription.types.has(type) &&
          reaches(finality, subscription.minFinality) &&
          (start === undefined || at === undefined || isAfter(at.place, start[at.lane])),
      );
    },
  };
}

/** The subscription of a webhook: also traces that no external message started. */
function subscriptionOf(webhook: Webhook): Subscription {
  return {
    ...emptySubscription(undefined),
    types: new Set(webhook.types as EventType[]),
    minFinality: webhook.minFinality,
    actionTypes: new Set(webhook.actionTypes),
    // It asks for types that no version contains by naming them.
    ...(webhook.actionTypes.length > 0 && supportedBy(['latest', ...webhook.actionTypes])),
    includeAddressBook: webhook.includeAddressBook,
    includeMetadata: webhook.includeMetadata,
    includeSystemTraces: true,
    extended: true,
    cursors: true,
  };
}
