import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { isCluster } from '../db/cluster-dialect.ts';
import { timeoutFailure } from '../db/errors.ts';
import { type SharedConnection, shareConnection } from '../db/shared-connection.ts';
import type { Tables } from '../db/tables/tables.ts';
import {
  CLUSTER_COVERAGE,
  type ClusterCoverage,
  COVERAGE,
  coverageOf,
  type IndexCoverage,
  type ShownRange,
  shownRanges,
  withShownSeqnos,
} from '../index/snapshot.ts';
import { Failure } from '../lib/errors.ts';
import { clientGone } from '../live/execution.ts';
import type { V3Call } from './call.ts';
import { NEEDS_TURN } from './large-reads.ts';

type IndexCall = Pick<V3Call, 'ports' | 'options' | 'notes' | 'caller' | 'signal' | 'large' | 'log'>;

/** How long a request waits for the seqno that it wants. */
const MAX_WAIT_MS = 10_000;
const POLL_MS = 50;
/** In one line of the log. */
const MAX_STATEMENTS = 50;
/** Of one read: all its statements, and the work on their rows, which takes its turns with that of others. */
const MAX_READ_MS = 15_000;

/** The snapshot is older than the caller wants. */
const BEHIND = Symbol('behind');

/**
 * Reads one snapshot of the index. The time that the caller allows is that of each statement and of waiting for a free
 * connection. Late statements are cancelled, and so are those of a client that has disconnected. A caller that wants a
 * seqno waits until a snapshot has it, whichever replica it is from.
 */
export async function readIndex<T>(call: IndexCall, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  const { caller } = call;
  for (;;) {
    const result = await readInTurn(call, work);
    if (result !== BEHIND) return result;
    if (caller.client.destroyed) throw clientGone();
    if (performance.now() - caller.startedAtMs > MAX_WAIT_MS) throw notReached(call);
    await sleep(POLL_MS);
  }
}

async function readInTurn<T>(
  call: IndexCall,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T | typeof BEHIND> {
  try {
    return await readOnce(call, work);
  } catch (error) {
    if (error !== NEEDS_TURN) throw error;
    await call.large?.take();
    return readOnce(call, work);
  }
}

async function readOnce<T>(
  call: IndexCall,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T | typeof BEHIND> {
  const { ports, options, signal } = call;
  signal.throwIfAborted();
  const end = new AbortController();
  const ended = Promise.withResolvers<T | typeof BEHIND>();
  const giveUp = (reason: unknown): void => {
    end.abort(reason);
    ended.reject(reason);
  };
  const onGone = (): void => giveUp(signal.reason);
  const onLate = (): void => giveUp(timeoutFailure());
  let timer = setTimeout(onLate, options.timeoutMs);
  signal.addEventListener('abort', onGone);
  const read = ports.database.read((db) =>
    shareConnection(db, (connection) => {
      end.signal.throwIfAborted();
      clearTimeout(timer);
      timer = setTimeout(onLate, MAX_READ_MS);
      return inSnapshot(connection, call, end.signal, { work, onResult: ended.resolve });
    }),
  );
  read.catch(() => {});
  try {
    return await Promise.race([read, ended.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onGone);
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
  connection: SharedConnection,
  call: IndexCall,
  signal: AbortSignal,
  { work, onResult }: SnapshotWork<T>,
): Promise<T | typeof BEHIND> {
  const { options, notes, log } = call;
  const { db, client } = connection;
  const { timeoutMs, minSeqno, debug } = options;
  let shown: readonly ShownRange[] | undefined;
  const onRows = ([coverage]: readonly IndexCoverage[]) => noteCoverage(notes, coverage);
  const onClusterRows = ([coverage]: readonly ClusterCoverage[]) => {
    shown = shownRanges(coverage!);
    noteCoverage(notes, coverageOf(coverage!, shown));
  };
  const isDistributed = isCluster(db);
  const snapshot = isDistributed
    ? await client.beginSnapshot({ first: CLUSTER_COVERAGE, onRows: onClusterRows, timeoutMs, signal })
    : await client.beginSnapshot({ first: COVERAGE, onRows, timeoutMs, signal });
  const statements: string[] = [];
  try {
    // Only a caller that wants a seqno waits, and a cluster, where the coverage decides what is shown: otherwise the first
    // statement of the work is sent with it.
    if (minSeqno !== undefined || isDistributed) await snapshot.ready();
    const bounded = shown === undefined ? db : withShownSeqnos(db, shown);
    const isBehind = minSeqno !== undefined && (notes.indexedSeqno ?? 0) < minSeqno;
    const result = isBehind ? BEHIND : await work(debug ? withStatements(bounded, statements) : bounded);
    await snapshot.ready();
    onResult(result);
    return result;
  } catch (error) {
    // Responses to failed requests tell the coverage too. If reading it failed, the statement after it failed because of that.
    if (!signal.aborted) await snapshot.ready();
    throw error;
  } finally {
    if (debug) log.info({ statements }, 'Database statements of a request');
    connection.close();
    await snapshot.end();
  }
}

interface SnapshotWork<T> {
  readonly work: (db: Kysely<Tables>) => Promise<T>;
  /** The response does not wait for the end of the transaction. */
  readonly onResult: (result: T | typeof BEHIND) => void;
}

/** Notes how far the snapshot goes, for the response. */
function noteCoverage(notes: IndexCall['notes'], coverage: IndexCoverage | undefined): void {
  const { first = 0, newest, indexed = 0 } = coverage ?? {};
  const seqno = newest ?? 0;
  notes.indexedSeqno = seqno;
  notes.missingSeqnos = seqno === 0 ? 0 : seqno - first + 1 - indexed;
}

/** The same connection, with the texts of its statements in a list; their values stay out of the log. */
function withStatements(db: Kysely<Tables>, statements: string[]): Kysely<Tables> {
  const executor = db.getExecutor();
  return db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      if (statements.length < MAX_STATEMENTS) statements.push(executor.compileQuery(node, queryId).sql);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
}
