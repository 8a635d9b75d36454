import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, type PostgresPoolClient, sql } from 'kysely';
import pg from 'pg';
import type { Tables } from '../../../src/db/tables/tables.ts';
import { accountPrefix, pageNumber, positionOf } from '../../../src/index/format/position.ts';
import { ensurePartitions } from '../../../src/index/partitions.ts';
import type { TokenEvent } from '../../../src/index/write/token-events.ts';
import { createTestDatabase } from '../../support/database.ts';
import { rowsOf } from './index-tables.ts';

const WIDTH = 10;
const LAST = 49;
const EVENT_TABLES = ['jetton_transfers', 'jetton_burns', 'nft_transfers', 'waiting_events'];
const TABLES = [...EVENT_TABLES, 'jetton_wallets', 'nft_items', 'missing_cells', 'index_origin'];

/** A database with partitions for seqnos 0 to 49, ten each. */
export interface EventTestContext {
  readonly db: Kysely<Tables>;
  /** Empties the tables that events need. */
  begin(): Promise<void>;
  /** Begins a transaction on a new connection. */
  open(): Promise<OpenTransaction>;
  /** Waits until `count` transactions wait for a lock. */
  untilBlocked(count: number): Promise<void>;
  close(): Promise<void>;
}

interface OpenTransaction {
  readonly client: pg.Client;
  /** The same connection. */
  readonly db: Kysely<Tables>;
  commit(): Promise<void>;
}

export async function openEventTestContext(): Promise<EventTestContext> {
  const { url, database, drop } = await createTestDatabase();
  const db = database.primary;
  return {
    db,
    async begin() {
      await sql.raw(`truncate ${TABLES.join(', ')}`).execute(db);
      const origin = { zero_state: Buffer.alloc(32), first_seqno: 1, partition_seqnos: WIDTH };
      await db.insertInto('index_origin').values(origin).execute();
      await ensurePartitions(db, { from: 0, to: LAST, width: WIDTH });
    },
    async open() {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query('begin');
      const commit = async () => {
        await client.query('commit');
        await client.end();
      };
      return { client, db: kyselyOf(client), commit };
    },
    async untilBlocked(count) {
      const blocked = `select from pg_locks join pg_database on pg_database.oid = database
        where locktype = 'advisory' and not granted and datname = current_database()`;
      while ((await rowsOf(db, blocked)).length < count) await sleep(5);
    },
    close: drop,
  };
}

/** Kysely on a connection that its user closes. */
function kyselyOf(client: pg.Client): Kysely<Tables> {
  const connection = { query: client.query.bind(client), release: () => {} } as unknown as PostgresPoolClient;
  const pool = { connect: async () => connection, end: async () => {}, options: {} };
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
}

const hash = (name: string): Buffer => createHash('sha256').update(name).digest();
/** The code of all contracts. */
export const CODE_HASH = hash('code');
/** An account derived from a name. */
export const accountOf = (name: string): Buffer => Buffer.concat([Buffer.of(0), hash(name)]);

/** The request that an account received in a seqno. */
export function eventOf(
  kind: TokenEvent['kind'],
  name: string,
  mcSeqno: number,
  more: Partial<TokenEvent> = {},
): TokenEvent {
  return {
    kind,
    account: accountOf(name),
    lt: BigInt(mcSeqno) * 100n,
    now: 1_700_000_000 + mcSeqno,
    at: positionOf(pageNumber(mcSeqno, 1), 3),
    mcSeqno,
    aborted: false,
    src8: accountPrefix(accountOf('owner')),
    dst8: kind === 'jetton_burn' ? undefined : accountPrefix(accountOf('receiver')),
    ...more,
  };
}

const ofState = (name: string) => ({
  account: accountOf(name),
  last_transaction_lt: 1,
  code_hash: CODE_HASH,
  data_hash: hash('data'),
});

/** Inserts a jetton wallet. */
export async function putWallet(db: Kysely<Tables>, name: string): Promise<void> {
  const wallet = { balance: 1, owner: accountOf('owner'), jetton: accountOf('jetton') };
  await db
    .insertInto('jetton_wallets')
    .values({ ...ofState(name), ...wallet, mintless_is_claimed: null })
    .execute();
}

/** Inserts an NFT item. */
export async function putItem(db: Kysely<Tables>, name: string, collection = true): Promise<void> {
  const place = { index: String(2n ** 255n), collection: collection ? accountOf('collection') : null };
  await db
    .insertInto('nft_items')
    .values({ ...ofState(name), ...place, init: true, owner: null, content: {} })
    .execute();
}

/** Marks accounts as waiting for detection. */
export async function putMissing(db: Kysely<Tables>, ...names: string[]): Promise<void> {
  const rows = names.map((name) => ({ account: accountOf(name), last_trans_lt: 1, undetected: true }));
  await db.insertInto('missing_cells').values(rows).execute();
}

/** Marks an account as detected. */
export async function dropMissing(db: Kysely<Tables>, name: string): Promise<void> {
  await db.deleteFrom('missing_cells').where('account', '=', accountOf(name)).execute();
}

/** Row counts of the event tables. */
export async function countRows(db: Kysely<Tables>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of EVENT_TABLES) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from ${sql.table(table)}`.execute(db);
    if (rows[0]!.count > 0) counts[table] = rows[0]!.count;
  }
  return counts;
}
