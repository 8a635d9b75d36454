import type { Log } from '../../lib/log.ts';
import type { SeqnoRange } from '../snapshot.ts';
import { createWriterConnections } from './writer-connections.ts';

/** How often unsettled ranges are tried again, and those of processes that have ended. */
const RETRY_MS = 2000;

const ANNOUNCE = `
insert into announced_writes (backend, first_seqno, last_seqno) values ($1, $2, $3)
on conflict (backend, first_seqno) do update set
  last_seqno = greatest(announced_writes.last_seqno, excluded.last_seqno)`;

/** Names of prepared transactions begin with the coordinator's group, 0, and the process of the connection. */
const WITHDRAW = `
delete from announced_writes where backend = $1 and (
  select coalesce(bool_and(success and result = '0'), true) from run_command_on_workers(format(
    'select count(*) from pg_prepared_xacts where gid like %L and database = current_database()',
    format('citus\\_0\\_%s\\_%%', $1::integer))))`;

/** What processes announced that have ended. */
const FIND_ABANDONED = `
select distinct backend from announced_writes
where not exists (select from pg_stat_activity where pid = backend)`;

/**
 * Creates the announcements of a writer, which have a connection of their own. The workers of a cluster do not commit at
 * the same moment, and one that fails while it commits does so when it is back. So a range of seqnos is announced before it
 * is written, and readers leave it out until all workers have committed. On a single server nothing is announced.
 */
export function createAnnouncedWrites({ url, log }: { readonly url: string; readonly log: Log }) {
  const connections = createWriterConnections({ url, size: 1, log });
  /** Backends whose transaction is over, although workers may not have committed it. */
  const unsettled = new Set<number>();
  let isCluster: boolean | undefined;

  async function findCluster(): Promise<boolean> {
    if (isCluster === undefined) {
      const { rows } = await connections.query("select 1 from pg_extension where extname = 'citus'");
      isCluster = rows.length > 0;
    }
    return isCluster;
  }

  /** Without an announcement there is nothing left to do. */
  async function withdraw(backend: number): Promise<boolean> {
    await connections.query(WITHDRAW, [backend]);
    const { rows } = await connections.query('select 1 from announced_writes where backend = $1', [backend]);
    return rows.length === 0;
  }

  async function retry(): Promise<void> {
    if (!(await findCluster())) return clearInterval(timer);
    const { rows } = await connections.query(FIND_ABANDONED);
    if (rows.length === 0 && unsettled.size === 0) return;
    // Commits or rolls back what a failed worker or coordinator has left prepared.
    await connections.query('select recover_prepared_transactions()');
    for (const { backend } of rows) await withdraw(Number(backend));
    for (const backend of unsettled) if (await withdraw(backend)) unsettled.delete(backend);
  }

  const timer = setInterval(() => {
    retry().catch((error: unknown) => log.warn({ reason: String(error) }, 'Failed to settle written ranges'));
  }, RETRY_MS);
  timer.unref();

  return {
    /** Whether the index is on a cluster. */
    isNeeded: findCluster,
    /** Announces the range that the connection of a backend is going to commit. */
    async announce(backend: number, { first, last }: SeqnoRange): Promise<void> {
      if (!(await findCluster())) return;
      // What is left of an earlier transaction is withdrawn with this one, and not while this one runs.
      unsettled.delete(backend);
      await connections.query(ANNOUNCE, [backend, first, last]);
    },
    /** Withdraws what was announced, if the transaction of the backend is over on all workers; otherwise that is tried later. */
    async settle(backend: number): Promise<void> {
      if (isCluster !== true) return;
      try {
        if (await withdraw(backend)) return;
      } catch {
        // The database is not available: later.
      }
      unsettled.add(backend);
    },
    async close(): Promise<void> {
      clearInterval(timer);
      await connections.close();
    },
  };
}
