import { hash } from 'node:crypto';
import { connect } from 'node:net';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { Tables } from './tables.ts';

/** Begins the mark of a statement that can be cancelled. */
const CANCELLABLE = '/* cancellable ';
/** The request to cancel a statement, in the protocol of PostgreSQL. */
const CANCEL_CODE = 80_877_102;
const CANCEL_BYTES = 16;
const CANCEL_TIMEOUT_MS = 2000;
const LIMITS_OFF = '/* time limits off */';
const LIMITS_ON = '/* time limits on */';

/**
 * Drops its connection when a query exceeds `query_timeout`. pg itself only rejects the query and keeps the connection,
 * so after a server went silent the pool would hand out dead connections for a quarter of an hour, until TCP gives up.
 * Several statements in one message have the result of the last.
 */
export class FailFastClient extends pg.Client {
  /** Refuses further statements. */
  isCancelled = false;
  readonly #readTimeout = this.#parameters.query_timeout;

  /** What pg reads the timeout of each query from; its types leave it out. */
  get #parameters(): { query_timeout?: number | undefined } {
    return (this as unknown as { connectionParameters: object }).connectionParameters;
  }

  #setReadTimeout(timeoutMs: number | undefined): void {
    this.#parameters.query_timeout = timeoutMs;
  }

  /** Cancels the running statement; done when the server has taken note of it, or does not respond. */
  cancelStatement(): Promise<void> {
    const { host, port } = this;
    const { processID, secretKey } = this as unknown as { processID: number; secretKey: number };
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    const request = Buffer.alloc(CANCEL_BYTES);
    request.writeInt32BE(CANCEL_BYTES, 0);
    request.writeInt32BE(CANCEL_CODE, 4);
    request.writeInt32BE(processID, 8);
    request.writeInt32BE(secretKey, 12);
    socket.setTimeout(CANCEL_TIMEOUT_MS, () => socket.destroy());
    socket.on('error', () => {});
    // The server closes the connection when it is done.
    socket.resume().write(request);
    return new Promise((resolve) => {
      socket.once('close', () => resolve());
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: passes on all overloads of pg
  override query(...args: any[]): any {
    if (this.isCancelled) return Promise.reject(new Error('The work of this connection was cancelled'));
    const [text] = args;
    if (typeof text === 'string' && text.startsWith(CANCELLABLE))
      cancellable.get(text.slice(0, text.indexOf(' */')))?.(this);
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

/** A part of a connection's work that can be cancelled. */
export interface Cancellation {
  /** Must be the start of its first statement. */
  readonly mark: string;
  /** Ends that part: what the connection does afterwards is not cancelled. */
  end(): Promise<void>;
}

/** Finds the client of a connection, which Kysely hides, by the mark of its statement. */
const cancellable = new Map<string, (client: FailFastClient) => void>();
let cancellations = 0;

/**
 * Cancels the statements of a connection when a signal is aborted. Without it PostgreSQL goes on until it has something to
 * send, whether or not anybody waits for it.
 */
export function cancelOnAbort(signal: AbortSignal): Cancellation {
  cancellations += 1;
  const key = `${CANCELLABLE}${cancellations.toString(36)}`;
  let client: FailFastClient | undefined;
  let cancelled: Promise<void> | undefined;
  const cancel = (): void => {
    if (client === undefined || cancelled !== undefined) return;
    client.isCancelled = true;
    cancelled = client.cancelStatement();
  };
  cancellable.set(key, (found) => {
    client = found;
    cancellable.delete(key);
    signal.addEventListener('abort', cancel);
  });
  return {
    mark: `${key} */`,
    async end() {
      cancellable.delete(key);
      signal.removeEventListener('abort', cancel);
      await cancelled;
      if (client !== undefined) client.isCancelled = false;
    },
  };
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
