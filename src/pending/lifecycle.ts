import type { Database } from '../db/connection.ts';
import { readSettledTraces } from '../db/queries/pending-traces.ts';
import { mapInOrder } from '../lib/concurrency.ts';
import type { Log } from '../lib/log.ts';
import type { Payer } from '../lib/payer.ts';
import type { ExternalMessage } from '../live/external-messages.ts';
import type { PendingArrival, PendingCounts, PendingEnd } from '../observe/pending-metrics.ts';
import type { EmulationBudget } from './emulation-budget.ts';
import { createEntry, PendingEntries, type PendingEntry } from './entries.ts';
import { type ChainReader, findRootTransaction, followOnChain, OnChainPart } from './follow-chain.ts';
import { type KeptTrace, type PendingTraces, type TraceStore, traceKey } from './pending-traces.ts';
import { type Classify, type Emulate, type PredictParts, predict, predictRest } from './predict.ts';

/** Servers may be some blocks ahead of what is known here when a message is sent to them. */
const SINCE_SEQNOS = 16;
const MAX_CONCURRENT_LOOKS = 16;
/** A message of which nothing could be found out so often is given up. */
const MAX_FAILURES = 3;
/** The chain may stand still, and time goes on. */
const LOOK_EVERY_MS = 5000;
/** Blocks may come much more often. */
const CONFIRM_EVERY_MS = 3000;

/** Begins to take messages and to look at every new block what became of them. */
export function createPending(options: PendingOptions): Pending {
  const { chain, store, index, clock, metrics, limits } = options;
  const ended = new AbortController();
  const parts = { ...options, signal: ended.signal };
  const book = new PendingEntries();
  const endLog = createOutcomeLog(options.log);
  const line = createWorkQueue<PendingEntry>(limits.atOnce, begin);
  let looking: Promise<void> | undefined;
  let wantsLook = false;
  let confirmedMs = performance.now();

  function accepted(message: ExternalMessage, payer: Payer, origin: 'sender' | 'feed'): boolean {
    const arrival = arrive(message, payer, origin);
    if (arrival !== undefined) metrics.arrived(arrival);
    return arrival === undefined || arrival === 'known';
  }

  function arrive(
    message: ExternalMessage,
    payer: Payer,
    origin: 'sender' | 'feed',
  ): PendingArrival | undefined {
    if (ended.signal.aborted) return 'ended';
    if (book.has(traceKey(message.normalizedHash))) return 'known';
    if (limits.perRps !== undefined && book.countOf(payer) >= payer.rps * limits.perRps)
      return 'too_many_of_key';
    if (book.size >= limits.kept + limits.waiting) return 'line_full';
    const entry = createEntry({
      message,
      payer,
      acceptedAt: clock(),
      acceptedMs: performance.now(),
      sinceSeqno: Math.max(0, chain.headSeqno() - SINCE_SEQNOS),
    });
    if (entry === undefined) return 'refused';
    if (!line.add(entry, origin === 'feed' ? limits.waiting / 2 : limits.waiting)) return 'line_full';
    book.add(entry);
    return undefined;
  }

  /** The first emulation of a message. */
  async function begin(entry: PendingEntry): Promise<void> {
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

  function show(entry: PendingEntry, trace: KeptTrace): void {
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
  function remove(entry: PendingEntry, reason: PendingEnd | PendingArrival): void {
    book.remove(entry);
    if (entry.trace === undefined) metrics.arrived(arrivalOf(reason));
    else metrics.ended(reason as PendingEnd);
    store.remove(entry.key);
    endLog.note(reason);
  }

  function fail(entry: PendingEntry, error: unknown): void {
    if (ended.signal.aborted || !book.isCurrent(entry)) return;
    endLog.trouble(error);
    entry.failures += 1;
    if (entry.trace === undefined && entry.failures >= MAX_FAILURES) remove(entry, 'failed');
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
      await mapInOrder(book.longestUnseen(limits.looksPerHead), MAX_CONCURRENT_LOOKS, lookOnce);
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

  async function lookOnce(entry: PendingEntry): Promise<void> {
    if (entry.isBusy || !book.isCurrent(entry) || ended.signal.aborted) return;
    entry.isBusy = true;
    try {
      const seen = await checkEntry(parts, entry);
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

function soughtOf({ message: { normalizedHash }, sinceSeqno }: PendingEntry) {
  return { normalizedHash, sinceSeqno };
}

/** What is said of a message that ends before it was shown. */
function arrivalOf(reason: PendingEnd | PendingArrival): PendingArrival {
  if (reason === 'indexed') return 'indexed';
  if (reason === 'invalidated') return 'refused';
  return reason === 'expired' || reason === 'crowded_out' ? 'failed' : reason;
}

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
  readonly looksPerHead: number;
}

export interface PendingOptions {
  readonly emulate: Emulate;
  readonly classify: Classify;
  readonly index: PendingIndex;
  readonly chain: ChainReader;
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
  accepted(message: ExternalMessage, payer: Payer, origin: 'sender' | 'feed'): boolean;
  /** Looks at everything once more, as at every new masterchain block. Never throws. */
  look(): Promise<void>;
  /** Forgets everything: the chain is another one than before. */
  clear(): void;
  /** Messages that wait for their emulation. */
  waiting(): number;
  close(): Promise<void>;
}

/** What looks are made with. */
interface LookParts extends PredictParts {
  readonly chain: ChainReader;
}

/** What a look showed: another form of the trace, nothing new, or that the message can no longer apply. */
type Look = KeptTrace | 'same' | 'gone';

/**
 * Lite servers are not all at the same block: that an account would not take a message must show more than once, since
 * one of them may have the block with it already, and another not.
 */
const MAX_REFUSALS = 3;
const MIN_WAIT_SECONDS = 10;

/** Looks at a message once more. Throws where the chain is not to be seen now. */
async function checkEntry(parts: LookParts, entry: PendingEntry): Promise<Look> {
  const { chain } = parts;
  if (entry.real === undefined) {
    const newest = await chain.newest(entry.account);
    const hasChanged = entry.baseLt === undefined || newest.lt > entry.baseLt;
    const { account, message, baseLt } = entry;
    const root = hasChanged
      ? await findRootTransaction(chain, account, message.normalizedHash, { newest, afterLt: baseLt })
      : undefined;
    if (root === undefined) return hasChanged || isDue(parts, entry) ? predictAgain(parts, entry) : 'same';
    entry.real = new OnChainPart();
    entry.real.add(root, chain.headSeqno());
    await followOnChain(chain, entry.real);
  } else if (!(await followOnChain(chain, entry.real))) return 'same';
  return predictRest(parts, entry);
}

async function predictAgain(parts: LookParts, entry: PendingEntry): Promise<Look> {
  const prediction = await predict(parts, entry);
  if (prediction === 'spent') return 'same';
  entry.refusals = prediction === 'refused' ? entry.refusals + 1 : 0;
  if (prediction !== 'refused') return prediction;
  return entry.refusals >= MAX_REFUSALS ? 'gone' : 'same';
}

/** Time alone can make a message impossible; it is looked for less and less often. */
function isDue({ clock }: LookParts, { refusals, predictedAt, acceptedAt }: PendingEntry): boolean {
  const now = clock();
  return refusals > 0 || now - predictedAt >= Math.max(MIN_WAIT_SECONDS, (now - acceptedAt) / 2);
}

/** A trace that the index may have. */
interface SoughtTrace {
  readonly normalizedHash: Buffer;
  /** One that began in an earlier masterchain block is another one. */
  readonly sinceSeqno: number;
}

/** The index, as far as pending traces need it. */
interface PendingIndex {
  /** Those of some traces that the index has complete and classified: their normalized hashes in hex. */
  settled(traces: readonly SoughtTrace[]): Promise<ReadonlySet<string>>;
}

const TRACES_PER_QUERY = 500;

/** Looks into the index that this process reads, whoever fills it. Throws when the database does not answer. */
export function createPendingIndex(database: Pick<Database, 'read'>): PendingIndex {
  return {
    async settled(traces) {
      const found = new Set<string>();
      for (let at = 0; at < traces.length; at += TRACES_PER_QUERY) {
        const some = traces.slice(at, at + TRACES_PER_QUERY);
        const hashes = some.map(({ normalizedHash }) => normalizedHash);
        const seqnos = some.map(({ sinceSeqno }) => sinceSeqno);
        for (const hash of await database.read((db) => readSettledTraces(db, { hashes, seqnos })))
          found.add(traceKey(hash));
      }
      return found;
    },
  };
}

/** Work that waits for its turn: so much at once, so much in line. */
interface WorkQueue<T> {
  /** Puts something in line; false where the line is longer than `most`. */
  add(item: T, most: number): boolean;
  readonly size: number;
  /** Forgets all that waits. */
  clear(): void;
}

/** Opens a line. `work` must not throw. */
export function createWorkQueue<T>(atOnce: number, work: (item: T) => Promise<void>): WorkQueue<T> {
  const waiting = new Set<T>();
  let busy = 0;

  function next(): void {
    for (const item of waiting) {
      if (busy >= atOnce) return;
      waiting.delete(item);
      busy += 1;
      void work(item).finally(() => {
        busy -= 1;
        next();
      });
    }
  }

  return {
    add(item, most) {
      if (waiting.size >= most) return false;
      waiting.add(item);
      next();
      return true;
    },
    get size() {
      return waiting.size;
    },
    clear: () => waiting.clear(),
  };
}

/** Tells the log what becomes of messages, added up. */
interface OutcomeLog {
  /** One message ended. */
  note(reason: string): void;
  /** Something could not be done; it will be tried again. */
  trouble(error: unknown): void;
  /** Writes what there is to tell, if some time has passed. */
  tell(): void;
}

const EVERY_MS = 60_000;

/** Creates it; the first trouble is told at once. */
function createOutcomeLog(log: Log, now: () => number = () => performance.now()): OutcomeLog {
  let counts: Record<string, number> = {};
  let toldMs = now();
  let troubledMs = Number.NEGATIVE_INFINITY;
  return {
    note(reason) {
      counts[reason] = (counts[reason] ?? 0) + 1;
    },
    trouble(error) {
      if (now() - troubledMs < EVERY_MS) return;
      troubledMs = now();
      log.warn({ err: error }, 'Pending messages cannot be followed for the moment');
    },
    tell() {
      if (now() - toldMs < EVERY_MS || Object.keys(counts).length === 0) return;
      toldMs = now();
      log.info(counts, 'Pending messages ended');
      counts = {};
    },
  };
}
