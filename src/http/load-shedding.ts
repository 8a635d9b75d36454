import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import fp from 'fastify-plugin';
import { Failure } from '../lib/errors.ts';

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
    if (!isOverloaded || request.routeOptions.config.public === true) return done();
    onShed();
    return done(
      new Failure('overloaded', 'Server is overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS }),
    );
  });
});
