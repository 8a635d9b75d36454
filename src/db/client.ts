import { hash } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';

/**
 * A client whose connection is dropped when a query outlives `query_timeout`. pg itself only rejects the
 * query and keeps the connection, so after a machine went silent the pool would hand out dead connections for
 * a quarter of an hour, until TCP gives up.
 */
export class FailFastClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: passes all overloads of pg on as they are
  override query(...args: any[]): any {
    const result = Reflect.apply(super.query, this, args);
    if (result instanceof Promise) {
      result.catch((error: Error) => {
        if (error.message === 'Query read timeout') this.connection.stream.destroy();
      });
    }
    return result;
  }
}

const MARK = '/* kept */';
const FEATURE_NOT_SUPPORTED = '0A000';

/**
 * Stands first in a statement whose plan is the same whatever its parameters are. Over many partitions it takes several
 * times as long to plan a look-up as to run it, so every connection plans it once and keeps the plan. Its text must be one
 * of a few: the server has to remember each.
 */
export const KEPT_PLAN = sql.raw(MARK);

/** Whether a statement failed because a migration changed its columns since the connection planned it. */
export function isStalePlan(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return code === FEATURE_NOT_SUPPORTED && message === 'cached plan must not change result type';
}

/** A client that keeps the plans of statements that ask for it, and is given up where they became stale. */
export class PreparedClient extends FailFastClient {
  // biome-ignore lint/suspicious/noExplicitAny: passes all overloads of pg on as they are
  override query(...args: any[]): any {
    const [text, values] = args;
    if (typeof text !== 'string' || !text.startsWith(MARK)) return super.query(...args);
    const result: Promise<unknown> = super.query({ name: `kept_${hash('sha1', text)}`, text, values });
    result.catch((error: unknown) => {
      // The pool throws ended clients away when they come back.
      if (isStalePlan(error)) void this.end();
    });
    return result;
  }
}
