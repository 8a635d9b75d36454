import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { Failure } from '../lib/errors.ts';
import { type BudgetPermit, type BudgetShare, createPayerBudget } from '../lib/payer-budget.ts';
import { bodyBytes } from './body.ts';

export interface SheddingOptions {
  /** Event-loop delay above which requests are rejected; 0 switches the check off. */
  readonly loopDelayMs: number;
  /** Share of the heap limit above which requests are rejected; 0 switches the check off. */
  readonly heapPercent: number;
  readonly onShed: () => void;
}

const SAMPLE_EVERY_MS = 500;
const RESOLUTION_MS = 10;
const RETRY_AFTER_SECONDS = 2;

/**
 * Rejects requests with 503 while the process cannot keep up, so that accepted ones still finish. @fastify/under-pressure
 * opens a file for every sample of memory, which fails when the process has no file descriptor left.
 */
export const loadShedding = fp(async (app, { loopDelayMs, heapPercent, onShed }: SheddingOptions) => {
  if (loopDelayMs === 0 && heapPercent === 0) return;
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let isOverloaded = false;
  let timer: NodeJS.Timeout | undefined;

  function sample(): void {
    // NaN without a single measurement: the loop was blocked all the time.
    const delayMs = delays.count === 0 ? Number.POSITIVE_INFINITY : delays.mean / 1e6 - RESOLUTION_MS;
    delays.reset();
    const heap = getHeapStatistics();
    isOverloaded =
      (loopDelayMs > 0 && delayMs > loopDelayMs) ||
      (heapPercent > 0 && heap.used_heap_size > (heap.heap_size_limit * heapPercent) / 100);
  }

  // Not before: the start itself keeps the event loop busy, which says nothing about requests.
  app.addHook('onReady', async () => {
    delays.enable();
    timer = setInterval(sample, SAMPLE_EVERY_MS).unref();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    delays.disable();
  });
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isOverloaded || request.routeConfig.public === true) return done();
    onShed();
    return done(
      new Failure('overloaded', 'Server is overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS }),
    );
  });
});

declare module 'fastify' {
  interface FastifyRequest {
    /** The permit that the size of the response is charged to; null if it counts against nobody. */
    responsePermit: BudgetPermit | null;
  }
}

export interface ResponseBudgetOptions {
  /** Kilobytes per second, for each request a second that a caller may make; undefined for no limit. */
  readonly kbPerRps: number | undefined;
  /** Called for every response of an interface with the bytes of its body before compression. */
  readonly onResponse: (interfaceName: string, bytes: number) => void;
  readonly onRefused: () => void;
  /** Set where several processes count together. */
  readonly share?: BudgetShare | undefined;
  /** Monotonic milliseconds. */
  readonly now?: (() => number) | undefined;
}

/** Unused bytes are saved for this long: with the default rate 20 MB, the largest response there is. */
const SAVED_SECONDS = 50;
/** The slowest caller too can save a page of a thousand transactions. */
const MIN_SAVED_BYTES = 4_000_000;

/**
 * The size of responses counts against the caller: a response of 20 MB costs as much work as ten thousand short ones. Who
 * has used up its bytes is refused until they are refilled.
 */
export const responseBudget = fp(async (app, options: ResponseBudgetOptions) => {
  const { kbPerRps, onResponse, onRefused, share, now } = options;
  const budget = createPayerBudget({
    unitsPerRps: kbPerRps === undefined ? undefined : kbPerRps * 1000,
    savedSeconds: SAVED_SECONDS,
    minSaved: MIN_SAVED_BYTES,
    // Nearly all responses are short.
    expected: 0,
    share,
    now,
  });
  app.decorateRequest('responsePermit', null);

  app.addHook('onRequest', (request, _reply, done) => {
    const { interface: interfaceName, public: isPublic } = request.routeConfig;
    if (kbPerRps === undefined || interfaceName === undefined || isPublic === true) return done();
    const { payer } = request;
    const permit = budget.acquire(payer);
    if (permit !== undefined) {
      request.responsePermit = permit;
      return done();
    }
    onRefused();
    return done(
      new Failure('rate_limited', 'Ratelimit exceeded: the bytes for responses are used up', {
        retryAfterSeconds: budget.retrySeconds(payer),
      }),
    );
  });

  // Before the hooks of routes: the size is that before compression, which is what the response took to make.
  app.addHook('onSend', (request, reply, payload, done) => {
    const { interface: interfaceName } = request.routeConfig ?? {};
    if (interfaceName !== undefined) {
      const bytes = bodyBytes(reply, payload);
      onResponse(interfaceName, bytes);
      charge(request, bytes);
    }
    done();
  });
});

function charge(request: FastifyRequest, bytes: number): void {
  request.responsePermit?.charge(bytes);
  // An error while a response is sent makes another response.
  request.responsePermit = null;
}

export interface UnreadOptions {
  /** Bytes that long responses may hold together until they are sent. */
  readonly maxBytes?: number;
  /** A client that reads more slowly than this on average is disconnected. */
  readonly minBytesPerSecond?: number;
  /** The first time that a client has without any of that. */
  readonly graceMs?: number;
}

interface Unread {
  readonly socket: Socket;
  readonly bytes: number;
  readonly sinceMs: number;
  /** Bytes that the connection had sent before. */
  readonly sentBefore: number;
}

/** Shorter ones fit into the buffers of the system. */
const LONG_BYTES = 256 * 1024;
const SWEEP_MS = 500;

/**
 * Bounds what responses hold that clients do not read: who reads too slowly is disconnected, and so are the slowest when
 * all of them together hold too much.
 */
export const unreadResponses = fp(async (app, options: UnreadOptions) => {
  const { maxBytes = 256 * 1024 * 1024, minBytesPerSecond = 32 * 1024, graceMs = 10_000 } = options;
  const unread = new Map<ServerResponse, Unread>();
  let timer: NodeJS.Timeout | undefined;

  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes = bodyBytes(reply, payload);
    const { socket } = request.raw;
    // Injected requests have no connection.
    if (bytes >= LONG_BYTES && socket instanceof Socket && !socket.destroyed) {
      const response = reply.raw;
      unread.set(response, { socket, bytes, sinceMs: performance.now(), sentBefore: sentBytes(socket) });
      response.once('close', () => {
        unread.delete(response);
        if (unread.size === 0) clearInterval(timer);
      });
      if (unread.size === 1) timer = setInterval(sweep, SWEEP_MS).unref();
    }
    done();
  });
  app.addHook('onClose', async () => clearInterval(timer));

  function sweep(): void {
    const now = performance.now();
    let held = 0;
    const slow: { one: Unread; heldBytes: number; pace: number }[] = [];
    for (const one of unread.values()) {
      const { socket, bytes, sinceMs, sentBefore } = one;
      const sent = sentBytes(socket) - sentBefore;
      const heldBytes = Math.max(0, bytes - sent);
      held += heldBytes;
      // Without anything in the buffer of the connection it is the server that is slow.
      if (socket.writableLength === 0) continue;
      const overMs = now - sinceMs - graceMs;
      if (overMs > 0 && sent < (overMs / 1000) * minBytesPerSecond) {
        held -= heldBytes;
        cut(one, sent);
      } else slow.push({ one, heldBytes, pace: sent / (now - sinceMs) });
    }
    if (held <= maxBytes) return;
    slow.sort((a, b) => a.pace - b.pace);
    for (const { one, heldBytes } of slow) {
      if (held <= maxBytes) break;
      held -= heldBytes;
      cut(one, sentBytes(one.socket) - one.sentBefore);
    }
  }

  function cut({ socket, bytes, sinceMs }: Unread, sent: number): void {
    const ms = Math.round(performance.now() - sinceMs);
    app.log.info({ bytes, sent, ms }, 'Client disconnected because it read a response too slowly');
    socket.destroy();
  }
});

/** Bytes that a connection has passed to the system. */
function sentBytes({ bytesWritten, writableLength }: Socket): number {
  return bytesWritten - writableLength;
}
