import { type Kysely, sql } from 'kysely';
import { KEPT_PLAN } from '../kept-plans.ts';
import type { Tables } from '../tables.ts';
import type { BlockRow } from './blocks.ts';

/** The first and the last masterchain block of the index; undefined when it has none. */
export async function readMasterchainEnds(
  db: Kysely<Tables>,
): Promise<{ readonly first: BlockRow; readonly last: BlockRow } | undefined> {
  const { rows } = await sql<BlockRow>`${KEPT_PLAN}
    (select * from blocks where workchain = -1 order by mc_seqno limit 1) union all
    (select * from blocks where workchain = -1 order by mc_seqno desc limit 1) order by mc_seqno`.execute(db);
  const [first, last] = rows;
  return first && last && { first, last };
}

/** Whether a masterchain block is in the index, and with it all that belongs to it. */
export async function hasMasterchainBlock(
  db: Kysely<Tables>,
  { seqno }: { readonly seqno: number },
): Promise<boolean> {
  const { rows } = await sql`select from blocks where mc_seqno = ${seqno} and workchain = -1`.execute(db);
  return rows.length > 0;
}

/** The newest block of every shard as a masterchain block has them, itself among them, as far as the index goes back. */
export async function readShardTops(
  db: Kysely<Tables>,
  { seqno }: { readonly seqno: number },
): Promise<BlockRow[]> {
  const { rows } = await sql<BlockRow>`
    select blocks.* from shard_states
    cross join lateral unnest(workchains, shards, seqnos) as top (workchain, shard, seqno)
    join blocks on blocks.workchain = top.workchain and blocks.shard = top.shard and blocks.seqno = top.seqno
      and blocks.mc_seqno <= shard_states.mc_seqno
    where shard_states.mc_seqno = ${seqno} order by blocks.workchain, blocks.shard, blocks.seqno`.execute(db);
  return rows;
}
