import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { StartError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { CONNECT_TIMEOUT_MS, createDatabase, serverName } from './connection.ts';
import { troubleOf } from './errors.ts';
import { MIGRATIONS } from './migrations.ts';
import type { Db } from './tables/tables.ts';

const RETRY_MS = 250;
const MIN_POSTGRES_MAJOR = 15;

const NO_DATABASE = '3D000';
/** Another process created it: before, or at the same moment, which is a duplicate key of the catalog. */
const DATABASE_EXISTS: readonly unknown[] = ['42P04', '23505'];
/** Every PostgreSQL has it, unless somebody dropped it. */
const MAINTENANCE_DATABASE = 'postgres';

interface WaitOptions {
  readonly url: string;
  readonly log: Log;
  readonly timeoutMs?: number;
  /** Creates a database that is missing, instead of an error. */
  readonly create?: boolean;
}

/**
 * Waits until the server accepts connections, because in a compose file it starts together with us. Errors that waiting
 * cannot fix (a wrong password, an unknown database) are reported at once. The `StartError` names host, port and database.
 */
export async function waitForDatabase(options: WaitOptions): Promise<void> {
  const { url, log, timeoutMs = 15_000, create = false } = options;
  const server = serverName(url);
  const giveUpAt = Date.now() + timeoutMs;
  for (let attempt = 1; ; attempt++) {
    const error = await connectOnce(url);
    if (error instanceof StartError) throw error;
    if (error === undefined) return;
    if (codeOf(error) === NO_DATABASE) {
      if (!create) throw missingDatabase(server, error);
      await createMissing(url, log);
      continue;
    }
    const trouble = troubleOf(error);
    if ((trouble !== 'down' && trouble !== 'busy') || Date.now() >= giveUpAt) throw explain(error, server);
    if (attempt === 1) log.warn({ server, reason: reasonOf(error) }, 'Waiting for the database');
    await sleep(RETRY_MS);
  }
}

/** Creates the database of a URL. */
async function createMissing(url: string, log: Log): Promise<void> {
  const maintenance = new URL(url);
  maintenance.pathname = MAINTENANCE_DATABASE;
  const client = new pg.Client({
    connectionString: maintenance.href,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => {});
  const server = serverName(url);
  try {
    await client.connect();
    const { rows } = await client.query<{ isCluster: boolean }>(
      `select current_setting('citus.shard_count', true) is not null as "isCluster"`,
    );
    // Tables of a database without the extension would not be distributed.
    if (rows[0]?.isCluster) throw new Error('a cluster needs it with its extension on every node');
    const { database = '' } = new pg.Client({ connectionString: url });
    await client.query(`create database ${pg.escapeIdentifier(database)}`);
    log.info({ server }, 'Database created');
  } catch (error) {
    if (!DATABASE_EXISTS.includes(codeOf(error)))
      throw new StartError(
        `There is no database at ${server}, and it cannot be created: ${reasonOf(error)}. Create it, or correct DATABASE_URL`,
        { cause: error },
      );
  } finally {
    await client.end().catch(() => {});
  }
}

function missingDatabase(server: string, cause: unknown): StartError {
  return new StartError(
    `There is no database at ${server}. The command migrate creates it; if it should be there, check DATABASE_URL`,
    { cause },
  );
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null)?.code;
}

async function connectOnce(url: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query('show server_version');
    const [{ server_version: version }] = rows;
    if (Number.parseInt(version, 10) < MIN_POSTGRES_MAJOR) return tooOld(version, serverName(url));
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await client.end().catch(() => {});
  }
}

function tooOld(version: string, server: string): StartError {
  return new StartError(
    `PostgreSQL ${version} at ${server} is too old: versions ${MIN_POSTGRES_MAJOR} to 18 are ` +
      'supported. Set DATABASE_URL to a newer server',
  );
}

function explain(error: unknown, server: string): StartError {
  const refused = troubleOf(error) === undefined;
  const what = refused ? 'PostgreSQL refuses the connection to' : 'Cannot reach PostgreSQL at';
  return new StartError(
    `${what} ${server}: ${reasonOf(error)}. Check DATABASE_URL and that the server runs`,
    {
      cause: error,
    },
  );
}

/** The text of an error; a host with several addresses fails with an AggregateError that has only a code. */
function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return message || code || String(error);
}

/** The state of a database, for `doctor`. */
export interface DatabaseReport {
  readonly version: string;
  readonly bytes: number;
  /** Migrations that were not applied yet. */
  readonly outstanding: number;
  readonly connections: { readonly used: number; readonly allowed: number };
  /** Of a cluster, the coordinator first; empty for a single server. */
  readonly nodes: readonly ClusterNode[];
}

/** Inspects a database without changing it. Throws a `StartError` if it cannot be used. */
export async function inspectDatabase(url: string, log: Log): Promise<DatabaseReport> {
  await waitForDatabase({ url, log, timeoutMs: CONNECT_TIMEOUT_MS });
  const database = createDatabase({ url, replicaUrls: [], poolSize: 1, log, statementTimeoutMs: 5000 });
  try {
    return await database.write(async (db) => {
      const applied = await sql<{ name: string }>`select name from kysely_migration`
        .execute(db)
        .catch(() => ({ rows: [] as { name: string }[] }));
      const known = new Set(applied.rows.map(({ name }) => name));
      const { rows } = await sql<Facts>`select
        current_setting('server_version') as version,
        pg_database_size(current_database())::float8 as bytes,
        (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
        current_setting('max_connections')::int as allowed,
        exists (select from pg_extension where extname = 'citus') as "isCluster"`.execute(db);
      const { version, bytes, used, allowed, isCluster } = rows[0]!;
      return {
        version,
        bytes,
        connections: { used, allowed },
        nodes: isCluster ? await readClusterNodes(db) : [],
        outstanding: Object.keys(MIGRATIONS).filter((name) => !known.has(name)).length,
      };
    });
  } finally {
    await database.close();
  }
}

interface Facts {
  readonly isCluster: boolean;
  readonly version: string;
  readonly bytes: number;
  readonly used: number;
  readonly allowed: number;
}

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
export async function readClusterNodes(db: Db): Promise<ClusterNode[]> {
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

async function readSizes(db: Db): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ readonly name: string; readonly bytes: string }>`
    select nodename || ':' || nodeport as name, sum(shard_size) as bytes from citus_shards group by 1`.execute(
    db,
  );
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}
