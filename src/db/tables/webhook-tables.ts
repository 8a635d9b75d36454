import type { ColumnType, Generated } from 'kysely';
import type { DefaultTime, OptionalTime } from './column-types.ts';

/** The tables of webhooks. */
export interface WebhookTables {
  readonly webhooks: WebhooksTable;
  readonly webhook_addresses: WebhookAddressesTable;
  readonly webhook_events: WebhookEventsTable;
  readonly webhook_queues: WebhookQueuesTable;
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
  /** Behind the last event that was queued. */
  readonly cursor: string;
  /** Counts changes of what is wanted. */
  readonly revision: Generated<number>;
  readonly paused_at: OptionalTime;
  readonly created_at: DefaultTime;
  /** The process that queues its events, and until when. */
  readonly feeder: ColumnType<string | null, never, string | null>;
  readonly feeder_until: OptionalTime;
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
