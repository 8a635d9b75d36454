import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../../lib/failure.ts';

export interface SheddingOptions {
  /** Event-loop delay above which requests are refused; 0 switches the check off. */
  readonly loopDelayMs: number;
  /** Share of the heap limit above which requests are refused; 0 switches the check off. */
  readonly heapPercent: number;
  readonly onShed: () => void;
}

const RETRY_AFTER_SECONDS = 2;

/** Answers 503 early while the process cannot keep up, so that what it has accepted still finishes. */
export async function addLoadShedding(app: FastifyInstance, options: SheddingOptions): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: options.loopDelayMs,
    maxHeapUsedBytes: Math.floor((getHeapStatistics().heap_size_limit * options.heapPercent) / 100),
    sampleInterval: 500,
    pressureHandler: async (request) => {
      // Health and metrics must answer exactly then.
      if (request.routeOptions.config.gated === false) return;
      options.onShed();
      throw new Failure('overloaded', 'Server is overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    },
  });
}
