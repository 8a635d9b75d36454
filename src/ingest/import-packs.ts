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
import { ChainDiverged } from './fetch/masterchain-blocks.ts';
import type { PackFolder } from './fetch/packs/pack-folder.ts';
import { createPackSource, type PackSourceParts, SeqnoUnavailable } from './fetch/packs/pack-source.ts';
import { indexRange, type RangeContext } from './index-range.ts';
import { INDEXER_TIMING, type IndexerMetrics, NO_INDEXER_METRICS } from './indexer-options.ts';

interface ImportOptions
  extends Pick<RangeContext, 'decoder' | 'writer' | 'detection'>,
    Pick<
      PackSourceParts,
      'index' | 'reader' | 'prover' | 'zeroState' | 'readZeroState' | 'onDamage' | 'onConfig'
    > {
  readonly db: Db;
  readonly folder: PackFolder;
  readonly origin: Origin;
  /** The masterchain seqnos to import, as far as the packs have them. */
  readonly wanted: SeqnoRange;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly metrics?: IndexerMetrics;
  readonly leaseMs?: number;
  readonly heartbeatMs?: number;
  /** Called with the wanted seqnos that the packs may have. */
  readonly onHeld?: (held: SeqnoRange | undefined) => void;
  /** Called after each written batch. */
  readonly onWritten?: (batch: { readonly seqnos: number; readonly transactions: number }) => void;
}

/** What an import leaves. */
export interface ImportOutcome {
  /** The wanted seqnos that the packs could have; undefined if there is no pack with one of them. */
  readonly held: SeqnoRange | undefined;
  /** The seqnos of those that are not indexed, with the reason, ascending. */
  readonly missing: readonly (SeqnoRange & { readonly reason: string })[];
}

/** What one claim takes at most: a slice of today's nodes has 100. */
const CHUNK_SEQNOS = 1000;
const POLL_MS = 500;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 15_000;
const NO_PACK = 'no pack has it';

/**
 * Indexes what packs have of a range, slice by slice, the oldest first, beside any number of other processes; resolves when
 * nothing is left to do for any of them. What is damaged or not proven is left out.
 */
export async function importPacks(options: ImportOptions): Promise<ImportOutcome> {
  const {
    db,
    log,
    signal,
    leaseMs = INDEXER_TIMING.leaseMs,
    heartbeatMs = INDEXER_TIMING.heartbeatMs,
  } = options;
  const newOwner = createOwnerNames();
  const keeper = new ClaimKeeper(db);
  const decoding = new BusyTime((ms) => options.metrics?.time('decode', ms));
  const backOff = createBackOff({ firstMs: FIRST_PAUSE_MS, maxMs: MAX_PAUSE_MS });
  const failures = createFailureLog(log, () => performance.now(), describeFailure);
  /** Seqnos that cannot be had from these packs. */
  const unusable = new Map<number, string>();

  /** The seqnos of a slice that packs have and nobody has found unusable, in ascending ranges. */
  async function rangesOf(paths: readonly string[]): Promise<SeqnoRange[]> {
    const { first, last } = options.wanted;
    const seqnos = (await options.index.seqnosIn(paths)).filter(
      (seqno) => seqno >= first && seqno <= last && !unusable.has(seqno),
    );
    return joinRanges(seqnos.map((seqno) => ({ first: seqno, last: seqno })));
  }

  /** Claims a part of the oldest slice that has any to claim. */
  async function claim(): Promise<Claim | undefined> {
    const done = await indexedRanges(db);
    for (const { paths, range } of slicesWithin(options)) {
      if (range !== undefined && gapsBetween(done, range).length === 0) continue;
      const ranges = await rangesOf(paths);
      const open = ranges.flatMap((one) => gapsBetween(done, one));
      if (open.length === 0) continue;
      const found = await claimWithin(db, {
        owner: newOwner(),
        ranges: open,
        leaseMs,
        chunkSeqnos: CHUNK_SEQNOS,
      });
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async function work(taken: Claim): Promise<void> {
    await keeper.hold(taken, signal, async (held) => {
      try {
        await indexRange(
          {
            ...options,
            metrics: options.metrics ?? NO_INDEXER_METRICS,
            decoding,
            source: createPackSource({ ...options, signal: held }),
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
        for (const seqno of found.seqnos) unusable.set(seqno, found.reason);
        log.warn({ seqnos: found.seqnos, reason: found.reason }, 'Masterchain seqnos left out');
        await cutClaim(db, taken);
      }
    });
  }

  async function keepAlive(end: AbortSignal): Promise<void> {
    while (!end.aborted) {
      await keeper.sendHeartbeats().catch(() => {});
      await releaseDeadOwners(db).catch(() => {});
      await pause(heartbeatMs, end).catch(() => {});
    }
  }

  async function workUntilDone(): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      try {
        const taken = await claim();
        if (taken !== undefined) await work(taken);
        // Others may die, and then their work is ours.
        else if (await areOthersWorking(db, options.wanted)) await pause(POLL_MS, signal);
        else return;
      } catch (error) {
        signal.throwIfAborted();
        // A zero state is missing.
        if (error instanceof StartError) throw error;
        if (!(error instanceof ClaimLost)) failures.add(error);
        await pause(backOff.next(), signal);
      }
    }
  }

  async function outcome(): Promise<ImportOutcome> {
    const held = await heldRange(options);
    if (held === undefined) return { held, missing: [] };
    const missing: (SeqnoRange & { reason: string })[] = [];
    for (const gap of gapsBetween(await indexedRanges(db), held))
      for (let first = gap.first; first <= gap.last; ) {
        const reason = unusable.get(first) ?? NO_PACK;
        let last = first;
        while (last < gap.last && (unusable.get(last + 1) ?? NO_PACK) === reason) last++;
        missing.push({ first, last, reason });
        first = last + 1;
      }
    return { held, missing };
  }

  const end = new AbortController();
  const alive = keepAlive(AbortSignal.any([signal, end.signal]));
  try {
    options.onHeld?.(await heldRange(options));
    await workUntilDone();
    return await outcome();
  } finally {
    end.abort();
    await alive;
  }
}

/** The seqnos that the packs do not have, or not as the index needs them; undefined for other errors. */
function unusableSeqnos(error: unknown): Pick<SeqnoUnavailable, 'seqnos' | 'reason'> | undefined {
  if (error instanceof SeqnoUnavailable) return error;
  if (error instanceof BrokenBlock && error.mcSeqno !== undefined)
    return { seqnos: [error.mcSeqno], reason: error.message };
  // The packs contradict what is indexed.
  if (error instanceof ChainDiverged) return { seqnos: [error.seqno + 1], reason: error.message };
  return undefined;
}

type SliceParts = Pick<ImportOptions, 'folder' | 'wanted'>;

/** The slices that may have wanted seqnos, with those seqnos as far as the names of files tell them. */
function* slicesWithin({ folder: { slices, others }, wanted }: SliceParts) {
  for (const [i, { firstSeqno, paths }] of slices.entries()) {
    const next = slices[i + 1]?.firstSeqno;
    const first = Math.max(wanted.first, firstSeqno, 1);
    const last = Math.min(wanted.last, (next ?? Number.POSITIVE_INFINITY) - 1);
    if (first <= last) yield { paths, range: next === undefined ? undefined : { first, last } };
  }
  if (others.length > 0) yield { paths: others, range: undefined };
}

/** From the first wanted seqno to the last one that packs have. */
async function heldRange(options: ImportOptions): Promise<SeqnoRange | undefined> {
  const { index, wanted } = options;
  let last: number | undefined;
  for (const { paths, range } of slicesWithin(options)) {
    if (range !== undefined) last = Math.max(last ?? 0, range.last);
    else
      for (const seqno of await index.seqnosIn(paths))
        if (seqno >= wanted.first && seqno <= wanted.last) last = Math.max(last ?? 0, seqno);
  }
  return last === undefined ? undefined : { first: wanted.first, last };
}

/** Whether another process writes some of the wanted seqnos. */
async function areOthersWorking(db: Db, { first, last }: SeqnoRange): Promise<boolean> {
  const row = await db
    .selectFrom('index_chunks')
    .select('first_seqno')
    .where('owner', 'is not', null)
    .where('last_seqno', '>=', first)
    .where('first_seqno', '<=', last)
    .whereRef('done_seqno', '<', 'last_seqno')
    .executeTakeFirst();
  return row !== undefined;
}
