import { hash } from 'node:crypto';
import { connect } from 'node:net';
import { sql } from 'kysely';
import pg from 'pg';
import { PreparedQuery, PreparedStatements, RowConnection } from './prepared-query.ts';

const BEGIN = 'begin isolation level repeatable read read only';
/** The request to cancel a statement, in the protocol of PostgreSQL. */
const CANCEL_CODE = 80_877_102;
const CANCEL_BYTES = 16;
const CANCEL_TIMEOUT_MS = 2000;

/**
 * Drops its connection when a query exceeds `query_timeout`. pg itself only rejects the query and keeps the connection,
 * so after a server went silent the pool would hand out dead connections for a quarter of an hour, until TCP gives up.
 * Several statements in one message have the result of the last.
 */
export class FailFastClient extends pg.Client {
  /** Refuses further statements. */
  isCancelled = false;
  readonly #readTimeout = this.#parameters.query_timeout;

  protected isInSnapshot = false;
  /** Settled when the statements of the snapshot that were started are done. */
  #last: Promise<unknown> | undefined;

  /** What pg reads the timeout of each query from; its types leave it out. */
  get #parameters(): { query_timeout?: number | undefined } {
    return (this as unknown as { connectionParameters: object }).connectionParameters;
  }

  /** After which time without an answer the server counts as down; undefined without a limit. */
  protected get readTimeoutMs(): number | undefined {
    return this.#parameters.query_timeout;
  }

  /** Switches off the time after which the server counts as down, or on again. */
  limitReads(isLimited: boolean): void {
    this.#parameters.query_timeout = isLimited ? this.#readTimeout : undefined;
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

  /**
   * Begins a transaction that reads one state of the database. When the signal is aborted its statements are cancelled:
   * without that PostgreSQL goes on until it has something to send, whether or not anybody waits for it.
   */
  async beginSnapshot<Row>({ first, onRows, timeoutMs, signal }: SnapshotOptions<Row>): Promise<Snapshot> {
    const begun = Promise.withResolvers<void>();
    begun.promise.catch(() => {});
    let cancelled: Promise<void> | undefined;
    const cancel = (): void => {
      if (cancelled !== undefined) return;
      this.isCancelled = true;
      cancelled = this.cancelStatement();
    };
    signal.addEventListener('abort', cancel);
    const end = async (): Promise<void> => {
      signal.removeEventListener('abort', cancel);
      await cancelled;
      this.isCancelled = false;
      // A broken connection shows at its next use.
      await this.rollBack().catch(() => {});
    };
    const ready = (): Promise<void> => {
      this.sendBegin();
      return begun.promise;
    };
    try {
      await this.begin({
        first,
        timeout: String(Math.ceil(timeoutMs)),
        settle(rows) {
          onRows(rows as readonly Row[]);
          begun.resolve();
        },
        fail: (error) => begun.reject(error),
      });
    } catch (error) {
      await end();
      throw error;
    }
    return { ready, end };
  }

  /** Begins a snapshot, whose first statement is part of the same message. */
  protected begin({ first, timeout, settle, fail }: PendingSnapshot): Promise<unknown> {
    this.isInSnapshot = true;
    const begun = this.#runInTurn([`${BEGIN}; set local statement_timeout = ${timeout}; ${first}`]);
    begun.then((result) => settle((result as { rows: unknown[] }).rows), fail);
    return begun;
  }

  /** Ends a snapshot. */
  protected rollBack(): Promise<unknown> {
    this.isInSnapshot = false;
    return this.#runInTurn([ROLLBACK]);
  }

  /** Sends what is held back of a snapshot; there is nothing to send where all was sent at once. */
  sendBegin(): void {}

  protected destroyIfSilent(error: Error): void {
    if (error.message === 'Query read timeout') this.connection.stream.destroy();
  }

  #run(args: unknown[]): Promise<unknown> {
    const result = Reflect.apply(super.query, this, args);
    if (!(result instanceof Promise)) return result;
    result.catch((error: Error) => this.destroyIfSilent(error));
    return result.then((found) => (Array.isArray(found) ? found.at(-1) : found));
  }

  /** Several statements of a snapshot may be started at once, but the driver takes one at a time. */
  #runInTurn(args: unknown[]): Promise<unknown> {
    const result =
      this.#last === undefined
        ? this.#run(args)
        : this.#last.then(() => {
            if (this.isCancelled) throw cancelled();
            return this.#run(args);
          });
    if (!(result instanceof Promise)) return result;
    const done = result.then(
      () => {},
      () => {},
    );
    this.#last = done;
    void done.then(() => {
      if (this.#last === done) this.#last = undefined;
    });
    return result;
  }

  // biome-ignore lint/suspicious/noExplicitAny: passes on all overloads of pg
  override query(...args: any[]): any {
    if (this.isCancelled) return Promise.reject(cancelled());
    return this.isInSnapshot ? this.#runInTurn(args) : this.#run(args);
  }
}

function cancelled(): Error {
  return new Error('The work of this connection was cancelled');
}

interface SnapshotOptions<Row> {
  /** The first statement, which all requests have; without parameters. */
  readonly first: string;
  /** Called with its rows, whatever becomes of the statements after it. */
  readonly onRows: (rows: readonly Row[]) => void;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A snapshot whose first statement was not sent yet. */
interface PendingSnapshot {
  readonly first: string;
  /** Milliseconds that each statement may take. */
  readonly timeout: string;
  readonly settle: (rows: readonly unknown[]) => void;
  readonly fail: (error: unknown) => void;
}

/** A transaction that reads one state of the database. It may be begun with its second statement. */
export interface Snapshot {
  /** Waits until the first statement was executed. */
  ready(): Promise<void>;
  /** Ends it; an abort cancels nothing from then on. */
  end(): Promise<void>;
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

/**
 * Keeps the plans of marked statements, and closes itself when a plan is stale. Every message to the server costs as much as a
 * short statement, so statements of a snapshot that are started in the same tick are one message.
 */
export class PreparedClient extends FailFastClient {
  readonly #statements: PreparedStatements;
  /** Whether the plans of marked statements are made without the values of their parameters. */
  protected readonly hasGenericPlans: boolean = true;
  /** The snapshot that waits for its second statement, to be sent with it. */
  #held: PendingSnapshot | undefined;
  /** Whether somebody waits for its begin, without another statement. */
  #isBeginWanted = false;
  /** The statements of the snapshot that are not sent yet. */
  #unsent: PreparedQuery[] = [];
  /** How statements of the snapshot are planned from the last one on that was sent. */
  #plans: string | undefined;
  /** Settled when the server has answered everything that was sent; undefined if it has. */
  #running: Promise<void> | undefined;
  /** Whether the last snapshot is over, but the server does not know it yet. */
  #isRollbackDue = false;
  /** One for the life of the connection: a new one for every read took 15 µs. */
  readonly #rollbackTimer = setTimeout(() => this.#sendRollback(), MAX_LATE_MS).unref();

  constructor(config: pg.ClientConfig) {
    const { keepAlive, keepAliveInitialDelayMillis } = config;
    // The parsed connection string, which says how TLS is used.
    const { ssl } = new pg.Client(config);
    const connection = new RowConnection({ ssl, keepAlive, keepAliveInitialDelayMillis });
    super({ ...config, connection } as pg.ClientConfig);
    this.#statements = new PreparedStatements(connection, {
      write: toParameter,
      parserOf: (typeId) => this.getTypeParser(typeId, 'text'),
    });
  }

  protected override begin(snapshot: PendingSnapshot): Promise<unknown> {
    this.#held = snapshot;
    this.isInSnapshot = true;
    return Promise.resolve({ command: 'BEGIN', rowCount: null, rows: [] });
  }

  override sendBegin(): void {
    if (this.#held === undefined) return;
    this.#isBeginWanted = true;
    this.#sendNext();
  }

  // biome-ignore lint/suspicious/noExplicitAny: passes on all overloads of pg
  override query(...args: any[]): any {
    const [text, values = []] = args;
    const isKept = typeof text === 'string' && text.startsWith(MARK);
    if (this.isCancelled) return super.query(...args);
    // Without parameters it may be several statements, which only the simple protocol allows.
    if (!isKept && (!this.isInSnapshot || typeof text !== 'string' || values.length === 0)) {
      return this.#runAlone(args);
    }
    const query = new PreparedQuery(isKept ? nameOf(text) : '', text, values);
    this.#unsent.push(query);
    if (!this.isInSnapshot) this.#sendNext();
    else if (this.#unsent.length === 1) process.nextTick(() => this.#sendNext());
    return query.result;
  }

  /** Runs what the driver sends in its own way, after everything that was started before. */
  #runAlone(args: unknown[]): unknown {
    const run = (): unknown => Reflect.apply(super.query, this, args);
    if (this.#isRollbackDue || this.#held !== undefined || this.#unsent.length > 0) this.#sendAll();
    // The driver tells the caller of a stream or a cursor in its own way, and lets it wait.
    if (typeof args[0] !== 'string') return run();
    const result = this.#running === undefined ? (run() as Promise<unknown>) : this.#running.then(run);
    this.#follow(result);
    return result;
  }

  /** Nothing else is sent until this is done. */
  #follow(work: Promise<unknown>): void {
    const isDone = (): void => {
      if (this.#running !== running) return;
      this.#running = undefined;
      this.#sendNext();
    };
    const running = work.then(isDone, isDone);
    this.#running = running;
  }

  /** The server learns of it with the next statement, or soon. */
  protected override rollBack(): Promise<unknown> {
    // An error takes 10 µs to make, which every read would pay.
    if (this.#unsent.length > 0) this.#refuseUnsent(new Error('The snapshot has ended'));
    const isBegun = this.#held === undefined;
    this.#held = undefined;
    this.#isBeginWanted = false;
    this.isInSnapshot = false;
    // Whoever gets the connection next would wait for what still runs.
    if (isBegun && this.#running !== undefined) return this.#runAlone([ROLLBACK]) as Promise<unknown>;
    if (isBegun) this.#isRollbackDue = true;
    if (this.#isRollbackDue) this.#rollbackTimer.refresh();
    return Promise.resolve({ command: 'ROLLBACK', rowCount: null, rows: [] });
  }

  /** Sends what has gathered, unless something runs: then it is sent afterwards. */
  #sendNext(): void {
    if (this.isCancelled) this.#refuseUnsent(cancelled());
    else if ((this.#isBeginWanted || this.#unsent.length > 0) && this.#running === undefined) this.#sendAll();
  }

  #refuseUnsent(error: Error): void {
    for (const query of this.#unsent.splice(0)) query.fail(error);
  }

  /** The plan of a statement that is not kept depends on its parameters. */
  #withPlans(statements: readonly PreparedQuery[]): readonly PreparedQuery[] {
    if (!this.isInSnapshot || !this.hasGenericPlans) return statements;
    return statements.flatMap((query) => {
      const plans = query.name === '' ? PLANS_BY_COST : PLANS_KEPT;
      if (plans === this.#plans) return [query];
      this.#plans = plans;
      return [kept(plans), query];
    });
  }

  #sendRollback(): void {
    if (this.#isRollbackDue) this.#sendAll();
  }

  /** Sends all statements in one message, after what ends the last snapshot and begins the next, if that was not sent yet. */
  #sendAll(): void {
    const held = this.#held;
    this.#held = undefined;
    this.#isBeginWanted = false;
    const end = this.#isRollbackDue ? [kept(ROLLBACK)] : [];
    this.#isRollbackDue = false;
    const begin = held === undefined ? [] : beginOf(held, this.hasGenericPlans);
    if (held !== undefined) this.#plans = PLANS_KEPT;
    const statements = this.#unsent.splice(0);
    const batch = this.#statements.batch([...end, ...begin, ...this.#withPlans(statements)]);
    // Each statement may take its time.
    batch.query_timeout = this.readTimeoutMs && this.readTimeoutMs * Math.max(1, statements.length);
    const { promise, resolve } = Promise.withResolvers<void>();
    batch.callback = (error) => {
      if (error !== null) this.destroyIfSilent(error as Error);
      // The pool discards ended clients on release.
      if (isStalePlan(error)) void this.end();
      resolve();
    };
    this.#follow(promise);
    super.query(batch);
  }
}

/** Citus finds the shards of a statement by its values, so plans are made at every execution; only parsing is saved. */
export class ClusterClient extends PreparedClient {
  protected override readonly hasGenericPlans = false;
}

/** For how long a transaction may stay open after its snapshot. */
const MAX_LATE_MS = 5;
const ROLLBACK = 'rollback';
// By cost, PostgreSQL plans most kept statements at every execution: it expects fewer values in a list than it was given.
const PLANS_KEPT = 'set local plan_cache_mode = force_generic_plan';
// It reads no table, so it need not wait for one: the limit holds from the next statement on.
const LIMIT_AND_PLANS = `select set_config('statement_timeout', $1, true), set_config('plan_cache_mode', 'force_generic_plan', true)`;
const LIMIT = `select set_config('statement_timeout', $1, true)`;
const PLANS_BY_COST = 'set local plan_cache_mode = auto';

function kept(text: string, values: readonly unknown[] = []): PreparedQuery {
  return new PreparedQuery(nameOf(text), text, values);
}

function beginOf(
  { first, timeout, settle, fail }: PendingSnapshot,
  hasGenericPlans: boolean,
): readonly PreparedQuery[] {
  const query = kept(first);
  query.result.then(({ rows }) => settle(rows), fail);
  return [kept(BEGIN), kept(hasGenericPlans ? LIMIT_AND_PLANS : LIMIT, [timeout]), query];
}

const names = new Map<string, string>();

function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `kept_${hash('sha1', text)}`;
    names.set(text, name);
  }
  return name;
}

/** Converts a parameter to what is sent, in the way of the driver. */
const { prepareValue: toParameter } = (
  pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }
).utils;
