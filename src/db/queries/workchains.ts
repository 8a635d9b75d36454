import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/**
 * Whether the network had a workchain when the index last heard of it. Blocks of one that is not there would be looked
 * for from end to end.
 */
export async function isKnownWorkchain(
  db: Kysely<Tables>,
  { workchain }: { readonly workchain: number },
): Promise<boolean> {
  const { rows } = await sql<{ readonly known: boolean }>`
    select ${workchain} = any(workchains) as known from shard_states order by mc_seqno desc limit 1`.execute(
    db,
  );
  return rows[0]?.known ?? false;
}
