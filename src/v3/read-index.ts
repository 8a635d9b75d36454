import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { timeoutFailure } from '../db/errors.ts';
import { COVERAGE, type IndexCoverage } from '../db/queries/index-coverage.ts';
import type { Tables } from '../db/tables.ts';
import { Failure } from '../lib/errors.ts';
import { withTimeout } from '../lib/wait.ts';
import { clientGone } from '../live/execution.ts';
import type { V3Call } from './call.ts';

type IndexCall = Pick<V3Call, 'ports' | 'options' | 'notes' | 'caller'>;

/** How long a request waits for the seqno that it wants. */
const MAX_WAIT_MS = 10_000;
const POLL_MS = 50;

/** The snapshot is older than the caller wants. */
const BEHIND = Symbol('behind');

/**
 * Reads one snapshot of the index within the time that the caller allows: late statements are cancelled, and waiting for
 * a free connection counts. A caller that wants a seqno waits until a snapshot has it, whichever replica it is from.
 */
export async function readIndex<T>(call: IndexCall, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  const { ports, options, caller } = call;
  for (;;) {
    const read = ports.database.read((db) =>
      db.connection().execute((connection) => inSnapshot(connection, call, work)),
    );
    const result = await withTimeout(options.timeoutMs, read, () => timeoutFailure());
    if (result !== BEHIND) return result;
    if (caller.client.destroyed) throw clientGone();
    if (performance.now() - caller.startedAtMs > MAX_WAIT_MS) throw notReached(call);
    await sleep(POLL_MS);
  }
}

function notReached({ options, notes }: IndexCall): Failure {
  const at = notes.indexedSeqno === 0 ? 'empty' : `at masterchain seqno ${notes.indexedSeqno}`;
  return new Failure(
    'timeout',
    `min_seqno: the index is ${at}, ${options.minSeqno} was not reached within ${MAX_WAIT_MS / 1000} s`,
    { details: { parameter: 'min_seqno' } },
  );
}

/** Runs work in one transaction, so that all parts of a response are of the same state of the index. */
async function inSnapshot<T>(
  db: Kysely<Tables>,
  { options: { timeoutMs, minSeqno }, notes }: IndexCall,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T | typeof BEHIND> {
  // Sent as one message, since it has no parameters.
  const begin = `begin isolation level repeatable read read only; set local statement_timeout = ${Math.ceil(timeoutMs)}`;
  try {
    const { rows } = await sql.raw<IndexCoverage>(`${begin}; ${COVERAGE}`).execute(db);
    const { first = 0, newest, indexed = 0 } = rows[0] ?? {};
    const seqno = newest ?? 0;
    notes.indexedSeqno = seqno;
    notes.missingSeqnos = seqno === 0 ? 0 : seqno - first + 1 - indexed;
    return minSeqno !== undefined && seqno < minSeqno ? BEHIND : await work(db);
  } finally {
    // A broken connection shows at its next use.
    await sql
      .raw('rollback')
      .execute(db)
      .catch(() => {});
  }
}
