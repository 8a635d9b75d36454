import { type Kysely, sql } from 'kysely';
import type { Tables } from '../db/tables.ts';
import { withChunkLock } from './chunks/chunk-lock.ts';

const INDEX_TABLES = [
  ...['blocks', 'shard_states', 'transactions', 'messages', 'message_contents', 'traces', 'trace_accounts'],
  ...['open_traces', 'pending_messages', 'orphan_messages'],
  ...['account_states', 'latest_account_states', 'contract_codes', 'account_data', 'missing_cells'],
  ...['index_origin', 'index_chunks'],
];

/** Removes all of the index, in one transaction; the tables stay. */
export async function wipeIndex(db: Kysely<Tables>): Promise<void> {
  await withChunkLock(db, (trx) => sql.raw(`truncate ${INDEX_TABLES.join(', ')}`).execute(trx));
}
