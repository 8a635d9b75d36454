import { readFile } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../../src/db/tables/tables.ts';
import type { Claim } from '../../../src/index/chunks.ts';
import type { Log } from '../../../src/lib/log.ts';
import { createConnection } from '../../../src/lite/connection.ts';
import { parseGlobalConfig } from '../../../src/lite/global-config.ts';
import { createHeadProver } from '../../../src/lite/head-proof.ts';
import { createPool, type LitePool } from '../../../src/lite/pool.ts';

/** All rows of a statement, with hashes in hex. */
export async function rowsOf(db: Kysely<Tables>, text: string): Promise<Record<string, unknown>[]> {
  const { rows } = await sql.raw<Record<string, unknown>>(text).execute(db);
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        Buffer.isBuffer(value) ? value.toString('hex') : value,
      ]),
    ),
  );
}

const EVERY_TABLE = [
  'blocks',
  'shard_states',
  'tx_pages',
  'transactions',
  'messages',
  'hash_places',
  'traces',
  'trace_accounts',
  'open_traces',
  'open_members',
  'pending_messages',
  'orphan_messages',
  'account_states',
  'latest_account_states',
  'contract_codes',
  'account_data',
  'missing_cells',
  'unclassified_traces',
  'index_origin',
  'index_chunks',
];

/** Empties the index and sets its origin. */
export async function beginIndex(
  db: Kysely<Tables>,
  firstSeqno: number,
  partitionSeqnos: number,
): Promise<void> {
  await sql.raw(`truncate ${EVERY_TABLE.join(', ')}`).execute(db);
  await db
    .insertInto('index_origin')
    .values({ zero_state: Buffer.alloc(32), first_seqno: firstSeqno, partition_seqnos: partitionSeqnos })
    .execute();
}

/** Inserts a chunk with an owner, without checking for others. */
export async function putChunk<Last extends number | undefined>(
  db: Kysely<Tables>,
  firstSeqno: number,
  lastSeqno: Last,
  owner = 'test',
): Promise<Claim & { readonly lastSeqno: Last }> {
  const row = { first_seqno: firstSeqno, last_seqno: lastSeqno ?? null, done_seqno: firstSeqno - 1, owner };
  await db.insertInto('index_chunks').values(row).execute();
  return { firstSeqno, lastSeqno, doneSeqno: firstSeqno - 1, owner };
}

/** Connects to the lite servers of a global config; heads are proven from the first block. */
export async function openChainPool(configPath: string, log: Log): Promise<LitePool> {
  const config = parseGlobalConfig(await readFile(configPath, 'utf8'));
  const memory = { load: async () => undefined, save: async () => undefined };
  const prover = await createHeadProver({ anchor: config.initBlock, store: memory, log });
  return createPool({
    config,
    connect: createConnection,
    log,
    proveHead: (from, block) => prover.prove(from.query, block),
  });
}
