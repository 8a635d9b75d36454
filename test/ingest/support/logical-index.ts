import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../../src/db/tables/tables.ts';
import { readStoredEvents } from '../../support/stored-events.ts';
import { readStoredSlots } from '../../support/stored-pages.ts';
import { readOpenTraces, readStoredTraces } from '../../support/stored-traces.ts';
import { deliveriesOf, readStoredKeys, readStoredTransactions } from '../../support/stored-transactions.ts';
import { rowsOf } from './index-tables.ts';

/** Values with bytes in hex and big numbers as text. */
type PlainRow = Readonly<Record<string, unknown>>;

/** The content of the index as sorted plain rows, the same however it is stored. */
export type LogicalIndex = Readonly<Record<string, readonly PlainRow[]>>;

/** Tables that are read by the readers of transactions, traces and events. */
const READ_LOGICALLY = new Set([
  'tx_pages',
  'transactions',
  'messages',
  'traces',
  'trace_accounts',
  'open_traces',
  'open_members',
  'pending_messages',
  'orphan_messages',
  'jetton_transfers',
  'jetton_burns',
  'nft_transfers',
]);

/** All transactions, messages, traces and events of the index, and the rows of some other tables. */
export async function logicalIndex(
  db: Kysely<Tables>,
  tables: readonly string[] = [],
): Promise<LogicalIndex> {
  const transactions = await readStoredTransactions(db);
  const index: Record<string, readonly PlainRow[]> = {
    transactions: transactions.map(({ inMessage, outMessages, ...transaction }) =>
      plain({
        ...transaction,
        inMessage: inMessage?.hash,
        outMessages: outMessages.map(({ hash }) => hash),
      }),
    ),
    messages: sorted(
      deliveriesOf(transactions).map(({ message, sentBy, receivedBy }) =>
        plain({ ...message, sentBy: sentBy?.hash, receivedBy: receivedBy?.hash }),
      ),
    ),
    slots: sorted((await readStoredSlots(db)).map(plain)),
    ...(await readTraceRows(db)),
    ...(await readEventRows(db)),
  };
  for (const table of tables) if (!READ_LOGICALLY.has(table)) index[table] = await rawRows(db, table);
  return index;
}

/** The traces in the index with the trace ids of all transactions, in the shape of `expectedTraces`. */
export async function traceTables(db: Kysely<Tables>) {
  const transactions = await readStoredKeys(db);
  return {
    trace_ids: sorted(transactions.map(({ hash, traceId }) => plain({ hash, traceId }))),
    ...(await readTraceRows(db)),
  };
}

/** All traces, and the messages that they wait for. */
async function readTraceRows(db: Kysely<Tables>) {
  return {
    traces: (await readStoredTraces(db)).map(plain),
    open_traces: (await readOpenTraces(db)).map(plain),
    pending_messages: await rowsOf(db, 'select * from pending_messages order by hash'),
    orphan_messages: await rowsOf(db, 'select * from orphan_messages order by hash'),
  };
}

/** All transfers and burns. */
async function readEventRows(db: Kysely<Tables>) {
  const events = Object.entries(await readStoredEvents(db));
  return Object.fromEntries(events.map(([table, rows]) => [table, rows.map(plain)]));
}

/** All rows of a table, without columns that depend on the time of writing, and without positions. */
async function rawRows(db: Kysely<Tables>, table: string): Promise<readonly PlainRow[]> {
  const { rows } = await sql<{ row: PlainRow }>`
    select to_jsonb(one) - 'id' - 'next_try' - 'at' as row from ${sql.table(table)} one
  `.execute(db);
  return sorted(rows.map(({ row }) => row));
}

/** Rows in the order of their texts. */
export function sorted(rows: readonly PlainRow[]): PlainRow[] {
  return rows
    .map((row) => ({ row, text: JSON.stringify(row) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ row }) => row);
}

/** A row with bytes in hex and big numbers as text, without absent fields. */
export function plain(row: object): PlainRow {
  return plainValue(row) as PlainRow;
}

function plainValue(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return value.toString('hex');
  if (typeof value === 'bigint') return `${value}`;
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries.map(([name, each]) => [name, plainValue(each)]));
}
