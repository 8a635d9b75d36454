import type pg from 'pg';
import { HISTORY_LOCK } from '../../db/advisory-locks.ts';
import { openPgPool } from '../../db/connection.ts';
import type { Log } from '../../lib/log.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 60_000;

export type WriterConnections = ReturnType<typeof createWriterConnections>;

interface TransactionOptions {
  /** Waits until no other transaction of this kind runs in any process, and the others wait for it. */
  readonly isAlone?: boolean;
  /**
   * Whether the commit returns before it is on disk. When PostgreSQL crashes, the last of such transactions may be undone as
   * a whole, in order: for work that is repeated then, because how far it is was in the same transaction.
   */
  readonly isRepeatable?: boolean;
  /** Wraps the commit, for measuring it. */
  readonly aroundCommit?: (commit: () => Promise<unknown>) => Promise<unknown>;
}

/** Creates a pool for long transactions, apart from that of requests; connections open on first use. */
export function createWriterConnections(options: {
  readonly url: string;
  readonly size: number;
  readonly log: Log;
  /** Session setup of a new connection. */
  readonly prepare?: string;
  /** Called when a connection is gone: after a crash of PostgreSQL, commits that were not on disk are undone. */
  readonly onLost?: () => void;
}) {
  const { prepare = PREPARE_SESSION, onLost = () => {} } = options;
  const pool = openPgPool({
    url: options.url,
    size: options.size,
    applicationName: 'tongate-index',
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
    onIdleError(error) {
      options.log.warn({ reason: error.message }, 'Index writer connection lost');
      onLost();
    },
  });
  const prepared = new WeakSet<pg.PoolClient>();

  return {
    /** Runs a single statement outside of a transaction. */
    query: (text: string, values?: unknown[]): Promise<pg.QueryResult> => pool.query(text, values),
    /** Runs work in a transaction and commits it; rolls back on failure. */
    async transact<T>(
      work: (client: pg.PoolClient) => Promise<T>,
      { isAlone = false, isRepeatable = false, aroundCommit }: TransactionOptions = {},
    ): Promise<T> {
      const client = await pool.connect();
      let isBroken = false;
      try {
        if (!prepared.has(client)) await client.query(prepare);
        prepared.add(client);
        await client.query(isAlone ? BEGIN_ALONE : isRepeatable ? BEGIN_REPEATABLE : BEGIN);
        const result = await work(client);
        const commit = () => client.query('commit');
        await (aroundCommit === undefined ? commit() : aroundCommit(commit));
        return result;
      } catch (error) {
        await client.query('rollback').catch(() => {
          isBroken = true;
          onLost();
        });
        throw error;
      } finally {
        client.release(isBroken);
      }
    },
    close: () => pool.end(),
  };
}

const BEGIN = `begin isolation level read committed; select pg_advisory_xact_lock_shared(${HISTORY_LOCK})`;
const BEGIN_REPEATABLE = `${BEGIN}; set local synchronous_commit = off`;
const BEGIN_ALONE = `begin isolation level read committed; select pg_advisory_xact_lock(${HISTORY_LOCK})`;

/**
 * Session setup of the writer. A process that stalls inside a transaction, or whose machine is gone, must not keep its
 * locks forever: PostgreSQL would wait for hours for the rest of a COPY. Statement timeouts are meant for requests only.
 * The temporary tables take COPY rows that are then written with `insert … on conflict`, which COPY does not support.
 */
const PREPARE_SESSION = `
set statement_timeout = 0;
set lock_timeout = 0;
set idle_in_transaction_session_timeout = '60s';
set tcp_keepalives_idle = '10s';
set tcp_keepalives_interval = '5s';
set tcp_keepalives_count = 4;
set tcp_user_timeout = '30s';
create temp table if not exists new_codes (hash bytea, boc bytea, methods bigint[]) on commit delete rows;
create temp table if not exists new_accounts
  (like latest_account_states, boc bytea, is_missing boolean, is_undetected boolean) on commit delete rows;
create temp table if not exists new_account_states (like account_states) on commit delete rows;
`;
