import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import type { Log } from '../../lib/log.ts';
import { createBackOff } from '../../lite/connection/back-off.ts';
import { createCalmLog, createTroubleLog } from '../trouble-log.ts';
import type { WriterConnections } from '../write/writer-connections.ts';
import {
  type BatchContext,
  type BatchFigures,
  classifyNewest,
  classifyUnfinished,
} from './classify-batch.ts';
import { createFeeder } from './feed-queue.ts';
import { type QueueFigures, readQueueFigures } from './queue-figures.ts';

/** How often is done what. */
export interface ClassifyTiming {
  /** The pause when nothing is to be done. */
  readonly lookMs: number;
  /** How often it is looked for accounts that were judged. */
  readonly sweepMs: number;
  readonly countMs: number;
  /** Pauses after a failure. */
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
}

/** The times in service. */
const TIMING: ClassifyTiming = {
  lookMs: 250,
  sweepMs: 1000,
  countMs: 10_000,
  firstPauseMs: 250,
  maxPauseMs: 15_000,
};

export interface ClassifyLoopOptions {
  readonly connections: WriterConnections;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly timing?: Partial<ClassifyTiming> | undefined;
  readonly limits?: BatchContext['limits'];
  readonly onBatch?: (figures: BatchFigures) => void;
  readonly onQueue?: (figures: QueueFigures) => void;
}

/** While one waits for the database, the other has the processor. */
const LANES = 2;
/** Connections that it needs. */
export const CLASSIFY_CONNECTIONS = LANES + 1;

/** What a connection runs first: of partitions that are just being filled the planner knows nothing. */
export const PREPARE_CLASSIFYING = `
set statement_timeout = 0;
set lock_timeout = 0;
set idle_in_transaction_session_timeout = '60s';
set enable_seqscan = off;
set enable_hashjoin = off;
set enable_mergejoin = off;
set jit = off;
`;

/** Classifies whatever is in the queue, the newest first, until the signal ends it. Trouble is waited out. */
export async function runClassification(options: ClassifyLoopOptions): Promise<void> {
  const { connections, log, signal, limits, onBatch, onQueue } = options;
  const timing = { ...TIMING, ...options.timing };
  const now = () => performance.now();
  const context: BatchContext = {
    // A rule that fails may fail on every trace.
    ...{ connections, log: createCalmLog(log, now), limits, partitions: new Set() },
  };
  const troubles = createTroubleLog(log, now);
  const feeder = createFeeder();
  const transact = <T>(work: (client: ClientBase) => Promise<T>) =>
    connections.transact(work, (commit) => commit());

  /** Does a step again and again; after one that did nothing there is a pause. */
  async function repeat(step: () => Promise<boolean>, pauseMs: number): Promise<void> {
    const backOff = createBackOff({
      ...{ firstMs: timing.firstPauseMs, maxMs: timing.maxPauseMs, random: Math.random },
    });
    while (!signal.aborted) {
      let nextMs = 0;
      try {
        if (!(await step())) nextMs = pauseMs;
        troubles.clear();
        backOff.reset();
      } catch (error) {
        if (signal.aborted) return;
        troubles.add(error);
        nextMs = backOff.next();
      }
      if (nextMs > 0) await sleep(nextMs, undefined, { signal }).catch(() => {});
    }
  }

  async function classify(): Promise<boolean> {
    const batches = [await classifyNewest(context), await classifyUnfinished(context)];
    for (const figures of batches) if (figures !== undefined) onBatch?.(figures);
    return batches.some((figures) => figures !== undefined) || transact(feeder.feedRange);
  }

  async function count(): Promise<boolean> {
    onQueue?.(await transact(readQueueFigures));
    return false;
  }

  await Promise.all([
    ...Array.from({ length: LANES }, () => repeat(classify, timing.lookMs)),
    repeat(async () => (await transact(feeder.requeueJudged)) > 0, timing.sweepMs),
    repeat(count, timing.countMs),
  ]);
}
