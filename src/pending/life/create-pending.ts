import { mapInOrder } from '../../lib/map-in-order.ts';
import type { PendingArrival, PendingEnd } from '../../observe/pending-metrics.ts';
import type { AcceptedMessage } from '../accepted-message.ts';
import type { EmulationPayer } from '../emulation-budget.ts';
import { type KeptTrace, traceKey } from '../store/trace-store.ts';
import { createEndLog } from './end-log.ts';
import { type Entry, openEntry } from './entry.ts';
import { EntryBook } from './entry-book.ts';
import { lookAt } from './look-at.ts';
import type { Pending, PendingOptions } from './pending-options.ts';
import { predict } from './predict.ts';
import { createWaitingLine } from './waiting-line.ts';

/** Servers may be some blocks ahead of what is known here when a message is sent to them. */
const SINCE_SEQNOS = 16;
const LOOKS_AT_ONCE = 16;
/** A message of which nothing could be found out so often is given up. */
const MOST_FAILURES = 3;
/** The chain may stand still, and time goes on. */
const LOOK_EVERY_MS = 5000;
/** Blocks may come much more often. */
const CONFIRM_EVERY_MS = 3000;

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
  let confirmedMs = performance.now();

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
    if (trace.finality === 'finalized') book.release(entry);
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
      confirm();
      await mapInOrder(book.longestUnseen(limits.looksAHead), LOOKS_AT_ONCE, lookOnce);
      endLog.tell();
    }
  }

  function confirm(): void {
    if (performance.now() - confirmedMs < CONFIRM_EVERY_MS) return;
    confirmedMs = performance.now();
    store.confirm(book.shownKeys());
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
