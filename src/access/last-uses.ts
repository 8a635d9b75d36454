import type { Database } from '../db/connection.ts';
import { touchApiKeys } from '../db/queries/api-keys.ts';
import type { Log } from '../lib/log.ts';

export interface LastUsesOptions {
  readonly database: Database;
  readonly log: Log;
  /** Unix time with fractions, as the database keeps it. */
  readonly unixSeconds?: () => number;
  /** Longest time that a use waits to be written. */
  readonly writeEveryMs?: number;
}

const WRITE_EVERY_MS = 10_000;

/** Collects when keys were last used and writes that in batches, so that no request waits for it. */
export function createLastUses(options: LastUsesOptions) {
  const { database, log, unixSeconds = () => Date.now() / 1000, writeEveryMs = WRITE_EVERY_MS } = options;
  /** Unix seconds of the last use, by key id. */
  let unwritten = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  let failing = false;

  async function write(): Promise<void> {
    timer = undefined;
    const batch = unwritten;
    if (batch.size === 0) return;
    unwritten = new Map();
    const uses = [...batch].map(([id, usedAt]) => ({ id, usedAt }));
    try {
      await database.write((db) => touchApiKeys(db, { uses }));
      if (failing) log.info({}, 'Last use of keys is written again');
      failing = false;
    } catch (error) {
      if (!failing) log.warn({ err: error }, 'Last use of keys cannot be written now');
      failing = true;
      for (const [id, usedAt] of unwritten) batch.set(id, usedAt);
      unwritten = batch;
      writeLater();
    }
  }

  function writeLater(): void {
    timer ??= setTimeout(() => {
      writing = write();
    }, writeEveryMs).unref();
  }

  return {
    /** Notes that the key was used now. */
    note(id: string): void {
      unwritten.set(id, unixSeconds());
      writeLater();
    },
    /** Writes what is left; a last use that cannot be written now is given up. */
    async close(): Promise<void> {
      await writing;
      clearTimeout(timer);
      await write();
      clearTimeout(timer);
    },
  };
}
