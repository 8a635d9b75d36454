import { Redis, type RedisOptions } from 'ioredis';
import type { Log } from '../lib/log.ts';
import { createWaiters } from '../lib/waiters.ts';

/** Redis behind a circuit breaker: a service that may be unavailable at any time. */
export interface RedisService {
  /** Runs commands; resolves to undefined when Redis is unavailable, fails or is too slow. Never rejects. */
  run<T>(commands: (redis: Redis) => Promise<T>): Promise<T | undefined>;
  close(): Promise<void>;
}

interface RedisServiceOptions {
  readonly url: string;
  readonly log: Log;
  /** What processes share through Redis, in the plural, for log lines. */
  readonly shares: string;
  /** Called for every failed connection and every failed or late response. */
  readonly onError: (error: Error) => void;
  /** Tells whether Redis has recovered. It should write: a read-only replica or a bare PING must not pass. */
  readonly probe: (redis: Redis) => Promise<unknown>;
  /** Longest wait for a response. */
  readonly timeoutMs: number;
  readonly scripts?: RedisOptions['scripts'];
}

/** A connection that owes a response this long is closed and opened again. */
const SOCKET_TIMEOUT_MS = 2000;
const MAX_RECONNECT_DELAY_MS = 2000;
/** The first response needs a connection before it. */
const MIN_FIRST_TIMEOUT_MS = 1000;
const PROBE_EVERY_MS = 500;

/** Commands fail at once while there is no connection, and ioredis keeps reconnecting. */
const FAIL_FAST: RedisOptions = {
  lazyConnect: true,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: SOCKET_TIMEOUT_MS,
  socketTimeout: SOCKET_TIMEOUT_MS,
  retryStrategy: (attempt) => Math.min(attempt * 100, MAX_RECONNECT_DELAY_MS),
  // After a failover the host name may point to the new primary; the open connection never will.
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
};

/**
 * Connects to Redis. The first failed or late response opens the circuit: nothing is sent until a background probe
 * succeeds. Resolves as soon as Redis has responded for the first time or has turned out to be unavailable.
 */
export async function openRedis(options: RedisServiceOptions): Promise<RedisService> {
  const { url, log, shares, onError, timeoutMs } = options;
  const waiters = createWaiters({ timeoutMs, onLate: () => openCircuit(timeout(timeoutMs)) });
  const decided = Promise.withResolvers<void>();
  let state: 'connecting' | 'available' | 'unavailable' | 'closed' = 'connecting';
  let isProbing = false;
  let probing: NodeJS.Timeout | undefined;

  const redis = new Redis(url, { ...FAIL_FAST, ...(options.scripts && { scripts: options.scripts }) });
  redis.on('error', openCircuit);
  redis.on('close', () => state === 'available' && openCircuit(new Error('connection closed')));
  redis.on('ready', probe);

  function openCircuit(error: Error): void {
    if (state === 'closed') return;
    const reason = describe(error);
    onError(new Error(reason));
    if (state !== 'unavailable') log.warn({ reason }, `Redis unavailable, ${shares} are process-local`);
    state = 'unavailable';
    waiters.giveUpAll();
    probing ??= setInterval(probe, PROBE_EVERY_MS).unref();
    decided.resolve();
  }

  function closeCircuit(): void {
    if (state === 'closed') return;
    if (state === 'unavailable') log.info({}, `Redis recovered, ${shares} are shared`);
    state = 'available';
    clearInterval(probing);
    probing = undefined;
    decided.resolve();
  }

  function probe(): void {
    if (isProbing || state === 'available' || redis.status !== 'ready') return;
    isProbing = true;
    options
      .probe(redis)
      .then(closeCircuit, openCircuit)
      .finally(() => {
        isProbing = false;
      });
  }

  function run<T>(commands: (redis: Redis) => Promise<T>): Promise<T | undefined> {
    if (state !== 'available') return Promise.resolve(undefined);
    // An error that arrives after the wait was given up says nothing about Redis now.
    return waiters.wait(commands(redis), openCircuit);
  }

  const firstTimeoutMs = Math.max(MIN_FIRST_TIMEOUT_MS, timeoutMs);
  const firstTimer = setTimeout(() => openCircuit(timeout(firstTimeoutMs)), firstTimeoutMs);
  // A failure arrives as an `error` event too.
  redis.connect().catch(() => {});
  await decided.promise;
  clearTimeout(firstTimer);

  return {
    run,
    async close() {
      state = 'closed';
      waiters.giveUpAll();
      clearInterval(probing);
      redis.disconnect();
    },
  };
}

function timeout(ms: number): Error {
  return new Error(`no response within ${ms} ms`);
}

/** The text alone: the error itself carries the command that failed, and a failed AUTH carries the password. */
function describe(error: Error & { readonly code?: string }): string {
  // A refusal on all addresses of a host name has a code and no message.
  return error.message || error.code || error.name;
}

/** A channel on which processes tell each other something. Messages may be lost while there is no connection. */
export interface RedisChannel {
  close(): void;
}

/** Listens to a channel, on a connection of its own; reconnects for as long as it is open. */
export function openRedisChannel(url: string, name: string, onMessage: (text: string) => void): RedisChannel {
  const redis = new Redis(url, {
    maxRetriesPerRequest: null,
    connectTimeout: SOCKET_TIMEOUT_MS,
    retryStrategy: (attempt) => Math.min(attempt * 100, MAX_RECONNECT_DELAY_MS),
  });
  // The service that publishes reports that Redis is unavailable.
  redis.on('error', () => {});
  redis.on('message', (_channel: string, text: string) => onMessage(text));
  redis.subscribe(name).catch(() => {});
  return { close: () => redis.disconnect() };
}
