import { hash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { Tables } from './tables.ts';

const LIMITS_OFF = '/* time limits off */';
const LIMITS_ON = '/* time limits on */';

/**
 * Drops its connection when a query exceeds `query_timeout`. pg itself only rejects the query and keeps the connection,
 * so after a server went silent the pool would hand out dead connections for a quarter of an hour, until TCP gives up.
 * Several statements in one message have the result of the last.
 */
export class FailFastClient extends pg.Client {
  readonly #readTimeout = this.#parameters.query_timeout;

  /** What pg reads the timeout of each query from; its types leave it out. */
  get #parameters(): { query_timeout?: number | undefined } {
    return (this as unknown as { connectionParameters: object }).connectionParameters;
  }

  #setReadTimeout(timeoutMs: number | undefined): void {
    this.#parameters.query_timeout = timeoutMs;
  }

  // biome-ignore lint/suspicious/noExplicitAny: passes on all overloads of pg
  override query(...args: any[]): any {
    const [text] = args;
    if (typeof text === 'string' && text.startsWith(LIMITS_OFF)) this.#setReadTimeout(undefined);
    if (typeof text === 'string' && text.startsWith(LIMITS_ON)) this.#setReadTimeout(this.#readTimeout);
    const result = Reflect.apply(super.query, this, args);
    if (!(result instanceof Promise)) return result;
    result.catch((error: Error) => {
      if (error.message === 'Query read timeout') this.connection.stream.destroy();
    });
    return result.then((found) => (Array.isArray(found) ? found.at(-1) : found));
  }
}

/**
 * Runs work on one connection without the time limits of requests, for statements that wait for others or for the whole
 * of a table.
 */
export function withoutTimeLimits<T>(
  db: Kysely<Tables>,
  work: (connection: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql.raw(`${LIMITS_OFF} set statement_timeout = 0`).execute(connection);
    try {
      return await work(connection);
    } finally {
      await sql
        .raw(`${LIMITS_ON} reset statement_timeout`)
        .execute(connection)
        .catch(() => {});
    }
  });
}

const MARK = '/* kept */';
const FEATURE_NOT_SUPPORTED = '0A000';

/**
 * Marks, at its start, a statement whose plan does not depend on its parameters. Over many partitions planning a lookup
 * takes several times as long as running it, so every connection plans it once and keeps the plan. There must only be a
 * few such texts: the server stores each.
 */
export const KEPT_PLAN = sql.raw(MARK);

/** Whether a statement failed because a migration changed its columns after the connection had planned it. */
export function isStalePlan(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return code === FEATURE_NOT_SUPPORTED && message === 'cached plan must not change result type';
}

/** Keeps the plans of marked statements, and closes itself when a plan is stale. */
export class PreparedClient extends FailFastClient {
  // biome-ignore lint/suspicious/noExplicitAny: passes on all overloads of pg
  override query(...args: any[]): any {
    const [text, values] = args;
    if (typeof text !== 'string' || !text.startsWith(MARK)) return super.query(...args);
    const result: Promise<unknown> = super.query({ name: `kept_${hash('sha1', text)}`, text, values });
    result.catch((error: unknown) => {
      // The pool discards ended clients on release.
      if (isStalePlan(error)) void this.end();
    });
    return result;
  }
}
