import type { ClientBase } from 'pg';
import { bytesOf } from '../../lib/bytes-key.ts';
import { hashPrefix, unixTime } from '../format/position.ts';
import { cutPages } from './cut-pages.ts';
import { cutTraces } from './cut-traces.ts';
import type { DiscardedBlocks } from './discarded-blocks.ts';
import { toStored } from './stored-actions.ts';

/**
 * Removes everything about blocks after a masterchain seqno, except for the states of accounts and what follows from
 * them. Rows are found through indexes, so that a short way takes milliseconds however long the chain is.
 */
export async function cutBlocks(
  client: ClientBase,
  seqno: number,
  discarded: DiscardedBlocks,
): Promise<void> {
  if (!Number.isSafeInteger(seqno)) throw new RangeError(`${seqno} is not a seqno`);
  // The planner knows little of partitions that are being filled, and might scan all of them.
  await client.query('set local enable_seqscan = off');
  const firstEndLt = await cutTraces(client, seqno, discarded);
  if (firstEndLt !== undefined) await cutActions(client, seqno, firstEndLt);
  await client.query(cutClassification(seqno));
  await cutRows(client, seqno, discarded);
  await cutPages(client, seqno);
  await client.query(cutCoverage(seqno));
  await client.query('set local enable_seqscan to default');
}

interface ActionsRow {
  readonly trace8: string;
  readonly action8: string;
  readonly mc_seqno_end: number;
  readonly trace_end_lt: string;
  readonly trace_end_utime: number;
  readonly body: Buffer;
}

/** The rows by which actions are found follow from the actions. */
async function cutActions(client: ClientBase, seqno: number, firstEndLt: bigint): Promise<void> {
  const isLater = 'trace_end_lt >= $1 and mc_seqno_end > $2';
  const { rows } = await client.query<ActionsRow>(`delete from trace_actions where ${isLater} returning *`, [
    firstEndLt,
    seqno,
  ]);
  const stored = rows.map((row) =>
    toStored(
      {
        trace8: BigInt(row.trace8),
        action8: BigInt(row.action8),
        mcSeqnoEnd: row.mc_seqno_end,
        endLt: BigInt(row.trace_end_lt),
        endUtime: unixTime(row.trace_end_utime),
      },
      row.body,
    ),
  );
  const keys = new Set(stored.flatMap((trace) => trace.keys));
  const accounts = new Set(stored.flatMap((trace) => trace.accounts));
  await client.query(`delete from action_keys where ${isLater} and key = any($3::bigint[])`, [
    firstEndLt,
    seqno,
    [...keys],
  ]);
  await client.query(`delete from action_accounts where ${isLater} and acc8 = any($3::bigint[])`, [
    firstEndLt,
    seqno,
    [...accounts],
  ]);
}

const cutClassification = (seqno: number): string => `
delete from unclassified_traces where mc_seqno_end > ${seqno};
delete from classification_faults where mc_seqno_end > ${seqno};
delete from waiting_traces where mc_seqno_end > ${seqno};
delete from classification_ranges where first_seqno > ${seqno};
update classification_ranges set last_seqno = ${seqno} where last_seqno > ${seqno}`;

const TABLES_BY_LT = ['transactions', 'messages', 'jetton_transfers', 'jetton_burns', 'nft_transfers'];

/** These tables have an index by logical time, but none by seqno. */
async function cutRows(
  client: ClientBase,
  seqno: number,
  { firstLt, received }: DiscardedBlocks,
): Promise<void> {
  if (firstLt !== undefined)
    for (const table of TABLES_BY_LT)
      await client.query(`delete from ${table} where lt >= $1 and mc_seqno > $2`, [firstLt, seqno]);
  // Received messages have the time at which they were sent, perhaps in a block that is kept.
  await client.query(
    'delete from messages where hash8 = any($1::bigint[]) and ordinal = 0 and mc_seqno > $2',
    [[...received].map((hash) => hashPrefix(bytesOf(hash))), seqno],
  );
  for (const table of [
    'waiting_pools',
    'nominator_pool_events',
    'pool_validator_events',
    'shard_states',
    'blocks',
    'hash_places',
  ])
    await client.query(`delete from ${table} where mc_seqno > $1`, [seqno]);
}

/** The chunk with the last seqno becomes that of the head; whoever owned it has lost it. */
const cutCoverage = (seqno: number): string => `
delete from index_chunks where first_seqno > ${seqno};
update index_chunks set last_seqno = null, done_seqno = ${seqno}, owner = null, beat = clock_timestamp()
where done_seqno > ${seqno};
update index_origin set history_id = gen_random_uuid()`;
