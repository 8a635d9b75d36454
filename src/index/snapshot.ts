import { DefaultQueryExecutor, Kysely, PostgresQueryCompiler, type RawBuilder, sql } from 'kysely';
import { MASTERCHAIN } from '../chain/block-id.ts';
import type { Database } from '../db/connection.ts';
import {
  ClusterAdapter,
  isCluster,
  KYSELY_PARTS,
  type SharedConnection,
  shareConnection,
  withExecution,
} from '../db/driver.ts';
import { timeoutFailure } from '../db/errors.ts';
import type { Db, Tables } from '../db/tables/tables.ts';

/** Masterchain seqnos, both inclusive. */
export interface SeqnoRange {
  readonly first: number;
  readonly last: number;
}

/** The seqnos of a range, ascending. */
export function seqnosIn({ first, last }: SeqnoRange): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
}

/** Ascending ranges, with those that follow each other or overlap in one. */
export function joinRanges(ranges: Iterable<SeqnoRange>): SeqnoRange[] {
  const joined: { first: number; last: number }[] = [];
  for (const { first, last } of ranges) {
    const before = joined.at(-1);
    if (before !== undefined && first <= before.last + 1) before.last = Math.max(before.last, last);
    else joined.push({ first, last });
  }
  return joined;
}

/** How much of the chain is indexed, by all processes together. */
export interface IndexCoverage {
  readonly first: number;
  /** The newest indexed one; null if nothing is indexed. */
  readonly newest: number | null;
  readonly indexed: number;
}

/** The coverage as of a cluster: ranges that are written, and those that may not be committed on all workers yet. */
export interface ClusterCoverage {
  readonly first: number | null;
  /** First and last seqnos. */
  readonly written: readonly (readonly [number, number])[] | null;
  readonly announced: readonly (readonly [number, number])[] | null;
}

/** Reads the coverage of a cluster: one row. */
export const CLUSTER_COVERAGE = `select (select first_seqno from index_origin) as first,
  (select json_agg(json_build_array(first_seqno, done_seqno) order by first_seqno) from index_chunks
   where done_seqno >= first_seqno) as written,
  (select json_agg(json_build_array(first_seqno, last_seqno)) from announced_writes) as announced`;

/** The seqnos that all workers have committed, in ascending order. */
export function shownRanges({ written, announced }: ClusterCoverage): readonly SeqnoRange[] {
  let ranges = joinRanges((written ?? []).map(([first, last]) => ({ first, last })));
  for (const [from, to] of announced ?? [])
    ranges = ranges.flatMap((range) => {
      if (to < range.first || from > range.last) return [range];
      const parts = [
        { first: range.first, last: from - 1 },
        { first: to + 1, last: range.last },
      ];
      return parts.filter(({ first, last }) => first <= last);
    });
  return ranges;
}

export function coverageOf({ first }: ClusterCoverage, ranges: readonly SeqnoRange[]) {
  if (first === null) return undefined;
  const indexed = ranges.reduce((sum, range) => sum + range.last - range.first + 1, 0);
  return { first, newest: ranges.at(-1)?.last ?? null, indexed };
}

/** Reads the coverage: one row, or none where there has never been an indexer. It can be part of a longer message. */
export const COVERAGE = `select origin.first_seqno as first, max(done_seqno) as newest,
  coalesce(sum(done_seqno - chunk.first_seqno + 1), 0)::integer as indexed
  from index_origin origin left join index_chunks chunk on done_seqno >= chunk.first_seqno
  group by origin.first_seqno`;

/** The coverage of the index; undefined where there has never been an indexer. */
export async function readIndexCoverage(db: Db): Promise<IndexCoverage | undefined> {
  const { rows } = await sql.raw<IndexCoverage>(COVERAGE).execute(db);
  return rows[0];
}

/** When an indexed masterchain block was created, in unix seconds; undefined if it is not indexed. */
export async function readIndexedTime(db: Db, { seqno }: { readonly seqno: number }) {
  const block = await readMasterchainBlock(db, seqno);
  return block && Number(block.gen_utime);
}

/** Reads the hashes and the time of an indexed masterchain block; undefined if it is not indexed. */
export function readMasterchainBlock(db: Db, seqno: number) {
  const blocks = db.selectFrom('blocks').select(['root_hash', 'file_hash', 'gen_utime']);
  return blocks.where('mc_seqno', '=', seqno).where('workchain', '=', MASTERCHAIN).executeTakeFirst();
}

/** A cluster at one moment, with the seqnos that all its nodes have. */
class ClusterSnapshotAdapter extends ClusterAdapter {
  readonly shown: readonly SeqnoRange[];

  constructor(shown: readonly SeqnoRange[]) {
    super();
    this.shown = shown;
  }
}

/** Lets the queries of a read show only some seqnos: those that are written on all nodes of a cluster. */
export function withShownSeqnos(db: Db, shown: readonly SeqnoRange[]): Db {
  const inner = db.getExecutor();
  const executor = new DefaultQueryExecutor(
    new PostgresQueryCompiler(),
    new ClusterSnapshotAdapter(shown),
    { provideConnection: (use) => inner.provideConnection(use) },
    [...inner.plugins],
  );
  return new Kysely<Tables>({ ...KYSELY_PARTS, executor });
}

/** The condition that a row may be shown, by its seqno; always true on a single server. */
export function isShown(db: Db, seqno: RawBuilder<unknown>): RawBuilder<boolean> {
  const { adapter } = db.getExecutor();
  if (!(adapter instanceof ClusterSnapshotAdapter)) return sql`true`;
  if (adapter.shown.length === 0) return sql`false`;
  const isIn = adapter.shown.map(({ first, last }) => sql`${seqno} between ${first} and ${last}`);
  return sql`(${sql.join(isIn, sql` or `)})`;
}

/** The snapshot is older than the caller wants. */
export const BEHIND = Symbol('behind');

export interface SnapshotOptions {
  readonly database: Pick<Database, 'read'>;
  /** The time of each statement, and of waiting for a free connection. */
  readonly timeoutMs: number;
  /** Aborted when nobody waits for the result. */
  readonly signal: AbortSignal;
  readonly minSeqno?: number | undefined;
  /**
   * Called when the read has had a connection for some time, and again until it returns true. The read ends with what it
   * throws.
   */
  readonly slow?: { readonly afterMs: number; readonly onSlow: () => boolean } | undefined;
  /** Called before each statement, which waits for it: a long read leaves the database to others for a while. */
  readonly pause?: (() => Promise<void> | undefined) | undefined;
  /** Told how far the snapshot goes; undefined where there has never been an indexer. */
  readonly onCoverage: (coverage: IndexCoverage | undefined) => void;
  /** Told the texts of the statements at the end; their values stay out of the log. */
  readonly onStatements?: ((statements: readonly string[]) => void) | undefined;
}

/** In one line of the log. */
const MAX_STATEMENTS = 50;
/** Of one read: all its statements, and the work on their rows, which takes its turns with that of others. */
const MAX_READ_MS = 15_000;

/**
 * Reads one snapshot of the index. Late statements are cancelled, and so are those of a caller that has gone. The result is
 * `BEHIND` if the snapshot does not have the wanted seqno.
 */
export async function readSnapshot<T>(options: SnapshotOptions, work: (db: Db) => Promise<T>) {
  const { database, timeoutMs, signal, slow } = options;
  signal.throwIfAborted();
  const end = new AbortController();
  const ended = Promise.withResolvers<T | typeof BEHIND>();
  const giveUp = (reason: unknown): void => {
    end.abort(reason);
    ended.reject(reason);
  };
  const onGone = (): void => giveUp(signal.reason);
  const onLate = (): void => giveUp(timeoutFailure());
  const watch = (leftMs: number): NodeJS.Timeout => {
    if (slow === undefined || leftMs <= slow.afterMs) return setTimeout(onLate, leftMs);
    return setTimeout(() => {
      try {
        const left = leftMs - slow.afterMs;
        timer = slow.onSlow() ? setTimeout(onLate, left) : watch(left);
      } catch (error) {
        giveUp(error);
      }
    }, slow.afterMs);
  };
  let timer = setTimeout(onLate, timeoutMs);
  signal.addEventListener('abort', onGone);
  const read = database.read((db) =>
    shareConnection(
      db,
      (connection) => {
        end.signal.throwIfAborted();
        clearTimeout(timer);
        timer = watch(MAX_READ_MS);
        return inSnapshot(connection, options, end.signal, { work, onResult: ended.resolve });
      },
      options.pause,
    ),
  );
  read.catch(() => {});
  try {
    return await Promise.race([read, ended.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onGone);
  }
}

/** Runs work in one transaction, so that all parts of a response are of the same state of the index. */
async function inSnapshot<T>(
  connection: SharedConnection,
  { timeoutMs, minSeqno, onCoverage, onStatements }: SnapshotOptions,
  signal: AbortSignal,
  { work, onResult }: SnapshotWork<T>,
): Promise<T | typeof BEHIND> {
  const { db, client } = connection;
  let shown: readonly SeqnoRange[] | undefined;
  let newest = 0;
  const note = (coverage: IndexCoverage | undefined): void => {
    newest = coverage?.newest ?? 0;
    onCoverage(coverage);
  };
  const onRows = ([coverage]: readonly IndexCoverage[]) => note(coverage);
  const onClusterRows = ([coverage]: readonly ClusterCoverage[]) => {
    shown = shownRanges(coverage!);
    note(coverageOf(coverage!, shown));
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
    const isBehind = minSeqno !== undefined && newest < minSeqno;
    const result = isBehind
      ? BEHIND
      : await work(onStatements === undefined ? bounded : withStatements(bounded, statements));
    await snapshot.ready();
    onResult(result);
    return result;
  } catch (error) {
    // Responses to failed requests tell the coverage too. If reading it failed, the statement after it failed because of that.
    if (!signal.aborted) await snapshot.ready();
    throw error;
  } finally {
    onStatements?.(statements);
    connection.close();
    await snapshot.end();
  }
}

interface SnapshotWork<T> {
  readonly work: (db: Db) => Promise<T>;
  /** The response does not wait for the end of the transaction. */
  readonly onResult: (result: T | typeof BEHIND) => void;
}

/** The same connection, with the texts of its statements in a list. */
function withStatements(db: Db, statements: string[]): Db {
  return withExecution(db, (run, statement) => {
    if (statements.length < MAX_STATEMENTS) statements.push(statement.sql);
    return run(statement);
  });
}
