import { Failure } from '../lib/errors.ts';

/**
 * What a database error means for the caller: the server is unreachable (`down`), or only a worker of its cluster
 * (`worker`); it has no free connection (`busy`), or cancelled a slow statement (`timeout`). Undefined for any other error.
 */
type DatabaseTrouble = 'down' | 'worker' | 'busy' | 'timeout' | undefined;

const DOWN_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  // SQLSTATE: shut down by an administrator, shut down by a crash, starting up or shutting down.
  '57P01',
  '57P02',
  '57P03',
]);

/** Beginnings of the errors that pg and Kysely throw without a code. */
const DOWN_TEXTS = [
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed',
  'Query read timeout',
  'timeout expired',
  'Cannot use a pool after calling end',
  'driver has already been destroyed',
  'Postgres connection has been discarded',
];
/** What a Citus coordinator says of a worker that it cannot connect to, or that is lost while it answers. */
const WORKER_TEXT =
  /\bremote node\b|\bto worker node\b|^server closed the connection unexpectedly|^could not receive data/;
const BUSY_TEXT = /^timeout exceeded when trying to connect/;
const TOO_MANY_CONNECTIONS = '53300';
const QUERY_CANCELED = '57014';
const UNIQUE_VIOLATION = '23505';

/** Classifies an error that pg or Kysely threw. */
export function troubleOf(error: unknown): DatabaseTrouble {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (code === QUERY_CANCELED) return 'timeout';
  if (code === TOO_MANY_CONNECTIONS || BUSY_TEXT.test(error.message)) return 'busy';
  if (typeof code === 'string') {
    if (/^08...$/.test(code) && WORKER_TEXT.test(error.message)) return 'worker';
    if (DOWN_CODES.has(code) || /^08...$/.test(code)) return 'down';
    // A missing or forbidden Unix socket; from a file the same codes mean something else.
    if ((code === 'ENOENT' || code === 'EACCES') && syscall === 'connect') return 'down';
  }
  return DOWN_TEXTS.some((text) => error.message.startsWith(text)) ? 'down' : undefined;
}

/** Whether a row has the key of another one. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === UNIQUE_VIOLATION;
}

/** The `Failure` of a request that ran out of time, in the words of the v3 contract. */
export function timeoutFailure(cause?: unknown): Failure {
  return new Failure('timeout', 'timeout: context deadline exceeded', { cause });
}

/** The `Failure` of a request that needs the database while it does not respond. */
export function databaseUnavailable(cause?: unknown): Failure {
  return new Failure('unavailable', 'Database is not available', { retryAfterSeconds: 1, cause });
}

/** The `Failure` of a request that needs a worker of a cluster while it does not respond. */
function workerUnavailable(cause: unknown): Failure {
  return new Failure('unavailable', 'Part of the database is not available', { retryAfterSeconds: 1, cause });
}

/** The `Failure` for a database error; other errors are returned unchanged. */
export function toFailure(error: unknown): unknown {
  switch (troubleOf(error)) {
    case 'down':
    case 'busy':
      return databaseUnavailable(error);
    case 'worker':
      return workerUnavailable(error);
    case 'timeout':
      return timeoutFailure(error);
    default:
      return error;
  }
}

const DISK_FULL = '53100';
/** What `describeFailure` says of a database that has no space left. */
export const DATABASE_DISK_FULL = 'the database disk is full';

/** Whether a statement failed because the database has no space left. */
export function isDiskFull(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === DISK_FULL;
}

/** A failure in words for the operator. */
export function describeFailure(error: unknown): string {
  const { message } = error as { message?: string };
  if (isDiskFull(error)) return DATABASE_DISK_FULL;
  const trouble = troubleOf(error);
  if (trouble === 'down' || trouble === 'busy') return `database unavailable (${message})`;
  return message || String(error);
}
