import type { ColumnType, Generated } from 'kysely';
import type { DefaultTime, OptionalTime } from './column-types.ts';

/** The tables of webhooks. */
export interface WebhookTables {
  readonly webhooks: WebhooksTable;
  readonly webhook_addresses: WebhookAddressesTable;
  readonly webhook_events: WebhookEventsTable;
  readonly webhook_queues: WebhookQueuesTable;
  readonly webhook_feeds: WebhookFeedsTable;
  readonly webhook_feeders: WebhookFeedersTable;
  readonly deleted_webhooks: DeletedWebhooksTable;
}

export interface WebhooksTable {
  readonly id: Generated<string>;
  /** The API key of its owner; null if the operator created it. */
  readonly key_id: string | null;
  readonly url: string;
  readonly secret: Buffer;
  readonly types: string[];
  /** Empty for all. */
  readonly action_types: string[];
  readonly include_address_book: boolean;
  readonly include_metadata: boolean;
  /** The least finality of its events. */
  readonly min_finality: Generated<string>;
  /** Events up to here are not its own. */
  readonly start_cursor: string;
  /** How many it watches. */
  readonly addresses: Generated<number>;
  /** Events that have not arrived yet and were not given up. */
  readonly waiting: Generated<number>;
  /** No address with events is due before; null if nothing waits. */
  readonly next_try: OptionalTime;
  /** Behind its last event that was queued, while it is fed by itself; null for the cursor of its feed. */
  readonly own_cursor: ColumnType<string | null, string | null | undefined, string | null>;
  readonly paused_at: OptionalTime;
  readonly created_at: DefaultTime;
  /** `bigint`, which pg returns as a decimal string. */
  readonly delivered: Generated<string>;
  readonly failed: Generated<string>;
  readonly last_success_at: OptionalTime;
  readonly last_failure_at: OptionalTime;
  readonly last_failure: ColumnType<string | null, never, string | null>;
}

interface WebhookAddressesTable {
  readonly webhook_id: string;
  readonly account: Buffer;
}

/** An event that has not arrived yet. */
export interface WebhookEventsTable {
  readonly number: Generated<string>;
  readonly webhook_id: string;
  readonly account: Buffer;
  /** The same for the same event, however often it is sent. */
  readonly event_id: string;
  readonly body: string;
  readonly created_at: DefaultTime;
  readonly tries: Generated<number>;
  /** When it was given up. */
  readonly dead_at: OptionalTime;
  readonly error: string | null;
}

/** An address with events that have not arrived yet. */
interface WebhookQueuesTable {
  readonly webhook_id: string;
  readonly account: Buffer;
  /** When its first event is sent next; in the future also while somebody sends it. */
  readonly next_try: DefaultTime;
}

/** Webhooks whose events are queued together, with one cursor. */
interface WebhookFeedsTable {
  readonly number: number;
  /** Behind the seqnos whose events were queued; null before there is a webhook. */
  readonly cursor: string | null;
  /** Of events that its webhooks want. */
  readonly types: string[];
  /** The process that queues its events, and until when. */
  readonly feeder: string | null;
  readonly feeder_until: Date | null;
}

/** A process that feeds webhooks. */
interface WebhookFeedersTable {
  readonly id: string;
  readonly until: Date;
}

/** A webhook that is gone, and whose addresses and events may be left. */
interface DeletedWebhooksTable {
  readonly webhook_id: string;
}
