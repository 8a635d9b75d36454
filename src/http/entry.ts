import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '../lib/errors.ts';
import type { Logger, RequestLine } from '../observe/logger.ts';
import { AnswerHead } from './answer-head.ts';
import { answerPreflight, crossOriginHeaders } from './cross-origin.ts';
import type { Gate } from './gate.ts';
import { relabelBody } from './plugins/json-body.ts';
import { createPressure, type SheddingOptions } from './pressure.ts';
import { createRequestLines } from './request-lines.ts';
import { createRequestLog } from './request-log.ts';
import { sizeFailure } from './size-limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Operation that a JSON-RPC call turned out to be; null where the route itself is the operation. */
    calledOperation: string | null;
    /** The config of the route; `routeOptions`, where Fastify keeps it, is built anew on every access. */
    route: FastifyContextConfig;
    /** When the request arrived, on the clock of `performance.now`. */
    startedAtMs: number;
  }
  interface FastifyContextConfig {
    /** Interface that the route belongs to, as metrics and logs call it. */
    interface?: string;
  }
}

/** Told about every answered request. */
export type OnRequestDone = (
  interfaceName: string,
  operation: string,
  status: number,
  seconds: number,
) => void;

export interface EntryOptions {
  readonly log: Logger;
  readonly gate: Gate;
  readonly cors: boolean;
  readonly shedding: SheddingOptions;
  readonly onRequestDone: OnRequestDone;
  /** Writes the log line of an answered request. */
  readonly writeLine: (line: RequestLine) => void;
}

const NO_ROUTE: FastifyContextConfig = {};
const RETRY_AFTER_SECONDS = 2;

/** Milliseconds since the request arrived. */
export function elapsedMs(request: FastifyRequest): number {
  return performance.now() - request.startedAtMs;
}

/**
 * What every request meets first, in this order: its log, the rules for other origins, the limits on its size, the
 * check whether there is room for it, the gate; and what is kept of it when its answer goes out. One hook and not
 * five, because each costs.
 */
export async function addEntry(app: FastifyInstance, options: EntryOptions): Promise<void> {
  const { log, gate, cors, shedding } = options;
  const isUnderPressure = await createPressure(app, shedding);
  app.decorateRequest('keyId', null);
  app.decorateRequest('liteGroup');
  app.decorateRequest('calledOperation', null);
  app.decorateRequest('route');
  app.decorateRequest('head');
  app.decorateRequest('startedAtMs', 0);
  await gate.install(app);

  app.addHook('onRequest', (request, reply, done) => {
    request.startedAtMs = performance.now();
    request.route = request.routeOptions.config ?? NO_ROUTE;
    request.log = reply.log = createRequestLog(log, request.id);
    if (cors && request.method === 'OPTIONS') return answerPreflight(reply);
    const crossOrigin = cors ? crossOriginHeaders(request) : undefined;
    request.head = new AnswerHead(request.id, crossOrigin);
    relabelBody(request);
    const { gated, limits } = request.route;
    if (gated === false) {
      // Pages go out through Fastify and not as finished JSON.
      reply.headers({ 'x-request-id': request.id, ...crossOrigin });
      return done();
    }
    const tooLarge = limits && sizeFailure(request, limits);
    if (tooLarge !== undefined) return done(tooLarge);
    if (isUnderPressure()) {
      shedding.onShed();
      const retryAfterSeconds = RETRY_AFTER_SECONDS;
      return done(new Failure('overloaded', 'Server is overloaded', { retryAfterSeconds }));
    }
    admit(gate, request, done);
  });
  addRecord(app, options);
}

function admit(gate: Gate, request: FastifyRequest, done: (error?: Error) => void): void {
  let pending: Promise<void> | undefined;
  try {
    pending = gate.admit(request, request.head!);
  } catch (error) {
    done(error as Error);
    return;
  }
  if (pending === undefined) done();
  else pending.then(() => done(), done);
}

/**
 * Makes `recordAnswer`, which writes one log line and one measurement for an answer; never a URL's query, which may
 * hold a key. It is called when the answer is sent and not when it has arrived: listening for that costs more than all
 * of this.
 */
function addRecord(app: FastifyInstance, { log, onRequestDone, writeLine }: EntryOptions): void {
  const lines = createRequestLines(log, writeLine);
  app.addHook('onClose', async () => lines.flush());
  app.decorate('recordAnswer', (request: FastifyRequest, status: number) => {
    const { route, calledOperation } = request;
    // A malformed URL is refused before any hook has seen the request.
    if (route === undefined) return;
    const interfaceName = route.interface ?? 'none';
    const operation = calledOperation ?? route.operation ?? 'none';
    const ms = elapsedMs(request);
    onRequestDone(interfaceName, operation, status, ms / 1000);
    if (route.gated === false) return;
    lines.add({
      reqId: request.id,
      interface: interfaceName,
      operation,
      keyId: request.keyId,
      ip: request.ip,
      status,
      ms: Math.round(ms * 1000) / 1000,
    });
  });
}
