import { Failure } from '../lib/errors.ts';

/**
 * What an error of the database means for the caller: the server is out of reach (`down`), it has no room for
 * one more connection (`busy`), it gave up a slow statement (`timeout`), or none of these.
 */
type DatabaseTrouble = 'down' | 'busy' | 'timeout' | undefined;

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
  // SQLSTATE: shut down by the administrator, by a crash, and starting up or shutting down just now.
  '57P01',
  '57P02',
  '57P03',
]);

/** How the errors begin that pg and Kysely give no code. */
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
const BUSY_TEXT = /^timeout exceeded when trying to connect/;
const TOO_MANY_CONNECTIONS = '53300';
const QUERY_CANCELED = '57014';

/** Names the trouble behind an error that pg or Kysely threw. */
export function troubleOf(error: unknown): DatabaseTrouble {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (code === QUERY_CANCELED) return 'timeout';
  if (code === TOO_MANY_CONNECTIONS || BUSY_TEXT.test(error.message)) return 'busy';
  if (typeof code === 'string') {
    if (DOWN_CODES.has(code) || /^08...$/.test(code)) return 'down';
    // A missing or forbidden Unix socket; the same codes from a file would be somebody else's trouble.
    if ((code === 'ENOENT' || code === 'EACCES') && syscall === 'connect') return 'down';
  }
  return DOWN_TEXTS.some((text) => error.message.startsWith(text)) ? 'down' : undefined;
}

/**
 * The `Failure` to throw for an error of the database; an error that is no trouble of it comes back as it is.
 */
export function toFailure(error: unknown): unknown {
  switch (troubleOf(error)) {
    case 'down':
    case 'busy':
      return new Failure('unavailable', 'Database is not available', { retryAfterSeconds: 1, cause: error });
    case 'timeout':
      return new Failure('timeout', 'timeout: context deadline exceeded', { cause: error });
    default:
      return error;
  }
}
