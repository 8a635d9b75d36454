import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createBackOff } from '../../lib/back-off.ts';
import { StartError } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { retryUntilDone } from '../../lib/retry.ts';
import { pause } from '../../lib/wait.ts';
import { type BagDetails, type StorageDaemon, StorageDaemonError } from './storage-daemon.ts';

/** The bag is not to be had now; the message says why. */
export class BagUnavailable extends Error {
  override readonly name = 'BagUnavailable';
}

/** What a bag is doing, for those who watch. */
export interface BagReport {
  readonly bag: string;
  readonly step: 'header' | 'space' | 'loading' | 'loaded' | 'reading';
  readonly size: number;
  readonly downloaded: number;
  readonly speed: number;
}

/** A bag that is wanted, in the order in which bags were opened. */
export interface OpenBag {
  readonly bag: string;
  /** The folder of its files. */
  readonly path: string;
  /** Resolves when all of it is here; loads what is not. Throws BagUnavailable. */
  load(signal: AbortSignal): Promise<void>;
  /** Whether all of it is still here. */
  isComplete(signal: AbortSignal): Promise<boolean>;
  /** Resolves when no other bag is read, and those before it are done or come late. */
  takeTurn(signal: AbortSignal): Promise<void>;
  /** Ends the turn, and has the bag deleted. */
  remove(): Promise<void>;
}

interface BagLoaderOptions {
  readonly daemon: StorageDaemon;
  /** Where the daemon puts bags, one folder each; absolute. */
  readonly folder: string;
  /** The bags of the list: others in the folder are left alone. */
  readonly listed: ReadonlySet<string>;
  /** What all bags together may take on the disk. */
  readonly maxBytes: number;
  /** A bag of which nothing comes for so long is given up. */
  readonly patienceMs: number;
  readonly log: Log;
  /** Ends everything; bags stay as they are. */
  readonly signal: AbortSignal;
}

/** Of a bag: what is asked of the daemon, and what it has said. */
interface Entry {
  readonly bag: string;
  step: BagReport['step'];
  size: number;
  downloaded: number;
  speed: number;
  /** Whether there is room for it on the disk. */
  isReserved: boolean;
  /** Whether nothing came of it for a while: then others need not wait for it any more. */
  isLate: boolean;
}

/** Bags after one that stalls for this part of the patience go first. */
const LATE_SHARE = 1 / 15;
const FIRST_POLL_MS = 100;
const MAX_POLL_MS = 5000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 30_000;

export type BagLoader = ReturnType<typeof createBagLoader>;

/**
 * Creates a loader of bags: a storage daemon downloads them, several at once, in the order in which they were opened. A bag is
 * begun when its size is known and fits below the bound together with all that are here.
 */
export function createBagLoader(options: BagLoaderOptions) {
  const { daemon, folder, listed, maxBytes, patienceMs, log, signal: end } = options;
  const entries: Entry[] = [];
  /** Sizes of bags that an earlier run left here. */
  const left = new Map<string, number>();
  let reading: Entry | undefined;
  let changed = Promise.withResolvers<void>();

  function notify(): void {
    changed.resolve();
    changed = Promise.withResolvers();
  }

  async function waitUntil(holds: () => boolean, signal: AbortSignal): Promise<void> {
    const aborted = Promise.withResolvers<never>();
    aborted.promise.catch(() => {});
    const onAbort = (): void => aborted.reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    try {
      for (signal.throwIfAborted(); !holds(); ) await Promise.race([changed.promise, aborted.promise]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  const before = (entry: Entry): Entry[] => entries.slice(0, entries.indexOf(entry));

  function bytesBeside(entry: Entry): number {
    const others = entries.filter((other) => other !== entry && other.isReserved);
    const sizes = [...others.map(({ size }) => size), ...left.values()];
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /** Asks the daemon until it responds, or until it does not fail: one that is away will be back. */
  async function ask<T>(
    request: () => Promise<T>,
    signal: AbortSignal,
    { untilDone = false } = {},
  ): Promise<T> {
    const isAway = ({ status = 0 }: StorageDaemonError) => status === 0 || (untilDone && status >= 500);
    return retryUntilDone(request, {
      log,
      signal,
      task: `use the ${daemon.name}`,
      firstPauseMs: FIRST_PAUSE_MS,
      maxPauseMs: MAX_PAUSE_MS,
      isFinal: (error) => error instanceof StorageDaemonError && !isAway(error),
    }).catch((error: unknown) => {
      if (!(error instanceof StorageDaemonError)) throw error;
      if (error.status === 401 || error.status === 403)
        throw new StartError(`--storage: ${error.message}`, { cause: error });
      throw error;
    });
  }

  const detailsOf = (bag: string, signal: AbortSignal) => ask(() => daemon.details(bag, signal), signal);

  /** Adds a bag and looks at it until it is as wanted; throws BagUnavailable if nothing comes for too long. */
  async function addUntil(
    entry: Entry,
    { all, isDone }: { readonly all: boolean; readonly isDone: (details: BagDetails) => boolean },
    signal: AbortSignal,
  ): Promise<void> {
    const poll = createBackOff({ firstMs: FIRST_POLL_MS, maxMs: Math.min(MAX_POLL_MS, patienceMs / 10) });
    let isAdded = false;
    let progressMs = performance.now();
    let problem = '';
    for (;;) {
      const askedMs = performance.now();
      let details: BagDetails | undefined;
      try {
        if (!isAdded) await ask(() => daemon.add(entry.bag, { path: folder, all }, signal), signal);
        details = await detailsOf(entry.bag, signal);
        isAdded = details !== undefined;
      } catch (error) {
        if (!(error instanceof StorageDaemonError)) throw error;
        problem = `: ${error.message}`;
      }
      // The time in which nobody answered is not the fault of the bag.
      progressMs += performance.now() - askedMs;
      if (details !== undefined) {
        if (details.downloaded > entry.downloaded || (details.hasHeader && entry.size === 0)) {
          progressMs = performance.now();
          poll.reset();
        }
        const { size, downloaded, speed } = details;
        Object.assign(entry, { size, downloaded, speed });
        if (isDone(details)) return;
      }
      const idleMs = performance.now() - progressMs;
      if (idleMs >= patienceMs * LATE_SHARE && !entry.isLate) {
        entry.isLate = true;
        notify();
      }
      if (idleMs >= patienceMs) {
        const what = all ? `stopped at ${entry.downloaded} of ${entry.size} bytes` : 'nothing of it came';
        throw new BagUnavailable(`${what} for ${patienceMs / 1000} s${problem}`);
      }
      await pause(poll.next(), signal);
      signal.throwIfAborted();
    }
  }

  /** The others wait for those before them, so that an early bag never lacks the room that later ones take. */
  async function waitForRoom(entry: Entry, signal: AbortSignal): Promise<void> {
    const isNext = () => before(entry).every(({ isReserved, isLate }) => isReserved || isLate);
    const fits = () => bytesBeside(entry) + entry.size <= maxBytes;
    const isAlone = () => !entries.some((other) => other !== entry && other.isReserved);
    entry.step = 'space';
    for (;;) {
      await waitUntil(() => isNext() && (fits() || (isAlone() && left.size > 0)), signal);
      if (fits()) return;
      // The bound was lowered since these were loaded.
      await removeLeft([...left.keys()].at(-1)!);
    }
  }

  async function removeLeft(bag: string): Promise<void> {
    await remove(bag);
    left.delete(bag);
    notify();
  }

  async function load(entry: Entry, signal: AbortSignal): Promise<void> {
    const found = await detailsOf(entry.bag, signal);
    if (found?.hasHeader) Object.assign(entry, { size: found.size, downloaded: found.downloaded });
    else {
      entry.step = 'header';
      await addUntil(entry, { all: false, isDone: ({ hasHeader }) => hasHeader }, signal);
    }
    if (entry.size > maxBytes && !found?.isComplete)
      throw new BagUnavailable(`it has ${entry.size} bytes, more than --disk allows (${maxBytes})`);
    // What is here already takes no more room.
    if (!entry.isReserved && !found?.isComplete) await waitForRoom(entry, signal);
    entry.isReserved = true;
    notify();
    if (!found?.isComplete) {
      entry.step = 'loading';
      await addUntil(entry, { all: true, isDone: ({ isComplete }) => isComplete }, signal);
    }
    entry.step = 'loaded';
  }

  /** Has the daemon delete a bag, and deletes what it leaves. */
  async function remove(bag: string): Promise<void> {
    await ask(() => daemon.remove(bag, end), end, { untilDone: true });
    await rm(join(folder, bag), { recursive: true, force: true }).catch((error: Error) =>
      log.warn({ bag, err: error }, 'Removing the folder of a bag failed'),
    );
  }

  return {
    /** Wants a bag, after those that were opened before. */
    open(bag: string): OpenBag {
      const entry: Entry = {
        bag,
        step: 'header',
        size: 0,
        downloaded: 0,
        speed: 0,
        isReserved: false,
        isLate: false,
      };
      entries.push(entry);
      if (left.delete(bag)) notify();
      return {
        bag,
        path: join(folder, bag),
        load: (signal) => load(entry, signal),
        isComplete: async (signal) => (await detailsOf(bag, signal))?.isComplete === true,
        async takeTurn(signal) {
          const isNext = () => (reading ?? entry) === entry && before(entry).every(({ isLate }) => isLate);
          await waitUntil(isNext, signal);
          reading = entry;
          entry.step = 'reading';
        },
        async remove() {
          if (reading === entry) reading = undefined;
          // It is not waited for any more.
          entry.isLate = true;
          notify();
          await remove(bag);
          entries.splice(entries.indexOf(entry), 1);
          notify();
        },
      };
    },
    /**
     * The bags of the list that an earlier run, or another process, left in the folder; they take room until they are
     * opened, removed or ignored.
     */
    async findLeft(): Promise<string[]> {
      for (const name of await readdir(folder).catch(() => []))
        if (listed.has(name)) left.set(name, (await detailsOf(name, end))?.size ?? 0);
      return [...left.keys()];
    },
    /** Has a bag deleted that is not opened. */
    removeLeft,
    /** Counts a bag that was left no more: another process uses it. */
    ignoreLeft(bag: string): void {
      if (left.delete(bag)) notify();
    },
    reports: (): BagReport[] =>
      entries.map(({ bag, step, size, downloaded, speed }) => ({ bag, step, size, downloaded, speed })),
  };
}
