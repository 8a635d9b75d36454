import type { Claim } from '../index/chunks.ts';
import { gapsBetween, indexedRanges } from '../index/coverage.ts';
import { joinRanges, type SeqnoRange } from '../index/snapshot.ts';
import type { PackFolder } from './fetch/packs/pack-folder.ts';
import { createPackSource, type PackSourceParts } from './fetch/packs/pack-source.ts';
import { fillMissing, type LiteHelp } from './fill-gaps.ts';
import { createImportRun, type ImportRunOptions, type MissingRange } from './import-run.ts';

/** What the source of an import reads. */
export type ImportedPacks = Pick<
  PackSourceParts,
  'index' | 'reader' | 'prover' | 'zeroState' | 'readZeroState' | 'onDamage' | 'onConfig'
>;

interface ImportOptions extends ImportRunOptions, ImportedPacks {
  readonly folder: PackFolder;
  /** The masterchain seqnos to import, as far as the packs have them. */
  readonly wanted: SeqnoRange;
  /** Called when packs lack something, to get it from lite servers; undefined if there are none. */
  readonly openLite?: (() => Promise<LiteHelp | undefined>) | undefined;
  /** Called with the wanted seqnos that the packs may have. */
  readonly onHeld?: (held: SeqnoRange | undefined) => void;
}

/** What an import leaves. */
export interface ImportOutcome {
  /** The wanted seqnos that the source could have; undefined if it has none of them. */
  readonly held: SeqnoRange | undefined;
  /** The seqnos of those that are not indexed, with the reason, ascending. */
  readonly missing: readonly MissingRange[];
}

const NO_PACK = 'no pack has it';

/**
 * Indexes what packs have of a range, slice by slice, the oldest first, beside any number of other processes; resolves when
 * nothing is left to do for any of them. What is damaged or not proven is left out.
 */
export async function importPacks(options: ImportOptions): Promise<ImportOutcome> {
  const { db, wanted, index, log, onHeld, openLite } = options;
  const run = createImportRun(options);

  async function claimSlice(): Promise<Claim | undefined> {
    const done = await indexedRanges(db);
    for (const { paths, range } of slicesWithin(options)) {
      if (range !== undefined && gapsBetween(done, range).length === 0) continue;
      const taken = await run.claim(seqnosOf(await index.seqnosIn(paths), wanted));
      if (taken !== undefined) return taken;
    }
    return undefined;
  }

  /** The work on the slice before. */
  let before: Promise<void> | undefined;
  const running = new Set<Promise<void>>();

  /**
   * Claims a part of the oldest slice that has any to claim, and indexes it. Resolves when it has been read and the one before
   * is written: blocks of the next one are read and decoded while its last ones are written.
   */
  async function workOnSlice(): Promise<boolean> {
    const taken = await claimSlice();
    const earlier = before;
    before = undefined;
    if (taken === undefined) {
      await earlier;
      // What it left may be claimed again.
      return earlier !== undefined;
    }
    const isRead = Promise.withResolvers<void>();
    const open = (signal: AbortSignal) => createPackSource({ ...options, signal });
    const working = run.work(taken, { open, before: earlier, onRead: isRead.resolve });
    running.add(working);
    // It may fail before anybody waits for it.
    working.catch(() => {}).finally(() => running.delete(working));
    try {
      await Promise.race([working, isRead.promise]);
      // Two claims at most. And one that gave up before its first row has not waited: the next one would not come after it.
      await earlier;
    } catch (error) {
      await Promise.allSettled(running);
      throw error;
    }
    before = working;
    return true;
  }

  return run.during(async () => {
    const held = await heldRange(options);
    onHeld?.(held);
    try {
      await run.workUntilDone(wanted, workOnSlice);
    } finally {
      await Promise.allSettled(running);
    }
    if (held === undefined) return { held, missing: [] };
    const missing = await run.missingIn(held, NO_PACK);
    const lite = missing.length === 0 ? undefined : await openLite?.();
    return { held, missing: await fillMissing({ ...options, run, held, missing, lite, log }) };
  });
}

/** The wanted ones of some ascending seqnos, as ranges. */
function seqnosOf(seqnos: readonly number[], { first, last }: SeqnoRange): SeqnoRange[] {
  const wanted = seqnos.filter((seqno) => seqno >= first && seqno <= last);
  return joinRanges(wanted.map((seqno) => ({ first: seqno, last: seqno })));
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
