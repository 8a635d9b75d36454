import type { Database } from '../db/connection.ts';
import type { TokenKind } from '../db/tables/tables.ts';
import { requestMetadata } from '../index/read/token-metadata.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import type { Log } from '../lib/log.ts';

interface Token {
  readonly account: Buffer;
  readonly kind: TokenKind;
}

/** Tokens that clients requested and that have no metadata yet. */
export interface MetadataQueue {
  /** Requests that their metadata be fetched with priority; returns at once. */
  add(tokens: readonly Token[]): void;
}

/** Requests beyond this are dropped: clients retry. */
const MAX_WAITING = 5000;

/** Writes the requests to the database in the background, one statement at a time, so that responses neither wait for it nor fail with it. */
export function createMetadataQueue({
  database,
  log,
}: {
  readonly database: Pick<Database, 'write'>;
  readonly log: Log;
}): MetadataQueue {
  const waiting = new Map<string, Token>();
  let isWriting = false;

  async function writeAll(): Promise<void> {
    isWriting = true;
    try {
      while (waiting.size > 0) {
        const tokens = [...waiting.values()];
        waiting.clear();
        await database.write((db) => requestMetadata(db, { tokens }));
      }
    } catch (error) {
      log.warn({ err: error }, 'Failed to enqueue metadata fetches');
    } finally {
      isWriting = false;
    }
  }

  return {
    add(tokens) {
      for (const token of tokens) {
        if (waiting.size >= MAX_WAITING) break;
        waiting.set(`${token.kind} ${bytesKey(token.account)}`, token);
      }
      if (!isWriting && waiting.size > 0) void writeAll();
    },
  };
}
