import type { Registry } from 'prom-client';
import { createInstruments } from './instruments.ts';

interface WorkerStats {
  /** Workers that answer requests. */
  readonly workers: number;
}

/** Metrics of a server of several processes, which its parent has. */
export function createWorkerMetrics(registry: Registry) {
  const { gauge, observe } = createInstruments<WorkerStats>(registry);
  gauge('tongate_workers', 'Processes that answer requests', 'workers');
  return { observe };
}
