import type { Database } from '../db/connection.ts';
import { readRecentStates } from '../index/read/stream.ts';
import { bytesOf } from '../lib/bytes-key.ts';
import type { StreamEvent } from './events.ts';
import type { EventLoader } from './load-events.ts';
import { interestOf } from './subscribers.ts';
import type { Subscription } from './subscription.ts';

/** What happened lately, for clients that want to begin with it. */
export interface Snapshots {
  /** The newest states of the addresses of a subscription that changed in the last minute. */
  recentStates(subscription: Subscription): Promise<StreamEvent[]>;
}

const RECENT_SECONDS = 60;

export function createSnapshots({
  database,
  loader,
}: {
  readonly database: Pick<Database, 'read'>;
  readonly loader: EventLoader;
}): Snapshots {
  return {
    async recentStates(subscription) {
      const accounts = [...subscription.addresses].map(bytesOf);
      if (accounts.length === 0) return [];
      return database.read(async (db) => {
        const seqnos = await readRecentStates(db, { accounts, seconds: RECENT_SECONDS });
        const types = new Set(
          (['account_state_change', 'jettons_change'] as const).filter((type) =>
            subscription.types.has(type),
          ),
        );
        const interest = { ...interestOf(subscription), types, hasTraces: false };
        const events = await loader.loadBlocks(db, seqnos, interest);
        const newest = new Map(events.map((event) => [event.subject, event]));
        // Their places are behind the connection, which has not been told of them.
        return [...newest.values()].map((event) => ({ ...event, at: undefined }));
      });
    },
  };
}
