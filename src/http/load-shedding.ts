import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
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
const RETRY_AFTER_SECONDS = 2;

/** Rejects requests with 503 while the process cannot keep up, so that accepted ones still finish. */
export const loadShedding = fp(async (app, { loopDelayMs, heapPercent, onShed }: SheddingOptions) => {
  let fromMs = Number.POSITIVE_INFINITY;
  // The start keeps the event loop busy: a sample taken before its end says nothing about requests.
  app.addHook('onReady', async () => {
    fromMs = performance.now() + 2 * SAMPLE_EVERY_MS;
  });
  await app.register(underPressure, {
    sampleInterval: SAMPLE_EVERY_MS,
    maxEventLoopDelay: loopDelayMs,
    maxHeapUsedBytes: (getHeapStatistics().heap_size_limit * heapPercent) / 100,
    // Called under pressure only; to return nothing lets the request pass.
    pressureHandler: (request) => {
      if (request.routeConfig.public === true || performance.now() < fromMs) return;
      onShed();
      throw new Failure('overloaded', 'Server is overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    },
  });
});
