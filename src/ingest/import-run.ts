import { describeFailure } from '../db/errors.ts';
import type { Db } from '../db/tables/tables.ts';
import {
  type Claim,
  ClaimKeeper,
  ClaimLost,
  claimWithin,
  createOwnerNames,
  cutClaim,
  releaseDeadOwners,
} from '../index/chunks.ts';
import { gapsBetween, indexedRanges, type Origin } from '../index/coverage.ts';
import { joinRanges, type SeqnoRange } from '../index/snapshot.ts';
import { createBackOff } from '../lib/back-off.ts';
import { BusyTime } from '../lib/busy-time.ts';
import { StartError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { createFailureLog } from '../lib/retry.ts';
import { pause } from '../lib/wait.ts';
import { BrokenBlock } from './decode/broken-block.ts';
import type { ChainSource } from './fetch/chain-source.ts';
import { ChainDiverged } from './fetch/masterchain-blocks.ts';
import { SeqnoUnavailable } from './fetch/packs/pack-source.ts';
import { indexRange, type RangeContext } from './index-range.ts';
import { INDEXER_TIMING, type IndexerMetrics, NO_INDEXER_METRICS } from './indexer-options.ts';

export interface ImportRunOptions extends Pick<RangeContext, 'decoder' | 'writer' | 'detection'> {
  readonly db: Db;
  readonly origin: Origin;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly metrics?: IndexerMetrics | undefined;
  /** Resolves when more may be claimed; left out, that is always. */
  readonly mayClaim?: (() => Promise<void>) | undefined;
  readonly leaseMs?: number | undefined;
  readonly heartbeatMs?: number | undefined;
  /** Called after each written batch. */
  readonly onWritten?:
    | ((batch: { readonly seqnos: number; readonly transactions: number }) => void)
    | undefined;
}

/** Seqnos that are not indexed, and why. */
export type MissingRange = SeqnoRange & { readonly reason: string };

interface WorkOptions {
  /** Opens the source when the claim is held; the signal ends with the claim. */
  readonly open: (held: AbortSignal) => ChainSource | Promise<ChainSource>;
  /** Called before seqnos are given up; throws if that says nothing of them, because their files have gone. */
  readonly confirm?: (() => Promise<void>) | undefined;
  /** The work on the claim before, whose end the first batch waits for. */
  readonly before?: Promise<void> | undefined;
  /** Called when the source has been read to its end. */
  readonly onRead?: (() => void) | undefined;
  /** Puts a reason into words that say what it is about. */
  readonly explain?: ((reason: string) => string) | undefined;
}

/** What one claim takes at most unless told: a slice of today's nodes has 100. */
const CHUNK_SEQNOS = 1000;
const POLL_MS = 500;
/** Traces without their actions that an import may leave behind it: their pages should still be in memory. */
const MAX_UNCLASSIFIED = 200_000;
const CLASSIFY_POLL_MS = 200;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 15_000;

export type ImportRun = ReturnType<typeof createImportRun>;

/**
 * Creates the part that all imports share: it claims seqnos beside any number of other processes, indexes what it claimed, and
 * remembers what cannot be had.
 */
export function createImportRun(options: ImportRunOptions) {
  const { db, log, signal, leaseMs = INDEXER_TIMING.leaseMs } = options;
  const { heartbeatMs = INDEXER_TIMING.heartbeatMs, metrics = NO_INDEXER_METRICS } = options;
  const newOwner = createOwnerNames();
  const keeper = new ClaimKeeper(db);
  const decoding = new BusyTime((ms) => metrics.time('decode', ms));
  const backOff = createBackOff({ firstMs: FIRST_PAUSE_MS, maxMs: MAX_PAUSE_MS });
  const failures = createFailureLog(log, () => performance.now(), describeFailure);
  /** Seqnos that cannot be had, and why. */
  const unusable = new Map<number, string>();

  /** What cannot be had of a range, in ascending order; seqnos that follow each other for one reason are one range. */
  function unusableIn({ first, last }: SeqnoRange): MissingRange[] {
    const seqnos = [...unusable.keys()].filter((seqno) => seqno >= first && seqno <= last);
    const ranges: { first: number; last: number; reason: string }[] = [];
    for (const seqno of seqnos.sort((a, b) => a - b)) {
      const before = ranges.at(-1);
      const reason = unusable.get(seqno)!;
      if (before?.last === seqno - 1 && before.reason === reason) before.last = seqno;
      else ranges.push({ first: seqno, last: seqno, reason });
    }
    return ranges;
  }

  /** Claims a part of ascending ranges, the oldest that is neither indexed, nor unusable, nor claimed by others. */
  async function claim(
    ranges: readonly SeqnoRange[],
    chunkSeqnos = CHUNK_SEQNOS,
  ): Promise<Claim | undefined> {
    await options.mayClaim?.();
    const done = await indexedRanges(db);
    const open = ranges.flatMap((range) =>
      gapsBetween(joinRanges([...done, ...unusableIn(range)].sort((a, b) => a.first - b.first)), range),
    );
    if (open.length === 0) return undefined;
    return claimWithin(db, { owner: newOwner(), ranges: open, leaseMs, chunkSeqnos });
  }

  /** Indexes a claim. Where it cannot be had, the claim ends before, and the seqnos are given up with their reason. */
  async function work(taken: Claim, how: WorkOptions): Promise<void> {
    const { open, before, onRead, confirm, explain } = how;
    await keeper.hold(taken, signal, async (held) => {
      try {
        await indexRange(
          {
            ...options,
            metrics,
            decoding,
            source: tellingEnd(await open(held), onRead),
            before,
            mayGoBack: false,
            onWritten(batch) {
              failures.clear();
              backOff.reset();
              options.onWritten?.(batch);
              return true;
            },
          },
          taken,
        );
      } catch (error) {
        if (held.aborted) return;
        const found = unusableSeqnos(error);
        if (found === undefined) throw error;
        await confirm?.();
        const reason = explain?.(found.reason) ?? found.reason;
        for (const seqno of found.seqnos) unusable.set(seqno, reason);
        const [first, last] = [found.seqnos[0], found.seqnos.at(-1)];
        log.warn({ first, last, count: found.seqnos.length, reason }, 'Masterchain seqnos left out');
        await cutClaim(db, taken);
      }
    });
  }

  /** Runs a step; after a failure that may pass it waits. Throws what will not. */
  async function attempt(step: () => Promise<void>): Promise<void> {
    signal.throwIfAborted();
    try {
      await step();
    } catch (error) {
      signal.throwIfAborted();
      // A zero state is missing.
      if (error instanceof StartError) throw error;
      if (!(error instanceof ClaimLost)) failures.add(error);
      await pause(backOff.next(), signal);
    }
  }

  /** Repeats a step that works on one claim, until it finds none and nobody else works on the range. */
  async function workUntilDone(wanted: SeqnoRange, step: () => Promise<boolean>): Promise<void> {
    for (let isDone = false; !isDone; )
      await attempt(async () => {
        if (await step()) return;
        // Others may die, and then their work is ours.
        if (await areOthersWorking(db, wanted)) await pause(POLL_MS, signal);
        else isDone = true;
      });
  }

  /** What of a range is not indexed, ascending; seqnos that nobody has tried have the other reason. */
  async function missingIn(range: SeqnoRange, otherReason: string): Promise<MissingRange[]> {
    return gapsBetween(await indexedRanges(db), range).flatMap((gap) => {
      const known = unusableIn(gap);
      const others = gapsBetween(known, gap).map((other) => ({ ...other, reason: otherReason }));
      return [...known, ...others].sort((a, b) => a.first - b.first);
    });
  }

  async function keepAlive(end: AbortSignal): Promise<void> {
    while (!end.aborted) {
      await keeper.sendHeartbeats().catch(() => {});
      await releaseDeadOwners(db).catch(() => {});
      await pause(heartbeatMs, end).catch(() => {});
    }
  }

  return {
    /** Gives up some seqnos that nobody has tried. */
    giveUp({ first, last }: SeqnoRange, reason: string): void {
      for (let seqno = first; seqno <= last; seqno++) if (!unusable.has(seqno)) unusable.set(seqno, reason);
    },
    isGivenUp: (seqno: number): boolean => unusable.has(seqno),
    claim,
    work,
    attempt,
    workUntilDone,
    missingIn,
    /** Forgets what cannot be had: another source may have it. */
    forget: () => unusable.clear(),
    /** Keeps the claims of this process alive while it works. */
    async during<T>(working: () => Promise<T>): Promise<T> {
      const end = new AbortController();
      const alive = keepAlive(AbortSignal.any([signal, end.signal]));
      try {
        return await working();
      } finally {
        end.abort();
        await alive;
      }
    },
  };
}

/** Waits while so many traces are without their actions that no more should be claimed; undefined is a number not known yet. */
export async function untilFewUnclassified(
  count: () => number | undefined,
  signal: AbortSignal,
): Promise<void> {
  while ((count() ?? 0) > MAX_UNCLASSIFIED)
    await pause(CLASSIFY_POLL_MS, signal).then(() => signal.throwIfAborted());
}

/** A source that tells when its seqnos have been read. */
function tellingEnd(source: ChainSource, onRead: (() => void) | undefined): ChainSource {
  if (onRead === undefined) return source;
  return {
    ...source,
    async *seqnos(range, limits) {
      yield* source.seqnos(range, limits);
      onRead();
    },
  };
}

/** The seqnos that a source does not have, or not as the index needs them; undefined for other errors. */
function unusableSeqnos(error: unknown): Pick<SeqnoUnavailable, 'seqnos' | 'reason'> | undefined {
  if (error instanceof SeqnoUnavailable) return error;
  if (error instanceof BrokenBlock && error.mcSeqno !== undefined)
    return { seqnos: [error.mcSeqno], reason: error.message };
  // The source contradicts what is indexed.
  if (error instanceof ChainDiverged) return { seqnos: [error.seqno + 1], reason: error.message };
  return undefined;
}

/** Whether some seqnos are claimed and not written yet, by whomever. */
export async function areOthersWorking(db: Db, { first, last }: SeqnoRange): Promise<boolean> {
  const row = await db
    .selectFrom('index_chunks')
    .select('first_seqno')
    .where('owner', 'is not', null)
    .where('last_seqno', '>=', first)
    .where('done_seqno', '<', last)
    .whereRef('done_seqno', '<', 'last_seqno')
    .executeTakeFirst();
  return row !== undefined;
}
