import type { Database } from '../db/connection.ts';
import { requestMetadata } from '../db/queries/token-metadata.ts';
import type { TokenKind } from '../db/tables.ts';
import type { Log } from '../lib/log.ts';

interface Token {
  readonly account: Buffer;
  readonly kind: TokenKind;
}

/** Tokens that clients wanted to see and that had nothing to show. */
export interface MetadataQueue {
  /** Has them fetched before others, some time after the answer. */
  add(tokens: readonly Token[]): void;
}

/** Wishes beyond this many are forgotten: who wants to see the token asks again. */
const MAX_WAITING = 5000;

/** Passes wishes on to the index, one statement at a time, so that answers neither wait for it nor fail with it. */
export function createMetadataQueue({
  database,
  log,
}: {
  readonly database: Pick<Database, 'write'>;
  readonly log: Log;
}): MetadataQueue {
  const waiting = new Map<string, Token>();
  let busy = false;

  async function passOn(): Promise<void> {
    busy = true;
    try {
      while (waiting.size > 0) {
        const tokens = [...waiting.values()];
        waiting.clear();
        await database.write((db) => requestMetadata(db, tokens));
      }
    } catch (error) {
      log.warn({ err: error }, 'Wishes for metadata were lost');
    } finally {
      busy = false;
    }
  }

  return {
    add(tokens) {
      for (const token of tokens) {
        if (waiting.size >= MAX_WAITING) break;
        waiting.set(`${token.kind} ${token.account.toString('latin1')}`, token);
      }
      if (!busy && waiting.size > 0) void passOn();
    },
  };
}
