import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';

export interface SheddingOptions {
  /** Event-loop delay above which requests are refused; 0 switches the check off. */
  readonly loopDelayMs: number;
  /** Share of the heap limit above which requests are refused; 0 switches the check off. */
  readonly heapPercent: number;
  readonly onShed: () => void;
}

const SAMPLE_EVERY_MS = 500;

/**
 * Says whether the process cannot keep up: then requests are answered early with 503, so that what has been accepted
 * still finishes. @fastify/under-pressure takes the samples; its own hook would run on every route, health included.
 */
export async function createPressure(
  app: FastifyInstance,
  { loopDelayMs, heapPercent }: SheddingOptions,
): Promise<() => boolean> {
  await app.register(underPressure, { sampleInterval: SAMPLE_EVERY_MS });
  const maxHeapBytes = (getHeapStatistics().heap_size_limit * heapPercent) / 100;
  let high = false;
  let fromMs = Number.POSITIVE_INFINITY;
  // The start itself keeps the event loop busy: what was measured before its end says nothing about requests.
  app.addHook('onReady', async () => {
    fromMs = performance.now() + 2 * SAMPLE_EVERY_MS;
  });
  const look = setInterval(() => {
    if (performance.now() < fromMs) return;
    const { eventLoopDelay, heapUsed } = app.memoryUsage();
    high = (loopDelayMs > 0 && eventLoopDelay > loopDelayMs) || (heapPercent > 0 && heapUsed > maxHeapBytes);
  }, SAMPLE_EVERY_MS / 2).unref();
  app.addHook('onClose', async () => clearInterval(look));
  return () => high;
}
