import { type CompiledQuery, type DatabaseConnection, Kysely, type QueryResult } from 'kysely';
import { bytesKey } from '../lib/bytes-key.ts';
import { KYSELY_PARTS } from './shared-connection.ts';
import type { Tables } from './tables/tables.ts';

/**
 * Starts statements of a snapshot that will probably be wanted, so that they take one round trip together. On the returned
 * connection every statement is sent once: with the same parameters it has the same result.
 */
export function readAhead(
  db: Kysely<Tables>,
  start: (db: Kysely<Tables>) => readonly Promise<unknown>[],
): Kysely<Tables> {
  const sent = new Map<string, Promise<QueryResult<unknown>>>();
  const once = withConnection(db, (connection, statement) => {
    const key = keyOf(statement);
    const result = sent.get(key) ?? connection.executeQuery<unknown>(statement);
    sent.set(key, result);
    return result;
  });
  // Whoever asks for one of them gets its error.
  for (const result of start(once)) result.catch(() => {});
  return once;
}

type Execute = (connection: DatabaseConnection, statement: CompiledQuery) => Promise<QueryResult<unknown>>;

/** The same connection, whose statements are executed in another way. */
function withConnection(db: Kysely<Tables>, execute: Execute): Kysely<Tables> {
  const inner = db.getExecutor();
  const wrap = (connection: DatabaseConnection): DatabaseConnection => ({
    executeQuery: <Row>(statement: CompiledQuery) =>
      execute(connection, statement) as Promise<QueryResult<Row>>,
    streamQuery: (statement, size) => connection.streamQuery(statement, size),
  });
  const executor = inner.withConnectionProvider({
    provideConnection: (use) => inner.provideConnection((connection) => use(wrap(connection))),
  });
  return new Kysely<Tables>({ ...KYSELY_PARTS, executor });
}

function keyOf({ sql, parameters }: CompiledQuery): string {
  return sql + parameters.map(textOf).join('');
}

/** Different values have different texts, whatever follows them. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join('')}]`;
  const text = Buffer.isBuffer(value) ? bytesKey(value) : String(value);
  return `${typeof value}${text.length}:${text}`;
}
