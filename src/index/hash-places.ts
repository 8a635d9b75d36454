import { type RawBuilder, sql } from 'kysely';
import type { BlockId } from '../chain/block-id.ts';
import type { Db } from '../db/tables/tables.ts';

/**
 * What rows of `hash_places` have the hash of: a transaction, the message that a transaction received, the normalized hash
 * of an external one, or a block, which has a row for either hash. A block of a shard is found by its id too; that of the
 * masterchain has its own seqno.
 */
export const HASH_KINDS = {
  transaction: 0,
  received: 1,
  normalized: 2,
  blockRoot: 3,
  blockFile: 4,
  blockId: 5,
} as const;

export type HashKind = keyof typeof HASH_KINDS;

/** What a block is found by in the place of a hash. Blocks of deep shards may have the same. */
export function blockIdPrefix({ workchain, shard, seqno }: Pick<BlockId, 'workchain' | 'shard' | 'seqno'>) {
  return BigInt.asIntN(64, shard ^ (BigInt(workchain) << 32n) ^ BigInt(seqno));
}

/** The same as `hashPrefix` of `src/index/format/position.ts`. */
function prefixOf(column: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`('x' || encode(substring(${column}, 1, 8), 'hex'))::bit(64)::bigint # (-9223372036854775808)`;
}

/** The rows that follow from other tables, by kind: what to select, and `<table> where <condition>`. Blocks have no position. */
const SOURCES: Readonly<Record<HashKind, { hash8: RawBuilder<unknown>; from: RawBuilder<unknown> }>> = {
  transaction: { hash8: sql`hash8`, from: sql`transactions where true` },
  received: { hash8: sql`in8`, from: sql`transactions where in8 is not null` },
  normalized: { hash8: sql`src8`, from: sql`messages where created_at is null and src8 is not null` },
  blockRoot: { hash8: prefixOf(sql`root_hash`), from: sql`blocks where true` },
  blockFile: { hash8: prefixOf(sql`file_hash`), from: sql`blocks where true` },
  blockId: {
    hash8: sql`shard # (workchain::bigint << 32) # seqno::bigint`,
    from: sql`blocks where workchain <> -1`,
  },
};

/** The places that follow from the other tables, one query per kind. */
export function derivedPlaces(seqno: RawBuilder<boolean> = sql`true`): readonly RawBuilder<unknown>[] {
  return (Object.keys(SOURCES) as HashKind[]).map((kind) => {
    const { hash8, from } = SOURCES[kind];
    const at = kind.startsWith('block') ? sql`null::bigint` : sql`at`;
    return sql`select ${hash8} as hash8, ${at} as at, mc_seqno, ${sql.lit(HASH_KINDS[kind])}::smallint as kind
      from ${from} and ${seqno}`;
  });
}

/** Fills the empty table from the others. */
export async function fillHashPlaces(db: Db): Promise<void> {
  for (const places of derivedPlaces())
    await sql`insert into hash_places (hash8, at, mc_seqno, kind) ${places}`.execute(db);
}
