import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables/tables.ts';

/** A node of a Citus cluster. */
export interface ClusterNode {
  /** Host and port. */
  readonly name: string;
  readonly isCoordinator: boolean;
  /** Whether the coordinator can connect to it. */
  readonly isReachable: boolean;
  /** Shards of distributed tables and of their partitions. */
  readonly shards: number;
  /** The size of these shards, 0 if unknown because a node is not reachable. */
  readonly bytes: number;
}

/** Reads the nodes of the cluster, the coordinator first. */
export async function readClusterNodes(db: Kysely<Tables>): Promise<ClusterNode[]> {
  const { rows: nodes } = await sql<Omit<ClusterNode, 'bytes'> & { readonly id: number }>`
    select groupid as id, nodename || ':' || nodeport as name, groupid = 0 as "isCoordinator",
      citus_check_connection_to_node(nodename, nodeport) as "isReachable",
      (select count(*)::int from pg_dist_placement placed where placed.groupid = node.groupid) as shards
    from pg_dist_node node where noderole = 'primary' order by groupid`.execute(db);
  const sizes = nodes.every(({ isReachable }) => isReachable)
    ? await readSizes(db)
    : new Map<string, number>();
  return nodes.map(({ id: _, ...node }) => ({ ...node, bytes: sizes.get(node.name) ?? 0 }));
}

async function readSizes(db: Kysely<Tables>): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ readonly name: string; readonly bytes: string }>`
    select nodename || ':' || nodeport as name, sum(shard_size) as bytes from citus_shards group by 1`.execute(
    db,
  );
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}
