import type { Log } from '../../lib/log.ts';
import { mapInOrder } from '../../lib/map-in-order.ts';
import type { PendingArrival, PendingCounts, PendingEnd } from '../../observe/pending-metrics.ts';
import type { AcceptedMessage } from '../accepted-message.ts';
import type { EmulationBudget, EmulationPayer } from '../emulation-budget.ts';
import type { PendingTraces } from '../pending-traces.ts';
import { type KeptTrace, type TraceStore, traceKey } from '../store/trace-store.ts';
import type { ChainEye } from './chain-eye.ts';
import { createEndLog } from './end-log.ts';
import { type Entry, openEntry } from './entry.ts';
import { EntryBook } from './entry-book.ts';
import { lookAt } from './look-at.ts';
import type { Classify, Emulate, PendingIndex } from './pending-ports.ts';
import { predict } from './predict.ts';
import { createWaitingLine } from './waiting-line.ts';

/** How much is done at once, and how much is kept. */
export interface PendingLimits {
  /** Emulations of new messages at a time. */
  readonly atOnce: number;
  /** Messages that may wait for theirs; those of a feed may have half of it. */
  readonly waiting: number;
  /** Messages of this process at most. */
  readonly kept: number;
  /** Messages of one payer for each request a second that it may make; undefined without bound. */
  readonly perRps: number | undefined;
  /** How long a message is kept at most. */
  readonly keepSeconds: number;
  /** Messages that are looked at again for one masterchain block. */
  readonly looksAHead: number;
}

export interface PendingOptions {
  readonly emulate: Emulate;
  readonly classify: Classify;
  readonly index: PendingIndex;
  readonly chain: ChainEye;
  readonly store: TraceStore;
  readonly budget: EmulationBudget;
  /** Unix seconds. */
  readonly clock: () => number;
  readonly log: Log;
  readonly metrics: PendingCounts;
  readonly limits: PendingLimits;
}

/** Messages that were sent, until the index has what came of them. */
export interface Pending extends PendingTraces {
  /** Takes a message that was accepted; false where it is left out, which is no matter of the sender. Never throws. */
  accepted(message: AcceptedMessage, payer: EmulationPayer, origin: 'sender' | 'feed'): boolean;
  /** Looks at everything once more, as at every new masterchain block. Never throws. */
  look(): Promise<void>;
  /** Forgets everything: the chain is another one than before. */
  clear(): void;
  /** Messages that wait for their emulation. */
  waiting(): number;
  close(): Promise<void>;
}

/** Servers may be some blocks ahead of what is known here when a message is sent to them. */
const SINCE_SEQNOS = 16;
const LOOKS_AT_ONCE = 4;
/** A message of which nothing could be found out so often is given up. */
const MOST_FAILURES = 3;
/** The chain may stand still, and time goes on. */
const LOOK_EVERY_MS = 5000;

/** Begins to take messages and to look at every new block what became of them. */
export function createPending(options: PendingOptions): Pending {
  const { chain, store, index, clock, metrics, limits } = options;
  const ended = new AbortController();
  const parts = { ...options, signal: ended.signal };
  const book = new EntryBook();
  const endLog = createEndLog(options.log);
  const line = createWaitingLine<Entry>(limits.atOnce, begin);
  let looking: Promise<void> | undefined;
  let wantsLook = false;

  function accepted(message: AcceptedMessage, payer: EmulationPayer, origin: 'sender' | 'feed'): boolean {
    const arrival = arrive(message, payer, origin);
    if (arrival !== undefined) metrics.arrived(arrival);
    return arrival === undefined || arrival === 'known';
  }

  function arrive(
    message: AcceptedMessage,
    payer: EmulationPayer,
    origin: 'sender' | 'feed',
  ): PendingArrival | undefined {
    if (ended.signal.aborted) return 'ended';
    if (book.has(traceKey(message.normalizedHash))) return 'known';
    if (limits.perRps !== undefined && book.countOf(payer) >= payer.rps * limits.perRps)
      return 'too_many_of_key';
    if (book.size >= limits.kept + limits.waiting) return 'line_full';
    const entry = openEntry({
      ...{ message, payer, acceptedAt: clock(), acceptedMs: performance.now() },
      sinceSeqno: Math.max(0, chain.headSeqno() - SINCE_SEQNOS),
    });
    if (entry === undefined) return 'refused';
    if (!line.add(entry, origin === 'feed' ? limits.waiting / 2 : limits.waiting)) return 'line_full';
    book.add(entry);
    return undefined;
  }

  /** The first emulation of a message. */
  async function begin(entry: Entry): Promise<void> {
    try {
      const prediction = await predict(parts, entry);
      if (!book.isCurrent(entry)) return;
      if (prediction === 'spent') remove(entry, 'budget_spent');
      else if (prediction === 'refused') entry.refusals = 1;
      else show(entry, prediction);
    } catch (error) {
      fail(entry, error);
    } finally {
      entry.isBusy = false;
    }
  }

  function show(entry: Entry, trace: KeptTrace): void {
    if (entry.trace === undefined) {
      metrics.arrived('shown');
      metrics.shown((performance.now() - entry.acceptedMs) / 1000);
    }
    entry.trace = trace;
    entry.failures = 0;
    for (const key of store.put(trace)) {
      const other = book.get(key);
      if (other !== undefined) remove(other, 'crowded_out');
    }
  }

  /** Ends a message; one that was never shown has not arrived. */
  function remove(entry: Entry, reason: PendingEnd | PendingArrival): void {
    book.remove(entry);
    if (entry.trace === undefined) metrics.arrived(arrivalOf(reason));
    else metrics.ended(reason as PendingEnd);
    store.remove(entry.key);
    endLog.note(reason);
  }

  function fail(entry: Entry, error: unknown): void {
    if (ended.signal.aborted || !book.isCurrent(entry)) return;
    endLog.trouble(error);
    entry.failures += 1;
    if (entry.trace === undefined && entry.failures >= MOST_FAILURES) remove(entry, 'failed');
  }

  async function look(): Promise<void> {
    wantsLook = true;
    looking ??= lookOn().finally(() => {
      looking = undefined;
    });
    await looking;
  }

  async function lookOn(): Promise<void> {
    while (wantsLook && !ended.signal.aborted) {
      wantsLook = false;
      expire();
      await settle();
      store.confirm(book.shownKeys());
      await mapInOrder(book.longestUnseen(limits.looksAHead), LOOKS_AT_ONCE, lookOnce);
      endLog.tell();
    }
  }

  function expire(): void {
    const before = clock() - limits.keepSeconds;
    for (const entry of book.all()) if (entry.acceptedAt <= before) remove(entry, 'expired');
  }

  async function settle(): Promise<void> {
    try {
      const settled = await index.settled([...book.all()].map(soughtOf));
      for (const entry of book.all()) if (settled.has(entry.key)) remove(entry, 'indexed');
    } catch (error) {
      endLog.trouble(error);
    }
  }

  async function lookOnce(entry: Entry): Promise<void> {
    if (entry.isBusy || !book.isCurrent(entry) || ended.signal.aborted) return;
    entry.isBusy = true;
    try {
      const seen = await lookAt(parts, entry);
      if (!book.isCurrent(entry)) return;
      if (seen === 'gone') remove(entry, entry.trace === undefined ? 'refused' : 'invalidated');
      else if (seen !== 'same') show(entry, seen);
    } catch (error) {
      fail(entry, error);
    } finally {
      entry.isBusy = false;
    }
  }

  const unwatch = chain.onHead(() => void look());
  const timer = setInterval(() => void look(), LOOK_EVERY_MS).unref();

  return {
    accepted(message, payer, origin) {
      try {
        return accepted(message, payer, origin);
      } catch (error) {
        // Nobody who sends a message is to hear of what is wrong here.
        endLog.trouble(error);
        return false;
      }
    },
    look,
    async find(question) {
      try {
        const found = await store.find(question);
        if (found.length === 0) return found;
        const settled = await index.settled(found);
        return found.filter(({ normalizedHash }) => !settled.has(traceKey(normalizedHash)));
      } catch (error) {
        endLog.trouble(error);
        return [];
      }
    },
    clear() {
      line.clear();
      book.clear();
      store.clear();
    },
    waiting: () => line.size,
    async close() {
      ended.abort();
      unwatch();
      clearInterval(timer);
      line.clear();
      await looking;
      await store.close();
    },
  };
}

function soughtOf({ message: { normalizedHash }, sinceSeqno }: Entry) {
  return { normalizedHash, sinceSeqno };
}

/** What is said of a message that ends before it was shown. */
function arrivalOf(reason: PendingEnd | PendingArrival): PendingArrival {
  if (reason === 'indexed') return 'indexed';
  if (reason === 'invalidated') return 'refused';
  return reason === 'expired' || reason === 'crowded_out' ? 'failed' : reason;
}
