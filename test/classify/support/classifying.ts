import { sql } from 'kysely';
import {
  CLASSIFY_CONNECTIONS,
  type ClassifyLoopOptions,
  PREPARE_CLASSIFYING,
  runClassification,
} from '../../../src/classify/classify-loop.ts';
import { hashPrefix } from '../../../src/index/format/position.ts';
import { createWriterConnections } from '../../../src/index/write/writer-connections.ts';
import type { TestDatabase } from '../../support/database.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { clearActions, readStoredActions } from '../../support/stored-actions.ts';
import { TRACE_ID } from '../../support/stored-traces.ts';
import { until } from '../../support/until.ts';

/** The index of a test. */
type TestIndex = Pick<TestDatabase, 'url' | 'database'>;

/** Times of a test. */
export const TIMING = { pollMs: 20, sweepMs: 20, countMs: 1000, firstPauseMs: 10, maxPauseMs: 50 };

/** Connections like those of the classifier thread. */
export function openConnections({ url }: Pick<TestIndex, 'url'>, log = createQuietLog()) {
  return createWriterConnections({ url, log, size: CLASSIFY_CONNECTIONS, prepare: PREPARE_CLASSIFYING });
}

/** Classifies in this thread until the queue is empty. */
export async function classifyAll(
  test: TestIndex,
  options: Partial<ClassifyLoopOptions> = {},
  isDone: () => Promise<void> = () => untilClassified(test),
): Promise<void> {
  const connections = openConnections(test);
  const ended = new AbortController();
  const running = runClassification({
    connections,
    log: createQuietLog(),
    timing: TIMING,
    signal: ended.signal,
    ...options,
  });
  try {
    await isDone();
  } finally {
    ended.abort();
    await running;
    await connections.close();
  }
}

/** Waits until the queue is empty and no more traces will be queued. */
export async function untilClassified({ database }: Pick<TestIndex, 'database'>): Promise<void> {
  let left = 0;
  await until(
    async () => {
      const { rows } = await sql<{ left: number }>`
        select ((select count(*) from unclassified_traces) + (select count(*) from classification_ranges))::int as left
      `.execute(database.primary);
      left = rows[0]!.left;
      return left === 0;
    },
    () => `${left} traces are not classified`,
  );
}

/** All actions with the rows by which they are found, as texts with the id of their trace in hex. */
export async function dumpActions({
  database,
}: Pick<TestIndex, 'database'>): Promise<Record<string, string[]>> {
  const db = database.primary;
  const actions = await readStoredActions(db);
  const ids = new Map<string, string>(
    actions.map(({ trace_id }) => [`${hashPrefix(trace_id)}`, trace_id.toString('hex')] as const),
  );
  const hex = (_: string, value: unknown) => {
    const { data } = (value ?? {}) as { data?: unknown };
    return Array.isArray(data) ? Buffer.from(data).toString('hex') : value;
  };
  const dump: Record<string, string[]> = { actions: actions.map((row) => JSON.stringify(row, hex)).sort() };
  for (const table of ['action_keys', 'action_accounts'] as const) {
    const rows = await db.selectFrom(table).selectAll().execute();
    dump[table] = rows.map((row) => JSON.stringify({ ...row, trace: ids.get(row.trace8) })).sort();
  }
  const faults = await db.selectFrom('classification_faults').selectAll().execute();
  dump.classification_faults = faults.map((row) => JSON.stringify(row, hex)).sort();
  return dump;
}

/** Resets an index to the state before classification. */
export async function forgetActions({ database }: Pick<TestIndex, 'database'>): Promise<void> {
  await clearActions(database.primary);
  await sql`truncate classification_faults, waiting_traces, unclassified_traces`.execute(database.primary);
  await sql`
    insert into unclassified_traces (trace_id, mc_seqno_end, nodes)
    select ${sql.raw(TRACE_ID)}, mc_seqno_end, nodes from traces`.execute(database.primary);
}

/** Rows of a statement. */
export async function rowsOf<Row>({ database }: Pick<TestIndex, 'database'>, text: string): Promise<Row[]> {
  return (await sql.raw<Row>(text).execute(database.primary)).rows;
}
