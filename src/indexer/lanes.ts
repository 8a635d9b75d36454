import { createBackOff } from '../lib/back-off.ts';
import type { BusyTime } from '../lib/busy-time.ts';
import type { Log } from '../lib/log.ts';
import { pause } from '../lib/wait.ts';
import { type Claim, type ClaimKeeper, ClaimLost, claimChunk, claimHead } from './chunks.ts';
import { FetchGate } from './fetch/fetch-context.ts';
import { ChainDiverged } from './fetch/masterchain-blocks.ts';
import { indexRange, type RangeContext } from './index-range.ts';
import type { IndexerOptions, IndexerTiming } from './indexer-options.ts';
import type { ProgressTracker } from './progress.ts';
import { createFailureLog, describeFailure } from './retry.ts';

/** What all lanes of an indexer share. */
export interface LaneContext
  extends Pick<RangeContext, 'db' | 'decoder' | 'decoding' | 'writer' | 'metrics' | 'origin'>,
    Pick<IndexerOptions, 'pool' | 'check' | 'log' | 'detection'> {
  readonly owner: string;
  readonly chunkSeqnos: number;
  readonly mayRestart: boolean;
  readonly keeper: ClaimKeeper;
  readonly progress: ProgressTracker;
  readonly timing: IndexerTiming;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Measures the time in which anything is fetched. */
  readonly fetching: BusyTime;
  /** For what many wait for at once. */
  readonly throttledLog: Log;
}

/** Blocks that a lane fetches at once, at most. */
const AT_ONCE = 24;
/** Farther behind than this many chunks, what is between is left to backfill. */
const FAR_CHUNKS = 2;

/** Follows the head while no other process does; throws ChainDiverged where the index may begin anew. */
export function followHead(context: LaneContext): Promise<void> {
  const { pool, db, owner, chunkSeqnos, timing, progress } = context;
  const isFar = (claim: Claim) => (pool.head?.seqno ?? 0) - claim.doneSeqno > FAR_CHUNKS * chunkSeqnos;
  return runLane(context, {
    async claim() {
      const { head } = pool;
      if (head === undefined) return undefined;
      const claim = await claimHead(db, { owner, head: head.seqno, leaseMs: timing.leaseMs, chunkSeqnos });
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

/** Indexes history, piece by piece, as long as there are gaps; throws ChainDiverged like the other. */
export function backfill(context: LaneContext): Promise<void> {
  const { db, owner, chunkSeqnos, timing } = context;
  return runLane(context, {
    claim: () => claimChunk(db, { owner, chunkSeqnos, leaseMs: timing.leaseMs }),
    onWritten: () => true,
  });
}

interface Lane {
  /** Takes a range, if there is one. */
  claim(): Promise<Claim | undefined>;
  /** Whether the range is worked on further. */
  onWritten(claim: Claim): boolean;
}

/** After whatever goes wrong the range is given back and taken again, as the database has it. */
async function runLane(context: LaneContext, lane: Lane): Promise<void> {
  const {
    signal,
    timing,
    progress,
    keeper,
    mayRestart,
    pool,
    check,
    log,
    throttledLog,
    now,
  } = context;
  const gate = new FetchGate(AT_ONCE, context.fetching);
  const backOff = createBackOff({
    firstMs: timing.firstPauseMs,
    maxMs: timing.maxPauseMs,
  });
  const failures = createFailureLog(log, now);

  const onError = (error: unknown): void => {
    progress.lastError = describeFailure(error);
  };

  async function work(claim: Claim): Promise<void> {
    await keeper.hold(claim, signal, async (held) => {
      const onWritten = (written: Parameters<RangeContext['onWritten']>[0]): boolean => {
        failures.clear();
        backOff.reset();
        progress.addWritten(written);
        return lane.onWritten(claim);
      };
      const fetch = { pool, check, log: throttledLog, gate, signal: held, onError };
      const isHead = claim.lastSeqno === undefined;
      try {
        await indexRange({ ...context, fetch, onWritten, mayGoBack: mayRestart && isHead }, claim);
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
