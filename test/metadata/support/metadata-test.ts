import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import type { TokenKind } from '../../../src/db/tables/tables.ts';
import { type FoundContract, writeMetadata } from '../../../src/index/write/write-contracts.ts';
import {
  createMetadataFetcher,
  type MetadataFetcherOptions,
} from '../../../src/metadata/metadata-fetcher.ts';
import { METADATA_SETTINGS, type MetadataSettings } from '../../../src/metadata/metadata-settings.ts';
import { createChainMetadataReader } from '../../../src/metadata/token-fields.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { createTestNames, isPublicHere } from './document-server.ts';

type MetadataFetcher = ReturnType<typeof createMetadataFetcher>;

/** A token account derived from a name. */
export const accountOf = (name: string) =>
  Buffer.concat([Buffer.alloc(1), createHash('sha256').update(name).digest()]);

/** A contract as returned by a detector. */
export function foundToken(kind: TokenKind, name: string, content: Record<string, string>): FoundContract {
  const columns = {
    jetton_masters: {
      total_supply: 1,
      mintable: true,
      admin: null,
      wallet_code_hash: Buffer.alloc(32),
      content,
    },
    nft_collections: { next_item_index: 1, owner: null, content },
    nft_items: { init: true, index: 1, collection: null, owner: null, content },
  }[kind];
  const hash = Buffer.alloc(32);
  return { table: kind, account: accountOf(name), lastTransLt: 1n, codeHash: hash, dataHash: hash, columns };
}

/** A row of `token_metadata` with the seconds until the next attempt. */
interface ShownToken {
  readonly valid: boolean | null;
  readonly name: string | null;
  readonly description: string | null;
  readonly image: string | null;
  readonly symbol: string | null;
  readonly extra: Record<string, unknown> | null;
  readonly error: string | null;
  readonly tries: number;
  readonly priority: number;
  /** Negative if it is due; null if there is nothing to fetch. */
  readonly wait: number | null;
  /** Seconds from the last attempt to the next, and until it is too old. */
  readonly pause: number | null;
  readonly fresh: number | null;
}

type FetcherChanges = Omit<Partial<MetadataFetcherOptions>, 'settings'> & {
  readonly settings?: Partial<MetadataSettings>;
};

/** A database with tokens, and fetchers for it. */
export interface MetadataTestContext {
  readonly test: TestDatabase;
  readonly client: pg.Client;
  readonly log: ReturnType<typeof createQuietLog>;
  /** Writes contracts and their on-chain metadata, like the writer. */
  put(found: readonly FoundContract[], settings?: Partial<MetadataSettings>): Promise<void>;
  read(name: string): Promise<ShownToken | undefined>;
  /** Reads until a condition holds. */
  readUntil(name: string, isWanted: (token: ShownToken) => boolean): Promise<ShownToken>;
  /** Makes all waiting tokens due. */
  hurry(): Promise<void>;
  start(changes?: FetcherChanges): MetadataFetcher;
  /** Waits until all tokens were attempted and none is due. */
  settle(): Promise<void>;
  /** Stops the fetchers and empties the tables. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

export async function createMetadataTestContext(): Promise<MetadataTestContext> {
  const test = await createTestDatabase();
  const db = test.database.primary;
  const client = new pg.Client({ connectionString: test.url });
  await client.connect();
  const log = createQuietLog();
  const fetchers: MetadataFetcher[] = [];

  const context: MetadataTestContext = {
    test,
    client,
    log,
    async put(found, settings) {
      await client.query('begin');
      for (const { table, account, lastTransLt, codeHash, dataHash, columns } of found)
        await client.query(
          `insert into ${table} select * from json_populate_record(null::${table}, $1)
           on conflict (account) do update set content = excluded.content`,
          [
            JSON.stringify({
              id: 1,
              account: hex(account),
              last_transaction_lt: String(lastTransLt),
              code_hash: hex(codeHash),
              data_hash: hex(dataHash),
              ...columns,
              ...('wallet_code_hash' in columns
                ? { wallet_code_hash: hex(columns.wallet_code_hash as Buffer) }
                : {}),
            }),
          ],
        );
      await writeMetadata(client, found, createChainMetadataReader({ ...METADATA_SETTINGS, ...settings }));
      await client.query('commit');
    },
    async read(name) {
      const { rows } = await sql<ShownToken>`
        select valid, name, description, image, symbol, extra, error, tries, priority,
          extract(epoch from next_try - now())::float8 as wait,
          floor(extract(epoch from next_try) - updated_at)::integer as pause,
          (expires_at - updated_at)::integer as fresh
        from token_metadata where account = ${accountOf(name)}`.execute(db);
      return rows[0];
    },
    async readUntil(name, isWanted) {
      for (;;) {
        const token = await context.read(name);
        if (token !== undefined && isWanted(token)) return token;
        await sleep(10);
      }
    },
    async hurry() {
      await sql`update token_metadata set next_try = now() where next_try is not null`.execute(db);
    },
    start({ settings, environment, ...changes } = {}) {
      const fetcher = createMetadataFetcher({
        db,
        log,
        pollMs: 10,
        ...changes,
        settings: { ...METADATA_SETTINGS, ...settings },
        environment: {
          names: createTestNames(),
          isPublic: isPublicHere,
          ...environment,
        },
      });
      fetchers.push(fetcher);
      fetcher.start();
      return fetcher;
    },
    async settle() {
      for (;;) {
        const { rows } = await sql`
          select from token_metadata where next_try <= now() or (next_try is not null and updated_at is null)`.execute(
          db,
        );
        if (rows.length === 0 && fetchers.every((fetcher) => fetcher.state().running === 0)) return;
        await sleep(10);
      }
    },
    async clear() {
      await Promise.all(fetchers.splice(0).map((fetcher) => fetcher.close()));
      log.lines.splice(0);
      await sql`truncate token_metadata, jetton_masters, nft_collections, nft_items`.execute(db);
    },
    async close() {
      await Promise.all(fetchers.map((fetcher) => fetcher.close()));
      await client.end();
      await test.drop();
    },
  };
  return context;
}

function hex(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}
