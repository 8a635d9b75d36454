import type { ClientBase } from 'pg';
import { anyOf, databaseOf } from '../db/driver.ts';
import { describeFailure, troubleOf } from '../db/errors.ts';
import { type IndexLayout, readIndexLayout } from '../index/coverage.ts';
import { ensurePartitions, partitionStart } from '../index/partitions.ts';
import { replaceActions } from '../index/write/stored-actions.ts';
import {
  createFeeder,
  finishTraces,
  giveBackTraces,
  type QueueStats,
  readQueueStats,
  type TakeLimits,
  type TakenTrace,
  takeInterrupted,
  takeTraces,
} from '../index/write/trace-queue.ts';
import type { WriterConnections } from '../index/write/writer-connections.ts';
import { createBackOff } from '../lib/back-off.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import type { Log } from '../lib/log.ts';
import { createFailureLog, createThrottledLog } from '../lib/retry.ts';
import { WakeableTimer } from '../lib/wait.ts';
import { type ClassifiedTrace, classifyTraces } from './classify-traces.ts';
import { loadTraces } from './load-traces.ts';

/** Intervals of classification in production. */
const TIMING = {
  /** Pause when the queue is empty. */
  pollMs: 250,
  /** How often newly detected accounts are looked for. */
  sweepMs: 1000,
  countMs: 10_000,
  /** Back-off after a failure. */
  firstPauseMs: 250,
  maxPauseMs: 15_000,
};

export type ClassifyTiming = Readonly<typeof TIMING>;

export interface ClassifyLoopOptions {
  readonly connections: WriterConnections;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Wakes it when there are traces. */
  readonly idle?: WakeableTimer;
  readonly timing?: Partial<ClassifyTiming> | undefined;
  readonly limits?: BatchContext['limits'];
  readonly onBatch?: (stats: BatchStats) => void;
  readonly onQueue?: (stats: QueueStats) => void;
}

/** While one lane waits for the database, the other uses the CPU. */
const LANES = 2;
/** Database connections that the loop needs. */
export const CLASSIFY_CONNECTIONS = LANES + 1;

/** Session setup: the planner has no statistics of partitions that are being filled. */
export const PREPARE_CLASSIFYING = `
set statement_timeout = 0;
set lock_timeout = 0;
set idle_in_transaction_session_timeout = '60s';
set enable_seqscan = off;
set enable_hashjoin = off;
set enable_mergejoin = off;
set jit = off;
`;

/** Classifies the queue, the newest traces first, until the signal aborts. Failures are retried. */
export async function runClassification(options: ClassifyLoopOptions): Promise<void> {
  const { connections, log, signal, limits, onBatch, onQueue, idle = new WakeableTimer() } = options;
  const timing = { ...TIMING, ...options.timing };
  const now = () => performance.now();
  const context: BatchContext = {
    // Throttled: a failing rule may fail on every trace.
    connections,
    log: createThrottledLog(log, now),
    limits,
    partitions: new Set(),
  };
  const failures = createFailureLog(log, now, describeFailure);
  const feeder = createFeeder();

  /** Repeats a step; pauses after one that did nothing. */
  async function repeat(
    step: () => Promise<boolean>,
    pauseMs: number,
    timer = new WakeableTimer(),
  ): Promise<void> {
    const backOff = createBackOff({ firstMs: timing.firstPauseMs, maxMs: timing.maxPauseMs });
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
      if (nextMs > 0) await timer.wait(nextMs, signal);
    }
  }

  async function classify(): Promise<boolean> {
    const batches = [await classifyNewest(context), await classifyInterrupted(context)];
    for (const stats of batches) if (stats !== undefined) onBatch?.(stats);
    return batches.some((stats) => stats !== undefined) || connections.transact(feeder.feedRange);
  }

  async function count(): Promise<boolean> {
    onQueue?.(await connections.transact(readQueueStats));
    return false;
  }

  await Promise.all([
    ...Array.from({ length: LANES }, () => repeat(classify, timing.pollMs, idle)),
    repeat(async () => (await connections.transact(feeder.requeueDetected)) > 0, timing.sweepMs),
    repeat(count, timing.countMs),
  ]);
}

/** Statistics of traces classified together. */
export interface BatchStats extends WrittenActions {
  readonly ms: Readonly<Record<'load' | 'classify' | 'write', number>>;
}

interface BatchContext {
  readonly connections: WriterConnections;
  readonly log: Log;
  /** First seqnos of existing partitions. */
  readonly partitions: Set<number>;
  readonly limits?: TakeLimits | undefined;
}

const EMPTY_COUNTS: WrittenActions = { traces: 0, transactions: 0, actions: 0, failures: 0 };
const LIMITS: TakeLimits = { traces: 1000, nodes: 2500 };
/** Larger traces are classified only on explicit request. */
const MAX_NODES = 4000;
/** A trace that was started more often without being finished is given up. */
const MAX_TRIES = 5;

/** Takes, classifies and writes the newest traces of the queue; undefined when it is empty. */
export async function classifyNewest(context: BatchContext): Promise<BatchStats | undefined> {
  const taken = await context.connections.transact((client) => takeTraces(client, context.limits ?? LIMITS));
  return taken.length === 0 ? undefined : classifyTaken(context, taken);
}

/** Does the same with one trace that was started before and not finished. */
async function classifyInterrupted(context: BatchContext): Promise<BatchStats | undefined> {
  const taken = await context.connections.transact(takeInterrupted);
  return taken.length === 0 ? undefined : classifyTaken(context, taken);
}

/**
 * Classifies taken traces. When a batch fails, each half is retried until the trace that causes the failure is found; it
 * is recorded as a fault. An unavailable database is not the fault of a trace.
 */
async function classifyTaken(context: BatchContext, taken: readonly TakenTrace[]): Promise<BatchStats> {
  try {
    return await classifyAll(context, taken);
  } catch (error) {
    context.partitions.clear();
    if (isDatabaseFailure(error)) {
      await context.connections.transact((client) => giveBackTraces(client, taken)).catch(() => {});
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
    return recordFault(context, { taken: one, reason, isTooLarge: false, keepsActions: false });
  }
}

async function classifyAll(context: BatchContext, taken: readonly TakenTrace[]): Promise<BatchStats> {
  const startMs = performance.now();
  let rulesMs = 0;
  const faulty = taken.flatMap(unclassifiable);
  const skipped = new Set(faulty.map((one) => one.taken));
  const { outcome, tooHeavy, layout } = await context.connections.transact(async (client) => {
    // An index that was just wiped has no origin, and no traces either.
    const layout: IndexLayout = (await readIndexLayout(client)) ?? { width: 1, historyId: '' };
    const candidates = taken.filter((one) => !skipped.has(one));
    const { loaded, missing, partial, tooHeavy } = await loadTraces(client, candidates);
    const classified = await classifyTraces(client, loaded, {
      onTime: (ms) => {
        rulesMs += ms;
      },
      onRuleError: (rule, err, trace) => context.log.warn({ err, rule, trace }, 'Action rule failed'),
    });
    faulty.push(...partial.map(partialTrace));
    if (taken.length === 1) faulty.push(...tooHeavy.map(heavyTrace));
    const outcome: Outcome = { classified, faulty, missing };
    return { outcome, tooHeavy, layout };
  });
  const loadedMs = performance.now();
  await preparePartitions(context, outcome, layout.width);
  const written = await context.connections.transact(async (client) => {
    // A trace of a discarded block may be in the queue again, with the same first transaction and other ones after it.
    if ((await readIndexLayout(client))?.historyId === layout.historyId) return writeActions(client, outcome);
    await giveBackTraces(client, taken);
    return EMPTY_COUNTS;
  });
  const ms = { load: loadedMs - startMs - rulesMs, classify: rulesMs, write: performance.now() - loadedMs };
  let stats: BatchStats = { ...written, ms };
  // Traces that did not fit into memory with the others.
  if (taken.length > 1)
    for (const one of tooHeavy) stats = addStats(stats, await classifyTaken(context, [one]));
  return stats;
}

async function recordFault(context: BatchContext, fault: FaultyTrace): Promise<BatchStats> {
  const outcome = { classified: [], faulty: [fault], missing: [] };
  const written = await context.connections.transact((client) => writeActions(client, outcome));
  return { ...written, ms: { load: 0, classify: 0, write: 0 } };
}

function addStats(a: BatchStats, b: BatchStats): BatchStats {
  return {
    traces: a.traces + b.traces,
    transactions: a.transactions + b.transactions,
    actions: a.actions + b.actions,
    failures: a.failures + b.failures,
    ms: {
      load: a.ms.load + b.ms.load,
      classify: a.ms.classify + b.ms.classify,
      write: a.ms.write + b.ms.write,
    },
  };
}

/** Lost connections, deadlocks, a full disk and the like, by SQLSTATE class. */
function isDatabaseFailure(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return troubleOf(error) !== undefined || (typeof code === 'string' && /^(08|40|53|57|58)...$/.test(code));
}

/** Traces that are recorded as faults without being read. */
function unclassifiable(taken: TakenTrace): FaultyTrace[] {
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

/** An index from before there were actions has no action partitions yet. */
async function preparePartitions(
  { connections, partitions }: BatchContext,
  { classified }: Outcome,
  width: number,
): Promise<void> {
  const starts = classified.map(({ taken }) => partitionStart(taken.mcSeqnoEnd, width));
  for (const from of new Set(starts))
    await ensurePartitions(connections, { from, to: from, width, known: partitions });
}

/** A trace that could not be classified fully. */
export interface FaultyTrace {
  readonly taken: TakenTrace;
  readonly reason: string;
  readonly isTooLarge: boolean;
  /** Whether its existing actions stay. */
  readonly keepsActions: boolean;
}

/** The outcome for taken traces. */
export interface Outcome {
  readonly classified: readonly ClassifiedTrace[];
  readonly faulty: readonly FaultyTrace[];
  /** Traces that are no longer in the index. */
  readonly missing: readonly TakenTrace[];
}

/** Counts of a written batch. */
export interface WrittenActions {
  readonly traces: number;
  readonly transactions: number;
  readonly actions: number;
  readonly failures: number;
}

const MAX_REASON_CHARS = 500;

const PUT_FAULTS = `
insert into classification_faults (trace_id, mc_seqno_end, too_large, reason)
select * from unnest($1::bytea[], $2::int[], $3::boolean[], $4::text[])`;

/** `do update` locks existing rows too: see requeueDetected. */
const PUT_WAITING = `
insert into waiting_traces (account, trace_id, mc_seqno_end)
select * from unnest($1::bytea[], $2::bytea[], $3::int[]) order by 1, 2
on conflict (account, trace_id) do update set mc_seqno_end = excluded.mc_seqno_end`;

/**
 * Replaces the actions of traces and removes the traces from the queue, in the transaction of the client. Traces whose lease
 * was lost, or that were wiped with the index, are skipped.
 */
export async function writeActions(client: ClientBase, outcome: Outcome): Promise<WrittenActions> {
  const all = [...outcome.classified, ...outcome.faulty].map(({ taken }) => taken);
  const ours = new Set((await finishTraces(client, [...all, ...outcome.missing])).map(bytesKey));
  const isOurs = ({ taken }: { readonly taken: TakenTrace }) => ours.has(bytesKey(taken.traceId));
  const classified = outcome.classified.filter(isOurs);
  const faulty = outcome.faulty.filter(isOurs);
  const replaced = [...classified, ...faulty.filter(({ keepsActions }) => !keepsActions)];
  await replaceActions(
    client,
    replaced.map(({ taken }) => taken),
    classified.flatMap(({ stored }) => stored ?? []),
  );
  const faults = [...faulty, ...classified.flatMap(failureOf)];
  await putFaults(client, [...classified, ...faulty], faults);
  await putWaiting(client, classified);
  return {
    traces: classified.length,
    transactions: classified.reduce((sum, { taken }) => sum + taken.nodes, 0),
    actions: classified.reduce((sum, { actions }) => sum + actions, 0),
    failures: faults.filter(({ isTooLarge }) => !isTooLarge).length,
  };
}

/** A trace on which rules failed has basic actions only. */
function failureOf({ taken, state, fault }: ClassifiedTrace): FaultyTrace[] {
  if (state === 'ok') return [];
  const reason = fault instanceof Error ? fault.message : String(fault ?? 'rules failed');
  return [{ taken, reason, isTooLarge: false, keepsActions: false }];
}

async function putFaults(
  client: ClientBase,
  all: readonly { readonly taken: TakenTrace }[],
  faults: readonly FaultyTrace[],
): Promise<void> {
  if (all.length === 0) return;
  const ids = all.map(({ taken }) => taken.traceId);
  await databaseOf(client).deleteFrom('classification_faults').where('trace_id', '=', anyOf(ids)).execute();
  if (faults.length === 0) return;
  await client.query(PUT_FAULTS, [
    faults.map(({ taken }) => taken.traceId),
    faults.map(({ taken }) => taken.mcSeqnoEnd),
    faults.map(({ isTooLarge }) => isTooLarge),
    faults.map(({ reason }) => reason.slice(0, MAX_REASON_CHARS).replaceAll('\0', '').toWellFormed()),
  ]);
}

async function putWaiting(client: ClientBase, traces: readonly ClassifiedTrace[]): Promise<void> {
  const rows = traces.flatMap(({ taken, undetected }) => undetected.map((account) => ({ account, taken })));
  if (rows.length === 0) return;
  await client.query(PUT_WAITING, [
    rows.map(({ account }) => account),
    rows.map(({ taken }) => taken.traceId),
    rows.map(({ taken }) => taken.mcSeqnoEnd),
  ]);
}
