import { describeFailure } from '../db/errors.ts';
import { type Claim, type ClaimKeeper, ClaimLost, claimChunk, claimHead } from '../index/chunks.ts';
import { createBackOff } from '../lib/back-off.ts';
import type { BusyTime } from '../lib/busy-time.ts';
import type { Log } from '../lib/log.ts';
import { createFailureLog } from '../lib/retry.ts';
import { pause } from '../lib/wait.ts';
import { FetchGate } from '../lite/fetch-context.ts';
import { ChainDiverged } from './fetch/masterchain-blocks.ts';
import { indexRange, type RangeContext } from './index-range.ts';
import type { IndexerOptions, IndexerTiming } from './indexer-options.ts';
import type { ProgressTracker } from './progress.ts';

/** Shared by all lanes of an indexer. */
export interface LaneContext
  extends Pick<RangeContext, 'db' | 'decoder' | 'decoding' | 'writer' | 'metrics' | 'origin'>,
    Pick<IndexerOptions, 'pool' | 'check' | 'log' | 'detection'> {
  /** Returns a new owner name for a claim. */
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
export function followHead(context: LaneContext): Promise<void> {
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
export function backfill(context: LaneContext): Promise<void> {
  const { db, newOwner, chunkSeqnos, timing } = context;
  return runLane(context, {
    claim: () => claimChunk(db, { owner: newOwner(), chunkSeqnos, leaseMs: timing.leaseMs }),
    onWritten: () => true,
  });
}

interface Lane {
  /** Claims a range, if there is one. */
  claim(): Promise<Claim | undefined>;
  /** Whether to continue with the range. */
  onWritten(claim: Claim): boolean;
}

/** After any failure the range is released and claimed again, with the checkpoint of the database. */
async function runLane(context: LaneContext, lane: Lane): Promise<void> {
  const { signal, timing, progress, keeper, mayRestart, pool, check, log, throttledLog, now } = context;
  const gate = new FetchGate(MAX_CONCURRENT_FETCHES, context.fetching);
  const backOff = createBackOff({
    firstMs: timing.firstPauseMs,
    maxMs: timing.maxPauseMs,
  });
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
