import pg from 'pg';
import type { Log } from '../../lib/log.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 60_000;
/** Silence after which the server is asked for a sign of life; the default of the system is two hours. */
const KEEP_ALIVE_AFTER_MS = 10_000;

/** Runs the commit; for measuring it. */
type AroundCommit = (commit: () => Promise<unknown>) => Promise<unknown>;

/** Connections for long transactions, apart from those that answer requests. */
export interface WriterConnections {
  /** For single statements outside of transactions. */
  query(text: string): Promise<pg.QueryResult>;
  /** Runs work in a transaction and commits it; when something goes wrong before, nothing of it stays. */
  transact<T>(work: (client: pg.PoolClient) => Promise<T>, around: AroundCommit): Promise<T>;
  close(): Promise<void>;
}

/** Opens no connection yet. */
export function createWriterConnections(options: {
  readonly url: string;
  readonly size: number;
  readonly log: Log;
  /** What a new connection runs first. */
  readonly prepare?: string;
}): WriterConnections {
  const { prepare = PREPARE_SESSION } = options;
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.size,
    application_name: 'tongate-index',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  });
  // Nobody listening would end the process; the statement that needs the connection fails anyway.
  pool.on('error', (error) =>
    options.log.warn({ reason: error.message }, 'A connection of the index writer ended'),
  );
  pool.on('connect', (client) => client.on('error', () => {}));
  const prepared = new WeakSet<pg.PoolClient>();

  return {
    query: (text) => pool.query(text),
    async transact(work, around) {
      const client = await pool.connect();
      let isBroken = false;
      try {
        if (!prepared.has(client)) await client.query(prepare);
        prepared.add(client);
        await client.query('begin isolation level read committed');
        const result = await work(client);
        await around(() => client.query('commit'));
        return result;
      } catch (error) {
        await client.query('rollback').catch(() => {
          isBroken = true;
        });
        throw error;
      } finally {
        client.release(isBroken);
      }
    },
    close: () => pool.end(),
  };
}

/**
 * What a connection of the writer needs once. A process that stops in the middle of a transaction must not keep its
 * locks for ever, nor one whose machine is gone: PostgreSQL would wait for hours for the rest of a COPY. Whatever else
 * limits statements is meant for requests. The tables take rows that go on by `insert … on conflict`, which COPY does
 * not have.
 */
const PREPARE_SESSION = `
set statement_timeout = 0;
set lock_timeout = 0;
set idle_in_transaction_session_timeout = '60s';
set tcp_keepalives_idle = '10s';
set tcp_keepalives_interval = '5s';
set tcp_keepalives_count = 4;
set tcp_user_timeout = '30s';
create temp table if not exists new_contents (hash bytea, part integer, boc bytea) on commit delete rows;
create temp table if not exists new_codes (hash bytea, boc bytea, methods bigint[]) on commit delete rows;
create temp table if not exists new_accounts
  (like latest_account_states, boc bytea, is_missing boolean, is_undetected boolean) on commit delete rows;
create temp table if not exists new_account_states (like account_states) on commit delete rows;
`;
