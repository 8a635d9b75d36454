import type { ClientBase } from 'pg';
import { troubleOf } from '../../db/errors.ts';
import { ensurePartitions, partitionStart } from '../../db/partitions.ts';
import { createBackOff } from '../../lib/back-off.ts';
import type { Log } from '../../lib/log.ts';
import { pause } from '../../lib/wait.ts';
import { createFailureLog, createThrottledLog } from '../retry.ts';
import type { WriterConnections } from '../write/writer-connections.ts';
import { classifyTraces } from './classify-traces.ts';
import { loadTraces } from './load-traces.ts';
import {
  createFeeder,
  giveBackTraces,
  type QueueStats,
  readQueueStats,
  type TakeLimits,
  type TakenTrace,
  takeTraces,
  takeUnfinished,
} from './trace-queue.ts';
import { type FaultyTrace, type Outcome, type WrittenActions, writeActions } from './write-actions.ts';

/** How often is done what. */
export interface ClassifyTiming {
  /** The pause when nothing is to be done. */
  readonly pollMs: number;
  /** How often it is looked for accounts that were judged. */
  readonly sweepMs: number;
  readonly countMs: number;
  /** Pauses after a failure. */
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
}

/** The times in service. */
const TIMING: ClassifyTiming = {
  pollMs: 250,
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
  readonly onBatch?: (stats: BatchStats) => void;
  readonly onQueue?: (stats: QueueStats) => void;
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
    connections,
    log: createThrottledLog(log, now),
    limits,
    partitions: new Set(),
  };
  const failures = createFailureLog(log, now);
  const feeder = createFeeder();
  const transact = <T>(work: (client: ClientBase) => Promise<T>) =>
    connections.transact(work, (commit) => commit());

  /** Does a step again and again; after one that did nothing there is a pause. */
  async function repeat(step: () => Promise<boolean>, pauseMs: number): Promise<void> {
    const backOff = createBackOff({
      firstMs: timing.firstPauseMs,
      maxMs: timing.maxPauseMs,
    });
    while (!signal.aborted) {
      let nextMs = 0;
      try {
        if (!(await step())) nextMs = pauseMs;
        failures.clear();
        backOff.reset();
      } catch (error) {
        if (signal.aborted) return;
        failures.add(error);
        nextMs = backOff.next();
      }
      if (nextMs > 0) await pause(nextMs, signal);
    }
  }

  async function classify(): Promise<boolean> {
    const batches = [await classifyNewest(context), await classifyUnfinished(context)];
    for (const stats of batches) if (stats !== undefined) onBatch?.(stats);
    return batches.some((stats) => stats !== undefined) || transact(feeder.feedRange);
  }

  async function count(): Promise<boolean> {
    onQueue?.(await transact(readQueueStats));
    return false;
  }

  await Promise.all([
    ...Array.from({ length: LANES }, () => repeat(classify, timing.pollMs)),
    repeat(async () => (await transact(feeder.requeueJudged)) > 0, timing.sweepMs),
    repeat(count, timing.countMs),
  ]);
}

/** What was done with the traces that were taken together. */
export interface BatchStats extends WrittenActions {
  /** Seconds since 1970 at which the newest trace ended; 0 without one. */
  readonly newestUtime: number;
  /** Milliseconds by part. */
  readonly ms: Readonly<Record<'load' | 'classify' | 'write', number>>;
}

interface BatchContext {
  readonly connections: WriterConnections;
  readonly log: Log;
  /** First seqnos of partitions that are there. */
  readonly partitions: Set<number>;
  /** What is classified together. */
  readonly limits?: TakeLimits | undefined;
}

const LIMITS: TakeLimits = { traces: 400, nodes: 1000 };
/** Larger traces are classified only when somebody asks for exactly that. */
const MAX_NODES = 4000;
/** A trace that was begun so often and never finished is left alone. */
const MAX_TRIES = 5;

/** Takes, classifies and writes the newest traces of the queue; undefined when there are none. */
export async function classifyNewest(context: BatchContext): Promise<BatchStats | undefined> {
  const taken = await transact(context, (client) => takeTraces(client, context.limits ?? LIMITS));
  return taken.length === 0 ? undefined : classifyTaken(context, taken);
}

/** Does the same with one trace that was begun before and not finished. */
async function classifyUnfinished(context: BatchContext): Promise<BatchStats | undefined> {
  const taken = await transact(context, takeUnfinished);
  return taken.length === 0 ? undefined : classifyTaken(context, taken);
}

/**
 * Classifies traces that were taken. When something of several goes wrong, each half is tried apart, until one is found
 * that is the reason: it is noted as a fault. That the database cannot be reached is nobody's fault.
 */
async function classifyTaken(context: BatchContext, taken: readonly TakenTrace[]): Promise<BatchStats> {
  try {
    return await classifyAll(context, taken);
  } catch (error) {
    context.partitions.clear();
    if (isDatabaseTrouble(error)) {
      await transact(context, (client) => giveBackTraces(client, taken)).catch(() => {});
      throw error;
    }
    const half = taken.length >> 1;
    if (half > 0)
      return addStats(
        await classifyTaken(context, taken.slice(0, half)),
        await classifyTaken(context, taken.slice(half)),
      );
    const [one] = taken as [TakenTrace];
    context.log.warn({ err: error, trace: one.traceId.toString('base64') }, 'Trace classification failed');
    const reason = error instanceof Error ? error.message : String(error);
    return noteFault(context, { taken: one, reason, isTooLarge: false, keepsActions: false });
  }
}

async function classifyAll(context: BatchContext, taken: readonly TakenTrace[]): Promise<BatchStats> {
  const startMs = performance.now();
  let rulesMs = 0;
  const faulty = taken.flatMap(hopeless);
  const skipped = new Set(faulty.map((one) => one.taken));
  const { outcome, tooHeavy, width } = await transact(context, async (client) => {
    const width = await partitionWidth(client);
    const hopeful = taken.filter((one) => !skipped.has(one));
    const { loaded, gone, partial, tooHeavy } = await loadTraces(client, hopeful, width);
    const classified = await classifyTraces(client, loaded, {
      onTime: (ms) => {
        rulesMs += ms;
      },
      onRuleFault: (rule, err, trace) => context.log.warn({ err, rule, trace }, 'Action rule failed'),
    });
    faulty.push(...partial.map(partialTrace));
    if (taken.length === 1) faulty.push(...tooHeavy.map(heavyTrace));
    const outcome: Outcome = { classified, faulty, gone };
    return { outcome, tooHeavy, width };
  });
  const loadedMs = performance.now();
  await preparePartitions(context, outcome, width);
  const written = await transact(context, (client) => writeActions(client, outcome));
  const newestUtime = outcome.classified.reduce((most, { facts }) => Math.max(most, facts.endUtime), 0);
  const ms = { load: loadedMs - startMs - rulesMs, classify: rulesMs, write: performance.now() - loadedMs };
  let stats: BatchStats = { ...written, newestUtime, ms };
  // Those that had no place in memory beside the others.
  if (taken.length > 1)
    for (const one of tooHeavy) stats = addStats(stats, await classifyTaken(context, [one]));
  return stats;
}

async function noteFault(context: BatchContext, fault: FaultyTrace): Promise<BatchStats> {
  const outcome = { classified: [], faulty: [fault], gone: [] };
  const written = await transact(context, (client) => writeActions(client, outcome));
  return { ...written, newestUtime: 0, ms: { load: 0, classify: 0, write: 0 } };
}

function addStats(a: BatchStats, b: BatchStats): BatchStats {
  return {
    traces: a.traces + b.traces,
    transactions: a.transactions + b.transactions,
    actions: a.actions + b.actions,
    failures: a.failures + b.failures,
    newestUtime: Math.max(a.newestUtime, b.newestUtime),
    ms: {
      load: a.ms.load + b.ms.load,
      classify: a.ms.classify + b.ms.classify,
      write: a.ms.write + b.ms.write,
    },
  };
}

/** Connections, deadlocks, a full disk and the like, by the classes of codes. */
function isDatabaseTrouble(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return troubleOf(error) !== undefined || (typeof code === 'string' && /^(08|40|53|57|58)...$/.test(code));
}

/** Traces that are not even read. */
function hopeless(taken: TakenTrace): FaultyTrace[] {
  const { nodes, anySize, tries } = taken;
  if (nodes > MAX_NODES && !anySize) {
    const reason = `Trace has ${nodes} transactions, more than ${MAX_NODES}`;
    return [{ taken, reason, isTooLarge: true, keepsActions: true }];
  }
  if (tries <= MAX_TRIES) return [];
  const reason = `Classification was started ${tries - 1} times and never finished`;
  return [{ taken, reason, isTooLarge: false, keepsActions: true }];
}

function partialTrace(taken: TakenTrace): FaultyTrace {
  const reason = 'Some of its transactions are no longer in the index';
  return { taken, reason, isTooLarge: false, keepsActions: true };
}

function heavyTrace(taken: TakenTrace): FaultyTrace {
  const reason = 'Its messages exceed the memory limit of one trace';
  return { taken, reason, isTooLarge: true, keepsActions: true };
}

/** Seqnos a partition; an index that was just emptied has none, and no traces either. */
async function partitionWidth(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ width: number }>(
    'select partition_seqnos as width from index_origin',
  );
  return rows[0]?.width ?? 1;
}

/** Partitions of an index from before there were actions have none for them yet. */
async function preparePartitions(
  { connections, partitions }: BatchContext,
  { classified }: Outcome,
  width: number,
): Promise<void> {
  const starts = classified.map(({ taken }) => partitionStart(taken.mcSeqnoEnd, width));
  for (const from of new Set(starts))
    await ensurePartitions(connections, { from, to: from, width, known: partitions });
}

function transact<T>({ connections }: BatchContext, work: (client: ClientBase) => Promise<T>): Promise<T> {
  return connections.transact(work, (commit) => commit());
}
