import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { CLIENT_GONE } from './errors.ts';

/** Called for every finished request. */
export type OnRequestDone = (
  interfaceName: string,
  operation: string,
  status: number,
  seconds: number,
) => void;

/** Called for every call that counts against a rate; a batch has several. */
export type OnCallDone = (
  keyId: string | null,
  interfaceName: string,
  operation: string,
  status: number,
) => void;

declare module 'fastify' {
  interface FastifyRequest {
    /** Reports a call of this request, an entry of a batch. Without it the request is reported as one call when it is finished. */
    noteCall(operation: string, status: number): void;
    /** Reports that this request opened a stream. It may stay open for days, so it is counted and logged now. */
    noteStream(operation: string): void;
    /** Calls that were reported. */
    notedCalls: number;
  }
}

interface RequestLogOptions {
  readonly onRequestDone: OnRequestDone;
  readonly onCallDone?: OnCallDone | undefined;
}

interface FinishedRequest {
  readonly request: FastifyRequest;
  /** Read at once: a closed socket has none. */
  readonly ip: string;
  readonly status: number;
  readonly ms: number;
}

const RATE_LIMITED = 429;
/** Requests above their rate cost nothing, and neither should their log. */
const RATE_LIMITED_LINES_PER_SECOND = 10;

/**
 * One log line and one measurement for every request; never the query of a URL, which may contain a key. Requests that
 * finish in the same turn of the event loop are recorded together at its end: between two requests the code of the logger
 * would run cold, which takes five times as long.
 */
export const requestLog = fp(async (app, { onRequestDone, onCallDone }: RequestLogOptions) => {
  let finished: FinishedRequest[] = [];
  const rateLimited = createSampler(RATE_LIMITED_LINES_PER_SECOND);
  const streams = new WeakSet<FastifyRequest>();

  function finish(request: FastifyRequest, status: number, ms: number): void {
    if (finished.push({ request, ip: request.ip, status, ms }) === 1) setImmediate(recordAll);
  }

  function recordAll(): void {
    const list = finished;
    finished = [];
    for (const one of list) record(one);
  }

  app.decorateRequest('notedCalls', 0);
  app.decorateRequest('noteCall', function noteCall(this: FastifyRequest, operation, status) {
    this.notedCalls += 1;
    onCallDone?.(this.keyId, this.routeOptions.config.interface ?? 'none', operation, status);
  });
  app.decorateRequest('noteStream', function noteStream(this: FastifyRequest, operation) {
    this.noteCall(operation, 200);
    streams.add(this);
    const { keyId, ip } = this;
    this.log.info(
      { interface: this.routeOptions.config.interface ?? 'none', operation, keyId, ip, status: 200 },
      'Stream opened',
    );
  });
  app.addHook('onResponse', (request, reply, done) => {
    finish(request, reply.statusCode, reply.elapsedTime);
    done();
  });
  // Fastify calls `onResponse` only when the response was written, which it is not to a closed connection.
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (request.raw.socket.destroyed) finish(request, CLIENT_GONE, reply.elapsedTime);
    done();
  });
  app.addHook('onClose', async () => recordAll());

  function record({ request, ip, status, ms }: FinishedRequest): void {
    const { calledOperation, routeOptions } = request;
    const { config } = routeOptions;
    const interfaceName = config.interface ?? 'none';
    const operation = calledOperation ?? config.operation ?? 'none';
    onRequestDone(interfaceName, operation, status, ms / 1000);
    if (config.public === true || streams.has(request)) return;
    const { keyId, notedCalls } = request;
    if (notedCalls === 0 && !request.is404) onCallDone?.(keyId, interfaceName, operation, status);
    const unlogged = status === RATE_LIMITED ? rateLimited() : 0;
    if (unlogged === undefined) return;
    const line = {
      interface: interfaceName,
      operation,
      keyId,
      ...(notedCalls > 1 && { calls: notedCalls }),
      ip,
      status,
      ms: Math.round(ms * 1000) / 1000,
    };
    // Not an error: what went wrong in this process has its own line, and a lite server may refuse what a caller wants.
    if (status >= 500) request.log.warn({ ...line, reason: request.failureText }, 'Request failed');
    else request.log.info(unlogged > 0 ? { ...line, unlogged } : line, 'Request completed');
  }
});

/** Creates a sampler: per second it returns so many times how many calls it has left out since the last; else undefined. */
function createSampler(perSecond: number): () => number | undefined {
  let endsAt = 0;
  let taken = 0;
  let leftOut = 0;
  return () => {
    const time = performance.now();
    if (time >= endsAt) {
      endsAt = time + 1000;
      taken = 0;
    }
    if (taken >= perSecond) {
      leftOut += 1;
      return undefined;
    }
    taken += 1;
    const before = leftOut;
    leftOut = 0;
    return before;
  };
}
