import { type Expression, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { backOffDelay } from '../lib/back-off.ts';
import { anyOf, inQueueOrder, skipLocked } from './driver.ts';
import type { Db, Tables } from './tables/tables.ts';

/** The tables with a time from which on a row may be taken; in the future also while somebody works on it. */
type QueueTable = {
  [Table in keyof Tables]: 'next_try' extends keyof Tables[Table] ? Table : never;
}[keyof Tables];

/** The columns that statements of all queues name. */
interface QueueColumns {
  readonly next_try: Date | null;
  readonly tries: number;
}

interface QueueOptions<Table extends QueueTable, Key> {
  readonly table: Table;
  /** The columns of the primary key. */
  readonly key: readonly Key[];
  /** How long taken rows are reserved. */
  readonly leaseSeconds: number;
  /** The first and the longest pause after failed attempts. */
  readonly pauseSeconds?: readonly [number, number];
  /** Of a distributed table: of a cluster one process at a time takes rows with it. */
  readonly clusterLock?: string;
}

const MAX_COUNTED = 1_000_000;
const NOW = sql<Date>`now()`;

/** A time from now on. The time of the transaction can be looked up in an index, and Citus takes no other. */
export function inSeconds(seconds: number): RawBuilder<Date> {
  return sql`${NOW} + ${seconds}::float8 * interval '1 second'`;
}

/**
 * Describes a queue that any number of processes share. Whoever takes a row reserves it for the time of a lease; if it is
 * neither removed nor postponed by then, others may take it.
 */
export function createQueue<Table extends QueueTable, Key extends string & keyof Selectable<Tables[Table]>>({
  table,
  key,
  leaseSeconds,
  pauseSeconds: [firstSeconds, maxSeconds] = [0, 0],
  clusterLock,
}: QueueOptions<Table, Key>) {
  type Row = Selectable<Tables[Table]>;
  type Keys = Pick<Row, Key>;
  const queue = sql<QueueColumns>`${sql.table(table)}`.as('queue');
  const isDue: RawBuilder<SqlBool> = sql.join(
    key.map((column) => sql`${sql.ref(`queue.${column}`)} = ${sql.ref(`due.${column}`)}`),
    sql` and `,
  );
  const isOneOf = (rows: readonly Keys[]): RawBuilder<SqlBool> => {
    const [first, ...others] = key;
    if (others.length === 0) return sql`${sql.ref(first!)} = ${anyOf(rows.map((row) => row[first!]))}`;
    const tuples = rows.map((row) => sql`(${sql.join(key.map((column) => row[column]))})`);
    return sql`(${sql.join(key.map(sql.ref))}) in (${sql.join(tuples)})`;
  };
  const pauseAfter = (tries: number): number => backOffDelay(tries, firstSeconds, maxSeconds);
  const inOrder = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> =>
    clusterLock === undefined ? work(db) : inQueueOrder(db, clusterLock, work);

  const update = (db: Db, rows: readonly Keys[]) => db.updateTable(queue).where(isOneOf(rows));

  return {
    leaseSeconds,
    maxPauseSeconds: maxSeconds,
    isOneOf,

    /** Rows that are due and that nobody else is taking; an order and a limit are to be added. */
    due: (db: Db, columns: readonly (string & keyof Row)[] = key) =>
      db
        .selectFrom(queue)
        .select(columns.map((column) => sql.ref(`queue.${column}`).as(column)))
        .where('next_try', '<=', NOW)
        .modifyEnd(skipLocked(db, 'queue')),

    /** Takes the rows whose keys a query finds. */
    async take(db: Db, find: (db: Db) => Expression<unknown>): Promise<Row[]> {
      const rows: unknown = await inOrder(db, (taking) =>
        taking
          .with(
            (cte) => cte('due').materialized(),
            () => sql<Keys>`(${find(taking)})`,
          )
          .updateTable(queue)
          .from('due')
          .set({ next_try: inSeconds(leaseSeconds) })
          .where(isDue)
          .returningAll('queue')
          .execute(),
      );
      return rows as Row[];
    },

    /** Runs a statement that locks rows; rows of a distributed table are locked by one process at a time. */
    inOrder,

    /** Reserves rows from now on, for another lease unless told otherwise. */
    async reserve(db: Db, rows: readonly Keys[], seconds = leaseSeconds): Promise<void> {
      await update(db, rows)
        .set({ next_try: inSeconds(seconds) })
        .execute();
    },

    /** Tries a row again later, with back-off, unless others have done that. */
    async postpone(
      db: Db,
      row: Keys & Pick<QueueColumns, 'tries'>,
      isOurs: RawBuilder<SqlBool> = sql`true`,
    ): Promise<void> {
      const tries = row.tries + 1;
      await update(db, [row])
        .set({ tries, next_try: inSeconds(pauseAfter(tries)) })
        .where('tries', '=', row.tries)
        .where(isOurs)
        .execute();
    },

    /** The pause after failed attempts. */
    pauseAfter,

    /** The number of rows, up to a limit. */
    async count(db: Db): Promise<number> {
      const rows = db.selectFrom(queue).select('next_try').limit(MAX_COUNTED).as('row');
      const { count } = await db
        .selectFrom(rows)
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
  };
}
