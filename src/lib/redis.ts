/** A connection that owes an answer this long is given up and dialled again. */
const SOCKET_LIMIT_MS = 2000;
const MAX_RETRY_DELAY_MS = 2000;

/** How a client of Redis is set up that must not hold anybody up: it fails at once when Redis is away, and dials again. */
export const FAIL_FAST_REDIS = {
  lazyConnect: true,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: SOCKET_LIMIT_MS,
  socketTimeout: SOCKET_LIMIT_MS,
  retryStrategy: (attempt: number) => Math.min(attempt * 100, MAX_RETRY_DELAY_MS),
  // After a failover the name may lead to the new primary; the old connection never will.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
} as const;
