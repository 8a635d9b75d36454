import type { BlockId } from '../../chain/block-id.ts';
import type { CellRef } from '../../chain/boc/cells.ts';
import { type Claim, shortenClaim } from '../../index/chunks.ts';
import { gapsBetween, indexedRanges } from '../../index/coverage.ts';
import { type SeqnoRange, seqnosIn } from '../../index/snapshot.ts';
import { StartError } from '../../lib/errors.ts';
import { pause } from '../../lib/wait.ts';
import { createPackSource, SeqnoUnavailable } from '../fetch/packs/pack-source.ts';
import { fillMissing, type LiteHelp } from '../fill-gaps.ts';
import type { ImportedPacks, ImportOutcome } from '../import-packs.ts';
import { areOthersWorking, createImportRun, type ImportRunOptions } from '../import-run.ts';
import { type BagLoader, BagUnavailable, type OpenBag } from './bag-loader.ts';
import type { BlockBag } from './dump-list.ts';
import type { KeptBlocks } from './kept-blocks.ts';

/** The packs of a bag. */
export interface BagPacks extends ImportedPacks {
  close(): Promise<void>;
}

export interface DumpImportOptions extends ImportRunOptions {
  /** All bags of the list. */
  readonly listed: readonly BlockBag[];
  /** Those with wanted seqnos, ascending. */
  readonly bags: readonly BlockBag[];
  readonly wanted: SeqnoRange;
  readonly loader: BagLoader;
  /** How many bags are loaded while one is read. */
  readonly ahead: number;
  readonly kept: KeptBlocks;
  /** Opens the packs in the folder of a bag together with the kept blocks; `proven` ones need no proof. */
  readonly openPacks: (path: string, proven: readonly BlockId[]) => Promise<BagPacks>;
  /** Asked for what bags lack; left out to ask nobody. */
  readonly lite?: LiteHelp | undefined;
  /** Seqnos of blocks that need no proof. */
  readonly trusted: readonly number[];
  /** Called with the root of the params that are in force from the next blocks on. */
  readonly onConfig: (config: CellRef) => void;
  readonly onHeld?: (held: SeqnoRange | undefined) => void;
  /** Called when a bag is read, with its place in the list. */
  readonly onBag?: (bag: BlockBag, place: number) => void;
}

const POLL_MS = 500;
/** Lite servers are asked as often for the blocks before a bag; without them it may still be proven. */
const LITE_TRIES = 4;
const NO_BAG = 'no bag of the list has it';

/**
 * Indexes what the bags of a dump have of a range, the oldest first, beside any number of other processes: each claims whole
 * bags, has a few loaded ahead, and has each deleted when it is read. What bags lack comes from lite servers.
 */
export async function importDump(options: DumpImportOptions): Promise<ImportOutcome> {
  const { db, bags, wanted, loader, ahead, lite, kept, trusted, log } = options;
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const run = createImportRun({ ...options, signal });
  const lanes = new Map<BlockBag, Promise<void>>();
  const rangeOf = ({ first, last }: BlockBag): SeqnoRange => ({
    first: Math.max(first, wanted.first),
    last: Math.min(last, wanted.last),
  });

  async function claimIn(bag: BlockBag): Promise<Claim | undefined> {
    const range = rangeOf(bag);
    const taken = await run.claim([range], Number.POSITIVE_INFINITY);
    // That of a dead process may reach into the next bag.
    const isLonger = taken?.lastSeqno !== undefined && taken.lastSeqno > range.last;
    return isLonger ? shortenClaim(db, taken, range.last) : taken;
  }

  /** Begins with the oldest bags that can be claimed, and waits until one is done. */
  async function workOnBags(): Promise<boolean> {
    const done = await indexedRanges(db);
    for (const bag of bags) {
      if (lanes.size > ahead) break;
      if (lanes.has(bag) || gapsBetween(done, rangeOf(bag)).length === 0) continue;
      if (isUnprovable(bag)) {
        const reason = `bag ${bag.bag}: not loaded: the bag before it is missing, and lite servers that could prove this one are not asked`;
        run.giveUp(rangeOf(bag), reason);
        continue;
      }
      const taken = await claimIn(bag);
      if (taken !== undefined) start(bag, taken);
      // Another process has it.
      else loader.ignoreLeft(bag.bag);
    }
    if (lanes.size === 0) return false;
    await Promise.race(lanes.values());
    return true;
  }

  /** Without lite servers, who signed a block is known by the key blocks before it alone. */
  function isUnprovable(bag: BlockBag): boolean {
    const before = bags[bags.indexOf(bag) - 1];
    if (lite !== undefined || before === undefined) return false;
    const { first, last } = rangeOf(before);
    const isTrusted = trusted.some((seqno) => seqno >= bag.first && seqno <= bag.last);
    return run.isGivenUp(first) && run.isGivenUp(last) && !isTrusted;
  }

  function start(bag: BlockBag, taken: Claim): void {
    const lane = importBag(bag, taken).finally(() => lanes.delete(bag));
    lane.catch(() => {});
    lanes.set(bag, lane);
  }

  async function importBag(bag: BlockBag, first: Claim): Promise<void> {
    const loading = loader.open(bag.bag);
    const reading = createBagReading(bag, loading);
    try {
      for (let taken: Claim | undefined = first; taken !== undefined; ) {
        const claim = taken;
        await run.attempt(() =>
          run.work(claim, {
            open: (held) => reading.open(claim, held),
            confirm: reading.confirm,
            explain: (reason) => `bag ${bag.bag}: ${reason}`,
          }),
        );
        taken = undefined;
        await run.attempt(async () => {
          taken = await claimIn(bag);
        });
      }
      await reading.keepEnd();
    } finally {
      await reading.close();
      // Stopped by a signal it stays, to be found again.
      if (!signal.aborted) await loading.remove();
    }
  }

  function createBagReading(bag: BlockBag, loading: OpenBag) {
    let packs: BagPacks | undefined;
    let isGivenUp = false;

    async function close(): Promise<void> {
      await packs?.close();
      packs = undefined;
    }

    async function openFolder(seqno: number, held: AbortSignal): Promise<BagPacks> {
      try {
        return await openAt(loading.path, seqno, held);
      } catch (error) {
        if (!(error instanceof StartError)) throw error;
        await assertComplete();
        throw new StartError(
          `--downloads: bag ${bag.bag} is complete, but its files cannot be read: ${error.message}`,
          {
            cause: error,
          },
        );
      }
    }

    async function assertComplete(): Promise<void> {
      if (!(await loading.isComplete(signal)))
        throw new Error(`bag ${bag.bag} has gone from the storage daemon while it was read`);
    }

    return {
      close,
      async open(claim: Claim, held: AbortSignal) {
        const next = claim.doneSeqno + 1;
        try {
          await loading.load(held);
        } catch (error) {
          if (!(error instanceof BagUnavailable)) throw error;
          isGivenUp = true;
          throw new SeqnoUnavailable(seqnosIn({ first: next, last: claim.lastSeqno! }), error.message);
        }
        // Without lite servers only whoever reads the bag before can keep what this one begins with.
        while (
          lite === undefined &&
          next > 1 &&
          (await areOthersWorking(db, { first: next - 1, last: next - 1 }))
        )
          await pause(POLL_MS, held).then(() => held.throwIfAborted());
        await loading.takeTurn(held);
        options.onBag?.(bag, bags.indexOf(bag) + 1);
        if (packs === undefined) {
          packs = await openFolder(next, held);
          // Another process may wait for the end of this bag to be indexed, and needs it right then.
          await keepEnd(packs, { onlyKnown: false });
        }
        return createPackSource({ ...packs, onConfig: options.onConfig, signal: held });
      },
      /** Seqnos are given up only as long as the files are all there. */
      async confirm(): Promise<void> {
        if (isGivenUp) return;
        await assertComplete().catch(async (error) => {
          await close();
          throw error;
        });
      },
      /** Keeps what the next bag is read by. */
      async keepEnd(): Promise<void> {
        if (packs === undefined) return;
        await keepEnd(packs, { onlyKnown: true });
        await kept.prune(await indexedRanges(db));
      },
    };

    function keepEnd(
      { index, reader, prover }: BagPacks,
      how: { readonly onlyKnown: boolean },
    ): Promise<void> {
      return kept.keepEnd({ index, reader, isKnown: prover.isKnown }, rangeOf(bag), how);
    }
  }

  async function openAt(path: string, seqno: number, held: AbortSignal): Promise<BagPacks> {
    const packs = await options.openPacks(path, []);
    if (lite === undefined) return packs;
    const { index, reader, prover } = packs;
    const parts = { index, reader, isKnown: prover.isKnown };
    for (let tries = 1; ; tries++)
      try {
        const proven = await kept.complete(parts, seqno, lite, held);
        if (proven.length === 0) return packs;
        await packs.close();
        return await options.openPacks(path, proven);
      } catch (error) {
        held.throwIfAborted();
        if (tries < LITE_TRIES) continue;
        log.warn({ seqno, err: error }, 'Lite servers did not give the blocks before a bag');
        return packs;
      }
  }

  /** What an earlier run left: bags that are needed are found again, those that are indexed are deleted. */
  async function tidyUp(): Promise<void> {
    const done = await indexedRanges(db);
    const wantedOf = new Map(bags.map((bag) => [bag.bag, rangeOf(bag)]));
    const rangeOfAny = new Map(options.listed.map((bag) => [bag.bag, wantedOf.get(bag.bag) ?? bag]));
    for (const bag of await loader.findLeft()) {
      const range = rangeOfAny.get(bag);
      if (range !== undefined && gapsBetween(done, range).length === 0) await loader.removeLeft(bag);
      // Another process may be loading it.
      else if (!wantedOf.has(bag)) loader.ignoreLeft(bag);
    }
  }

  return run.during(async () => {
    const last = Math.min(wanted.last, Math.max(...bags.map((bag) => bag.last)));
    const held = { first: wanted.first, last };
    options.onHeld?.(held);
    try {
      await run.attempt(tidyUp);
      await run.workUntilDone(wanted, workOnBags);
    } catch (error) {
      stop.abort(error);
      await Promise.allSettled(lanes.values());
      throw error;
    }
    const missing = await run.missingIn(held, NO_BAG);
    return {
      held,
      missing: await fillMissing({ run, held, missing, log, lite, onConfig: options.onConfig }),
    };
  });
}
