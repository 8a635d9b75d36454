import { sql } from 'kysely';
import { KEPT_PLAN } from '../../db/client.ts';
import { isCluster, readRows } from '../../db/driver.ts';
import type { Db } from '../../db/tables/tables.ts';
import { hashPrefix } from '../format/position.ts';
import { blockIdPrefix, HASH_KINDS, type HashKind } from '../hash-places.ts';
import { isShown } from '../snapshot.ts';

const MASTERCHAIN = -1;

/** `hash_places where …`: the places of some kinds by prefix, each of which is on one worker. */
export function placesOf(db: Db, kinds: readonly HashKind[], prefixes: readonly bigint[]) {
  const numbers = kinds.map((kind) => sql.lit(HASH_KINDS[kind]));
  return sql`hash_places where hash8 = any(${prefixes}::bigint[]) and kind in (${sql.join(numbers)})
    and ${isShown(db, sql`mc_seqno`)}`;
}

export interface BlockKeys {
  readonly workchain?: number | undefined;
  readonly shard?: bigint | undefined;
  readonly seqno?: number | undefined;
  readonly rootHash?: Buffer | undefined;
  readonly fileHash?: Buffer | undefined;
}

/**
 * The condition that blocks are those of the masterchain seqnos that blocks with a key may have, so that their workers
 * alone are asked; there may be others, so that the key must be a condition too. None on a single server, and without a
 * whole key. Undefined if there are no such blocks.
 */
export async function isNearBlock(db: Db, keys: BlockKeys) {
  if (!isCluster(db)) return [];
  const { workchain, seqno } = keys;
  if (workchain === MASTERCHAIN && seqno !== undefined) return [sql`mc_seqno = ${seqno}`];
  const place = placeOfKeys(keys);
  if (place === undefined) return [];
  const rows = await readRows<{ readonly mc_seqno: number }>(db)`${KEPT_PLAN}
    select distinct mc_seqno from ${placesOf(db, [place.kind], [place.prefix])}`;
  if (rows.length === 0) return undefined;
  return [sql`mc_seqno = any(${rows.map(({ mc_seqno }) => mc_seqno)}::int[])`];
}

function placeOfKeys({
  workchain,
  shard,
  seqno,
  rootHash,
  fileHash,
}: BlockKeys): { readonly kind: HashKind; readonly prefix: bigint } | undefined {
  if (rootHash !== undefined) return { kind: 'blockRoot', prefix: hashPrefix(rootHash) };
  if (fileHash !== undefined) return { kind: 'blockFile', prefix: hashPrefix(fileHash) };
  if (workchain === undefined || shard === undefined || seqno === undefined) return undefined;
  return { kind: 'blockId', prefix: blockIdPrefix({ workchain, shard, seqno }) };
}
