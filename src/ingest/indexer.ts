import { describeFailure } from '../db/errors.ts';
import {
  type Claim,
  ClaimKeeper,
  ClaimLost,
  claimChunk,
  claimHead,
  createOwnerNames,
  releaseDeadOwners,
} from '../index/chunks.ts';
import { indexedRanges, type Origin, openOrigin, wipeIndex } from '../index/coverage.ts';
import { createBackOff } from '../lib/back-off.ts';
import { BusyTime } from '../lib/busy-time.ts';
import { StartError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { createFailureLog, createThrottledLog, retryUntilDone } from '../lib/retry.ts';
import { pause, waitAtMost } from '../lib/wait.ts';
import { type FetchContext, FetchGate } from '../lite/fetch-context.ts';
import { createLiteSource } from './fetch/lite-source.ts';
import { ChainDiverged } from './fetch/masterchain-blocks.ts';
import { indexRange, type RangeContext } from './index-range.ts';
import {
  INDEXER_TIMING,
  type IndexerOptions,
  type IndexerTiming,
  NO_INDEXER_METRICS,
} from './indexer-options.ts';
import { completePools } from './pools/complete-pools.ts';
import { type IndexProgress, ProgressTracker } from './progress.ts';
import { findFork, type Relation, restoreStates } from './roll-back.ts';
import { completeMissingCells } from './states/fetch-states.ts';
import { completeElectorStates, readValidatorsAt } from './validators/elector-tracker.ts';

const LANES = 2;
const MISSING_AT_ONCE = 4;
const POOLS_AT_ONCE = 4;
const CHUNK_SEQNOS = 1000;
const HEAD_WAIT_MS = 10_000;
const ROLL_BACK_FETCHES = 8;
/** Work that has not stopped by then is abandoned: a hanging database must not keep the process alive. */
const CLOSE_MS = 10_000;

/**
 * Creates an indexer, which fills the index and keeps it at the head. The schema must exist; lite servers and the database
 * may be unavailable at times.
 */
export function createIndexer(options: IndexerOptions) {
  const { pool, check, db, writer, log, lanes = LANES, mayRestart = false } = options;
  const { now = () => performance.now(), metrics = NO_INDEXER_METRICS } = options;
  const timing = { ...INDEXER_TIMING, ...options.timing };
  const newOwner = createOwnerNames();
  const progress = new ProgressTracker(now);
  const throttledLog = createThrottledLog(log, now);
  const fetching = new BusyTime((ms) => metrics.time('fetch', ms));
  const decoding = new BusyTime((ms) => metrics.time('decode', ms));
  const closed = new AbortController();
  let running: Promise<void> | undefined;
  /** Ends the current work of all lanes. */
  let round = new AbortController();
  /** Callers that wait until the index has followed the chain back. */
  let waiting: (() => void)[] = [];

  const onError = (error: unknown): void => {
    progress.lastError = describeFailure(error);
  };
  const retryOptions = (signal: AbortSignal, task: string) => ({ log, signal, task, onError });
  const fetchAtMost = (concurrency: number, signal: AbortSignal): FetchContext => ({
    pool,
    check,
    log: throttledLog,
    signal,
    onError,
    gate: new FetchGate(concurrency),
  });

  async function run(): Promise<void> {
    while (!closed.signal.aborted) {
      round = new AbortController();
      const served = waiting;
      waiting = [];
      try {
        if (served.length > 0) await followBack();
        for (const resolve of served) resolve();
        await runUntilFailure();
      } catch (error) {
        for (const resolve of served) resolve();
        if (closed.signal.aborted) return;
        if (round.signal.aborted) continue;
        onError(error);
        if (!mayRestart || !isOtherChain(error)) {
          progress.state = 'stopped';
          log.error({ err: error }, 'Indexing stopped');
          return;
        }
        await (error instanceof ChainDiverged ? followBack() : rebuild((error as Error).message)).catch(
          () => {},
        );
      }
    }
  }

  /** Takes back the indexed blocks that the chain no longer has. */
  async function followBack(): Promise<void> {
    const { signal } = closed;
    const options = retryOptions(signal, 'follow the chain back');
    const outcome = await retryUntilDone(() => rollBack(fetchAtMost(ROLL_BACK_FETCHES, signal)), options);
    if (outcome === 'unrelated') await rebuild('it shares no indexed block with the index');
    else if (outcome !== 'same') {
      log.info(
        { seqno: outcome.common.seqno, from: outcome.discarded.seqno },
        'Chain went back, index rolled back',
      );
      writer.reset();
      progress.reset(await indexedRanges(db).catch(() => []));
    }
  }

  async function rollBack(fetch: FetchContext): Promise<Relation> {
    const fork = await findFork(fetch, db);
    if (typeof fork === 'string') return fork;
    const changed = await writer.changedAccounts(fork.common.seqno);
    const restored = await restoreStates(
      { fetch, detection: options.detection, block: fork.common, hasGenesis: await hasGenesis(db) },
      changed,
    );
    const validators = await readValidatorsAt(fetch, fork.common);
    await writer.rollBack({ fork, changed, restored, validators });
    return fork;
  }

  async function rebuild(reason: string): Promise<void> {
    log.warn({ reason }, 'Chain was reset, rebuilding the index');
    await retryUntilDone(() => wipeIndex(db), retryOptions(closed.signal, 'empty the index'));
    writer.reset();
    progress.reset();
  }

  /** Runs all parts together; when one fails for good, all stop. */
  async function runUntilFailure(): Promise<void> {
    const stop = new AbortController();
    const signal = AbortSignal.any([closed.signal, stop.signal, round.signal]);
    const origin = await openIndex(signal);
    progress.from = origin.firstSeqno;
    const keeper = new ClaimKeeper(db);
    const { chunkSeqnos = CHUNK_SEQNOS } = options;
    const context: LaneContext = {
      ...options,
      metrics,
      origin,
      newOwner,
      chunkSeqnos,
      mayRestart,
      keeper,
      progress,
      timing,
      now,
      signal,
      throttledLog,
      fetching,
      decoding,
    };
    const parts = [
      followHead(context),
      ...Array.from({ length: lanes }, () => backfill(context)),
      completeMissingCells({
        db,
        writer,
        pauseMs: timing.missingMs,
        detection: options.detection?.open({ follows: false }),
        context: fetchAtMost(MISSING_AT_ONCE, signal),
        onRound({ missing, requested }) {
          progress.missing = missing;
          progress.statesRequested += requested;
          metrics.count('requested', requested);
        },
      }),
      ...(options.vm === undefined
        ? []
        : [
            completePools({
              db,
              writer,
              vm: options.vm,
              pauseMs: timing.poolsMs,
              onRound(waiting) {
                progress.waitingPools = waiting;
              },
              context: fetchAtMost(POOLS_AT_ONCE, signal),
            }),
          ]),
      completeElectorStates({
        db,
        decoder: options.decoder,
        writer,
        pauseMs: timing.missingMs,
        onRound(missing) {
          progress.missingElectorStates = missing;
        },
        context: fetchAtMost(MISSING_AT_ONCE, signal),
      }),
      keepAlive(keeper, signal),
    ];
    try {
      await Promise.all(parts);
    } finally {
      stop.abort();
      await Promise.allSettled(parts);
    }
  }

  async function openIndex(signal: AbortSignal): Promise<Origin> {
    const { from, partitionSeqnos } = options;
    const open = async (): Promise<Origin> => {
      const head = pool.head ?? (await pool.waitForSeqno(0, { timeoutMs: HEAD_WAIT_MS, signal }));
      const firstSeqno = from === 'now' ? Math.max(1, head.seqno) : Math.max(1, from);
      await releaseDeadOwners(db);
      return openOrigin(db, { zeroState: pool.zeroState.rootHash, firstSeqno, partitionSeqnos });
    };
    return retryUntilDone(open, {
      ...retryOptions(signal, 'open the index'),
      isFinal: (error) => error instanceof StartError,
    });
  }

  async function keepAlive(keeper: ClaimKeeper, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await keeper.sendHeartbeats();
        await releaseDeadOwners(db);
        progress.setRanges(await indexedRanges(db));
        // It moves when another process starts with an earlier first seqno, or old history is dropped.
        progress.from = await firstSeqno(db);
      } catch (error) {
        onError(error);
      }
      await pause(timing.heartbeatMs, signal);
    }
  }

  return {
    /** Starts indexing; failures of any kind are retried. */
    start(): void {
      running ??= run();
    },
    /**
     * Call it after the chain may have gone back to an earlier block: the index goes back with it, or is rebuilt if that is
     * not possible. Resolves when it has gone back, or nothing is indexed any more. Does nothing unless the index may
     * restart.
     */
    async followRestoredChain(): Promise<void> {
      if (!mayRestart || running === undefined || progress.state === 'stopped') return;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      round.abort(new Error('the chain may have gone back'));
      await Promise.race([promise, running]);
    },
    /** Stops and releases claims; a batch that is being written is finished. */
    async close(): Promise<void> {
      closed.abort(new Error('the indexer is closed'));
      await waitAtMost(CLOSE_MS, running);
      progress.state = 'stopped';
    },
    progress: (): IndexProgress => progress.read(pool.head?.seqno),
  };
}

/** Whether the index has the accounts of the zero states. */
async function hasGenesis(db: IndexerOptions['db']): Promise<boolean> {
  return (await firstSeqno(db)) === 1;
}

async function firstSeqno(db: IndexerOptions['db']): Promise<number | undefined> {
  const origin = await db.selectFrom('index_origin').select('first_seqno').executeTakeFirst();
  return origin?.first_seqno;
}

function isOtherChain(error: unknown): boolean {
  return error instanceof ChainDiverged || error instanceof StartError;
}

/** Shared by all lanes of an indexer. */
interface LaneContext
  extends Pick<RangeContext, 'db' | 'decoder' | 'decoding' | 'writer' | 'metrics' | 'origin'>,
    Pick<IndexerOptions, 'pool' | 'check' | 'log' | 'detection' | 'onWritten'> {
  readonly newOwner: () => string;
  readonly chunkSeqnos: number;
  readonly mayRestart: boolean;
  readonly keeper: ClaimKeeper;
  readonly progress: ProgressTracker;
  readonly timing: IndexerTiming;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Measures the time during which anything is fetched. */
  readonly fetching: BusyTime;
  /** For failures that many tasks report at once. */
  readonly throttledLog: Log;
}

/** Blocks that a lane fetches concurrently. */
const MAX_CONCURRENT_FETCHES = 24;
/** A lane that is more chunks behind the head leaves the gap to backfill. */
const FAR_CHUNKS = 2;

/** Follows the head while no other process does; throws ChainDiverged only if the index may restart. */
function followHead(context: LaneContext): Promise<void> {
  const { pool, db, newOwner, chunkSeqnos, timing, progress } = context;
  const isFar = (claim: Claim) => (pool.head?.seqno ?? 0) - claim.doneSeqno > FAR_CHUNKS * chunkSeqnos;
  return runLane(context, {
    async claim() {
      const { head } = pool;
      if (head === undefined) return undefined;
      const { leaseMs } = timing;
      const claim = await claimHead(db, { owner: newOwner(), head: head.seqno, leaseMs, chunkSeqnos });
      if (progress.state !== 'diverged') progress.state = claim === undefined ? 'standby' : 'following';
      return claim;
    },
    onWritten(claim) {
      progress.state = 'following';
      progress.setFollowed(claim.doneSeqno);
      return !isFar(claim);
    },
  });
}

/** Indexes history chunk by chunk while there are gaps; throws ChainDiverged only if the index may restart. */
function backfill(context: LaneContext): Promise<void> {
  const { db, newOwner, chunkSeqnos, timing } = context;
  return runLane(context, {
    claim: () => claimChunk(db, { owner: newOwner(), chunkSeqnos, leaseMs: timing.leaseMs }),
    onWritten: () => true,
  });
}

interface Lane {
  claim(): Promise<Claim | undefined>;
  /** Whether to continue with the range. */
  onWritten(claim: Claim): boolean;
}

/** After any failure the range is released and claimed again, with the checkpoint of the database. */
async function runLane(context: LaneContext, lane: Lane): Promise<void> {
  const { signal, timing, progress, keeper, mayRestart, pool, check, log, throttledLog, now } = context;
  const gate = new FetchGate(MAX_CONCURRENT_FETCHES, context.fetching);
  const backOff = createBackOff({ firstMs: timing.firstPauseMs, maxMs: timing.maxPauseMs });
  const failures = createFailureLog(log, now, describeFailure);

  const onError = (error: unknown): void => {
    progress.lastError = describeFailure(error);
  };

  async function work(claim: Claim): Promise<void> {
    await keeper.hold(claim, signal, async (held) => {
      const onWritten = (written: Parameters<RangeContext['onWritten']>[0]): boolean => {
        failures.clear();
        backOff.reset();
        progress.addWritten(written);
        context.onWritten?.();
        return lane.onWritten(claim);
      };
      const source = createLiteSource({ pool, check, log: throttledLog, gate, signal: held, onError });
      const isHead = claim.lastSeqno === undefined;
      try {
        await indexRange({ ...context, source, onWritten, mayGoBack: mayRestart && isHead }, claim);
      } catch (error) {
        if (!held.aborted) throw error;
      }
    });
  }

  while (!signal.aborted) {
    try {
      const claim = await lane.claim();
      if (claim === undefined) await pause(timing.pollMs, signal);
      else await work(claim);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ClaimLost) {
        await pause(backOff.next(), signal);
        continue;
      }
      onError(error);
      const hasDiverged = error instanceof ChainDiverged;
      if (hasDiverged && mayRestart) throw error;
      if (hasDiverged) progress.state = 'diverged';
      failures.add(error);
      await pause(hasDiverged ? timing.divergedMs : backOff.next(), signal);
    }
  }
}
