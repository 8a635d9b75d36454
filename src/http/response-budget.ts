import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { Failure } from '../lib/errors.ts';
import { type BudgetPermit, createPayerBudget } from '../lib/payer-budget.ts';
import { bodyBytes } from './body.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the size of the response is charged to; null if it counts against nobody. */
    responsePermit: BudgetPermit | null;
  }
}

export interface ResponseBudgetOptions {
  /** Kilobytes per second, for each request a second that a caller may make; undefined for no limit. */
  readonly kbPerRps: number | undefined;
  /** Called for every response of an interface with the bytes of its body before compression. */
  readonly onResponse: (interfaceName: string, bytes: number) => void;
  readonly onRefused: () => void;
  /** Monotonic milliseconds. */
  readonly now?: (() => number) | undefined;
}

/** What was not used is saved for this long: with the default rate 20 MB, the largest response there is. */
const SAVED_SECONDS = 50;
/** The slowest caller too can save a page of a thousand transactions. */
const MIN_SAVED_BYTES = 4_000_000;

/**
 * The size of responses counts against the caller: a response of 20 MB costs as much work as ten thousand short ones. Who
 * has used up its bytes is refused until they are refilled.
 */
export const responseBudget = fp(async (app, options: ResponseBudgetOptions) => {
  const { kbPerRps, onResponse, onRefused, now } = options;
  const budget = createPayerBudget({
    unitsPerRps: kbPerRps === undefined ? undefined : kbPerRps * 1000,
    savedSeconds: SAVED_SECONDS,
    minSaved: MIN_SAVED_BYTES,
    // Nearly all responses are short.
    expected: 0,
    now,
  });
  app.decorateRequest('responsePermit', null);

  app.addHook('onRequest', (request, _reply, done) => {
    const { interface: interfaceName, public: isPublic } = request.routeOptions.config;
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
    const { interface: interfaceName } = request.routeOptions.config ?? {};
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
