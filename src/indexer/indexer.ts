import { BusyTime } from '../lib/busy-time.ts';
import { StartError } from '../lib/errors.ts';
import { pause, waitAtMost } from '../lib/wait.ts';
import { ClaimKeeper, createOwnerNames, releaseDeadOwners } from './chunks.ts';
import { indexedRanges, type Origin, openOrigin, wipeIndex } from './coverage.ts';
import { FetchGate } from './fetch/fetch-context.ts';
import { ChainDiverged } from './fetch/masterchain-blocks.ts';
import { INDEXER_TIMING, type IndexerOptions, NO_INDEXER_METRICS } from './indexer-options.ts';
import { backfill, followHead, type LaneContext } from './lanes.ts';
import { type IndexProgress, ProgressTracker } from './progress.ts';
import { createThrottledLog, describeFailure, retryUntilDone } from './retry.ts';
import { completeMissingCells } from './states/missing-cells.ts';

/** Fills the index and keeps it at the head. */
export interface Indexer {
  /** Starts indexing; failures of any kind are retried. */
  start(): void;
  /** Stops and releases claims; a batch that is being written is finished. */
  close(): Promise<void>;
  progress(): IndexProgress;
}

const LANES = 2;
const MISSING_AT_ONCE = 4;
const CHUNK_SEQNOS = 1000;
const HEAD_WAIT_MS = 10_000;
/** Work that has not stopped by then is abandoned: a hanging database must not keep the process alive. */
const CLOSE_MS = 10_000;

/** Creates an indexer. The schema must exist; lite servers and the database may be unavailable at times. */
export function createIndexer(options: IndexerOptions): Indexer {
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

  const onError = (error: unknown): void => {
    progress.lastError = describeFailure(error);
  };
  const retryOptions = (signal: AbortSignal, task: string) => ({ log, signal, task, onError });

  async function run(): Promise<void> {
    while (!closed.signal.aborted) {
      try {
        await runUntilFailure();
      } catch (error) {
        if (closed.signal.aborted) return;
        onError(error);
        if (!mayRestart || !isOtherChain(error)) {
          progress.state = 'stopped';
          log.error({ err: error }, 'Indexing stopped');
          return;
        }
        log.warn({ reason: (error as Error).message }, 'Chain was reset, rebuilding the index');
        await retryUntilDone(() => wipeIndex(db), retryOptions(closed.signal, 'empty the index')).catch(
          () => {},
        );
        writer.reset();
        progress.reset();
      }
    }
  }

  /** Runs all parts together; when one fails for good, all stop. */
  async function runUntilFailure(): Promise<void> {
    const stop = new AbortController();
    const signal = AbortSignal.any([closed.signal, stop.signal]);
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
      progress: progress,
      timing,
      now,
      signal,
      throttledLog: throttledLog,
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
        context: {
          pool,
          check,
          log: throttledLog,
          signal,
          onError,
          gate: new FetchGate(MISSING_AT_ONCE),
        },
        onRound({ missing, requested }) {
          progress.missing = missing;
          progress.statesRequested += requested;
          metrics.count('requested', requested);
        },
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
    start() {
      running ??= run();
    },
    async close() {
      closed.abort(new Error('the indexer is closed'));
      await waitAtMost(CLOSE_MS, running);
      progress.state = 'stopped';
    },
    progress: () => progress.read(pool.head?.seqno),
  };
}

async function firstSeqno(db: IndexerOptions['db']): Promise<number | undefined> {
  const origin = await db.selectFrom('index_origin').select('first_seqno').executeTakeFirst();
  return origin?.first_seqno;
}

function isOtherChain(error: unknown): boolean {
  return error instanceof ChainDiverged || error instanceof StartError;
}
