/**
 * The life of a message that was sent, until the index has its trace:
 *
 *     accepted ─▶ queued ─▶ emulated ─▶ partly confirmed ─▶ finalized ─▶ indexed
 *                   │  ▲       ▲
 *                   ▼  │       │
 *                 retrying ────┘
 *
 * queued            waits for its first emulation
 * retrying          not shown: its account does not accept it yet, or the emulation failed
 * emulated          shown: the whole trace is predicted
 * partly confirmed  shown: some of the trace is in blocks, the rest is predicted. Blocks that validators have signed count,
 *                   even if the masterchain has not taken them: a trace that is lost with one is shown anew
 * finalized         shown: all of the trace is in blocks that the masterchain has
 *
 * It ends as
 *
 * indexed           the index has the whole trace, with its actions
 * refused           its account did not accept it in several checks in a row, and it was never shown
 * invalidated       the same after it was shown: another message has taken its place, its time is over, or a signed block
 *                   with it was lost
 * expired           it is too old
 * crowded_out       the store had no room left for it
 * budget_spent      its sender had no emulation time left for the first emulation
 * failed            it could not be emulated in several attempts
 *
 * Every new masterchain block is a check of all messages, in `refresh`; signed blocks check those that they concern. Below,
 * transitions stand in the order of life.
 */
import { readBoc } from '../chain/boc/bag.ts';
import { readTransaction } from '../chain/tlb/transaction.ts';
import { mapInOrder } from '../lib/concurrency.ts';
import type { Log } from '../lib/log.ts';
import type { Payer } from '../lib/payer.ts';
import { type ExternalMessage, readExternalMessage } from '../live/external-messages.ts';
import type { PendingArrival, PendingEnd } from '../observe/pending-metrics.ts';
import type { PendingChanges } from './changes.ts';
import {
  createEntry,
  isShown,
  isWaiting,
  PendingEntries,
  type PendingEntry,
  type SharedCounts,
} from './entries.ts';
import {
  type ChainReader,
  findRootTransaction,
  followOnChain,
  hasNoRootTransaction,
  nextSigned,
  OnChainPart,
  type SignedTransactions,
  withSigned,
} from './follow-chain.ts';
import type { PendingIndex } from './pending-index.ts';
import {
  type PendingTransaction,
  type StoredTrace,
  type TraceStore,
  traceKey,
  type WatchedPending,
} from './pending-traces.ts';
import { type PredictionContext, predict, predictRest } from './predict.ts';
import { bocOfMessage, type SignedBlocks } from './signed-blocks.ts';
import { createWorkQueue } from './work-queue.ts';

/** Messages that were sent, until the index has their traces. */
export interface Pending extends WatchedPending {
  /** Takes a message that was sent; returns false if it is not followed. Never throws: sending must not fail over it. */
  accepted(message: ExternalMessage, payer: Payer, origin: 'sender' | 'feed'): boolean;
  /** Goes on with traces of a process that has ended. */
  adopt(keys: readonly string[]): Promise<void>;
  /** Checks all messages, as at every new masterchain block. Never rejects. */
  refresh(): Promise<void>;
  /** Forgets everything: the chain was replaced. */
  clear(): void;
  /** Number of messages that wait for their first emulation. */
  queued(): number;
  /** The newest masterchain block against which messages were checked. */
  checkedSeqno(): number;
  close(): Promise<void>;
}

export interface PendingOptions extends Omit<CheckContext, 'signal' | 'signed' | 'signedAccount'> {
  readonly index: PendingIndex;
  /** Undefined where nobody shows signed blocks. */
  readonly signed?: SignedBlocks | undefined;
  readonly store: TraceStore;
  readonly changes: PendingChanges;
  /** Set where several processes count the messages of a sender together. */
  readonly counts?: SharedCounts | undefined;
  readonly log: Log;
  readonly limits: PendingLimits;
}

export interface PendingLimits {
  /** First emulations at a time. */
  readonly maxConcurrent: number;
  /** Messages that may wait for their first emulation; those of a feed may fill half of it. */
  readonly maxQueued: number;
  /** Messages of this process. */
  readonly maxKept: number;
  /** Messages of one payer per request a second that it may make; undefined for no limit. */
  readonly maxPerRps: number | undefined;
  readonly keepSeconds: number;
  /** Messages that are checked per masterchain block; the others have their turn at the next ones. */
  readonly checksPerHead: number;
}

/** A lite server may be some blocks ahead of the head known here when a message is sent to it. */
const SINCE_SEQNOS = 16;
const MAX_CONCURRENT_CHECKS = 16;
/** A message that was never shown is given up after this many failed attempts. */
const MAX_FAILURES = 3;
/** Messages expire even if no new block comes. */
const REFRESH_EVERY_MS = 5000;
/** Blocks may come much more often. */
const RENEW_EVERY_MS = 3000;
/** Traces of signed blocks in which somebody is interested, and those of other processes, are limited by the size of the queue. */
const SIGNED: Payer = { id: 'signed blocks', rps: 10_000 };

/** Starts to take messages and to check them at every new masterchain block. */
export function createPending(options: PendingOptions): Pending {
  const { chain, store, changes, index, signed, clock, metrics, limits } = options;
  const closed = new AbortController();
  const context: CheckContext = {
    ...options,
    signed: signed ?? NONE_SIGNED,
    signedAccount: signed?.account,
    signal: closed.signal,
  };
  const entries = new PendingEntries(options.counts);
  const endLog = createEndLog(options.log);
  const queue = createWorkQueue<PendingEntry>(limits.maxConcurrent, emulateFirst);
  let refreshing: Promise<void> | undefined;
  let wantsRefresh = false;
  let renewedMs = performance.now();
  let checkedSeqno = 0;

  // accepted → queued

  function accepted(message: ExternalMessage, payer: Payer, origin: 'sender' | 'feed'): boolean {
    try {
      const rejection = tryQueue(message, payer, origin);
      if (rejection !== undefined) metrics.arrived(rejection);
      return rejection === undefined || rejection === 'known';
    } catch (error) {
      endLog.trouble(error);
      return false;
    }
  }

  function tryQueue(
    message: ExternalMessage,
    payer: Payer,
    origin: 'sender' | 'feed',
  ): PendingArrival | undefined {
    if (closed.signal.aborted) return 'ended';
    if (entries.has(traceKey(message.normalizedHash))) return 'known';
    if (limits.maxPerRps !== undefined && entries.countOf(payer) >= payer.rps * limits.maxPerRps)
      return 'too_many_of_key';
    if (entries.size >= limits.maxKept + limits.maxQueued) return 'line_full';
    const entry = createEntry({
      message,
      payer,
      acceptedAt: clock(),
      acceptedAtMs: performance.now(),
      sinceSeqno: Math.max(0, chain.headSeqno() - SINCE_SEQNOS),
    });
    if (entry === undefined) return 'refused';
    if (!queue.add(entry, origin === 'feed' ? limits.maxQueued / 2 : limits.maxQueued)) return 'line_full';
    entries.add(entry);
    return undefined;
  }

  // queued → emulated | retrying | budget_spent

  async function emulateFirst(entry: PendingEntry): Promise<void> {
    let isDone = false;
    try {
      const part = signedPart(context, entry);
      entry.shownPart = part;
      const prediction = await (part === undefined
        ? predict(context, entry)
        : predictRest(context, entry, part));
      if (!entries.isCurrent(entry)) return;
      if (prediction === 'spent') end(entry, 'budget_spent');
      else if (prediction === 'refused') {
        entry.refusals = 1;
        entry.state = 'retrying';
      } else show(entry, prediction);
      isDone = true;
    } catch (error) {
      attemptFailed(entry, error);
    } finally {
      entry.isBusy = false;
      if (isDone) checkIfBehind(entry);
    }
  }

  // queued, retrying → emulated → partly confirmed → finalized

  function show(entry: PendingEntry, trace: StoredTrace): void {
    const isFirst = !isShown(entry);
    if (isFirst) {
      metrics.arrived('shown');
      metrics.shown((performance.now() - entry.acceptedAtMs) / 1000);
    }
    if (trace.finality === 'finalized') entry.state = 'finalized';
    else entry.state = entry.shownPart === undefined ? 'emulated' : 'partly_confirmed';
    // A trace that has happened does not count against its sender any more.
    if (entry.state === 'finalized') entries.release(entry);
    entry.failures = 0;
    const { wasRolledBack } = entry;
    entry.wasRolledBack = false;
    // Who saw it forgets it, and sees it anew.
    if (wasRolledBack && !isFirst) changes.ended(trace.normalizedHash, 'rolled_back');
    const evicted = store.put(trace);
    if (!evicted.includes(entry.key)) changes.shown(trace, isFirst || wasRolledBack);
    for (const key of evicted) {
      const other = entries.get(key);
      if (other !== undefined) end(other, 'crowded_out');
    }
  }

  function attemptFailed(entry: PendingEntry, error: unknown): void {
    if (closed.signal.aborted || !entries.isCurrent(entry)) return;
    endLog.trouble(error);
    entry.failures += 1;
    if (isShown(entry)) return;
    if (entry.failures >= MAX_FAILURES) end(entry, 'failed');
    else entry.state = 'retrying';
  }

  // Every masterchain block: any → expired, any → indexed, then a check of those whose last check is longest ago

  async function refresh(): Promise<void> {
    wantsRefresh = true;
    refreshing ??= refreshWhileWanted().finally(() => {
      refreshing = undefined;
    });
    await refreshing;
  }

  async function refreshWhileWanted(): Promise<void> {
    while (wantsRefresh && !closed.signal.aborted) {
      wantsRefresh = false;
      const seqno = chain.headSeqno();
      expireOld();
      await endIndexed();
      renewStored();
      await mapInOrder(entries.leastRecentlyChecked(limits.checksPerHead), MAX_CONCURRENT_CHECKS, check);
      checkedSeqno = seqno;
      endLog.write();
    }
  }

  function expireOld(): void {
    const before = clock() - limits.keepSeconds;
    for (const entry of entries.all()) if (entry.acceptedAt <= before) end(entry, 'expired');
  }

  async function endIndexed(): Promise<void> {
    try {
      const all = [...entries.all()];
      const indexed = await index.findIndexed(
        all.map(({ message: { normalizedHash }, sinceSeqno }) => ({ normalizedHash, sinceSeqno })),
      );
      // The same message may have been sent again to a chain that went back meanwhile.
      for (const entry of all) if (indexed.has(entry.key) && entries.isCurrent(entry)) end(entry, 'indexed');
    } catch (error) {
      endLog.trouble(error);
    }
  }

  function renewStored(): void {
    if (performance.now() - renewedMs < RENEW_EVERY_MS) return;
    renewedMs = performance.now();
    store.renew(entries.shownKeys());
  }

  async function check(entry: PendingEntry): Promise<void> {
    if (!entries.isCurrent(entry) || closed.signal.aborted) return;
    entry.wantsCheck = entry.isBusy && !isWaiting(entry);
    if (entry.isBusy) return;
    entry.isBusy = true;
    let isDone = false;
    try {
      const result = await checkEntry(context, entry);
      if (!entries.isCurrent(entry)) return;
      if (result === 'gone') end(entry, isShown(entry) ? 'invalidated' : 'refused');
      else if (result !== 'same') show(entry, result);
      isDone = true;
    } catch (error) {
      attemptFailed(entry, error);
    } finally {
      entry.isBusy = false;
      if (isDone) checkIfBehind(entry);
    }
  }

  // Signed blocks: checks of the messages that they concern

  async function checkSigned(): Promise<void> {
    const concerned = [...entries.all()].filter((entry) => isBehind(entry) || hasConfirmed(entry.shownPart));
    await mapInOrder(concerned, MAX_CONCURRENT_CHECKS, check);
  }

  /** A block may have come while a message was being checked. */
  function checkIfBehind(entry: PendingEntry): void {
    if (entry.wantsCheck || (entries.isCurrent(entry) && isBehind(entry))) void check(entry);
  }

  /** Whether signed blocks have more of a trace than was shown. */
  function isBehind({ state, message, shownPart }: PendingEntry): boolean {
    if (signed === undefined || state === 'finalized') return false;
    if (shownPart === undefined) return signed.receiving(message.normalizedHash) !== undefined;
    return nextSigned(shownPart, signed.receiving) !== undefined;
  }

  signed?.start({
    isNeeded: () => [...entries.all()].some(({ state }) => state !== 'finalized'),
    changed: checkSigned,
    found: followFound,
  });

  function followFound(boc: Buffer): void {
    try {
      accepted(readExternalMessage(readBoc(boc)), SIGNED, 'feed');
    } catch (error) {
      endLog.trouble(error);
    }
  }

  async function adopt(keys: readonly string[]): Promise<void> {
    const traces = await store.find({ messages: keys.map((key) => Buffer.from(key, 'hex')) });
    for (const { transactions } of traces) {
      const [{ boc, account }] = transactions as [PendingTransaction];
      const bag = readBoc(boc);
      followFound(bocOfMessage(readTransaction(bag, bag.root, account.workchain)));
    }
  }

  // any → the end. For the metrics, a message that ends before it was shown has never arrived.

  function end(entry: PendingEntry, reason: PendingEnd | PendingArrival): void {
    entries.remove(entry);
    if (isShown(entry)) metrics.ended(reason as PendingEnd);
    else metrics.arrived(UNSHOWN_END[reason as PendingEnd] ?? (reason as PendingArrival));
    store.remove(entry.key);
    if (isShown(entry)) tellEnd(entry, reason);
    endLog.count(reason);
  }

  /** A message that is only not followed any more may still happen. */
  function tellEnd(
    { message, wasPassed, wasRolledBack }: PendingEntry,
    reason: PendingEnd | PendingArrival,
  ): void {
    const { normalizedHash } = message;
    if (reason === 'indexed' || reason === 'expired') changes.ended(normalizedHash, reason);
    if (reason !== 'invalidated') return;
    changes.ended(normalizedHash, wasRolledBack ? 'rolled_back' : wasPassed ? 'superseded' : 'expired');
  }

  const unwatch = chain.onHead(() => void refresh());
  const timer = setInterval(() => void refresh(), REFRESH_EVERY_MS).unref();

  return {
    accepted,
    refresh,
    async find(query) {
      try {
        const traces = await store.find(query);
        if (traces.length === 0) return traces;
        const indexed = await index.findIndexed(traces);
        return traces.filter(({ normalizedHash }) => !indexed.has(traceKey(normalizedHash)));
      } catch (error) {
        endLog.trouble(error);
        return [];
      }
    },
    watch: changes.watch,
    adopt: (keys) => adopt(keys).catch(endLog.trouble),
    followSigned: (interest) => signed?.follow(interest) ?? (() => {}),
    clear() {
      signed?.clear();
      for (const entry of entries.all())
        if (isShown(entry)) changes.ended(entry.message.normalizedHash, 'rolled_back');
      queue.clear();
      entries.clear();
      store.clear();
    },
    queued: () => queue.size,
    checkedSeqno: () => checkedSeqno,
    async close() {
      closed.abort();
      unwatch();
      clearInterval(timer);
      queue.clear();
      await signed?.close();
      await refreshing;
      await changes.close();
      await store.close();
    },
  };
}

/** How a message that ends before it was shown is counted; other reasons are arrivals themselves. */
const UNSHOWN_END: Readonly<Partial<Record<PendingEnd, PendingArrival>>> = {
  invalidated: 'refused',
  expired: 'failed',
  crowded_out: 'failed',
};

interface CheckContext extends PredictionContext {
  readonly chain: ChainReader;
  readonly signed: SignedTransactions;
}

const NONE_SIGNED: SignedTransactions = { receiving: () => undefined };

/** The result of a check: a newer form of the trace, nothing new, or that the message can no longer apply. */
type CheckResult = StoredTrace | 'same' | 'gone';

/**
 * Lite servers are not all at the same block. That an account does not accept a message must show more than once, unless
 * another message took its place: one server may already have the block with the message, and another not.
 */
const MAX_REFUSALS = 3;
const MIN_WAIT_SECONDS = 10;

/** Checks a message against the chain. Throws if the chain cannot be read now. */
async function checkEntry(context: CheckContext, entry: PendingEntry): Promise<CheckResult> {
  const { chain } = context;
  const { account, message, baseLt } = entry;
  let hasChanged = false;
  if (entry.onChain === undefined) {
    const newest = await chain.lastTransaction(account);
    hasChanged = baseLt === undefined || newest.lt > baseLt;
    entry.wasPassed ||= baseLt !== undefined && hasChanged;
    const root = hasChanged
      ? await findRootTransaction(chain, account, message.normalizedHash, { newest, afterLt: baseLt })
      : undefined;
    if (root !== undefined) {
      entry.onChain = new OnChainPart();
      entry.onChain.add(root, chain.headSeqno());
    }
  }
  if (entry.onChain !== undefined) await followOnChain(chain, entry.onChain);
  const before = entry.shownPart;
  const part = signedPart(context, entry);
  entry.wasRolledBack ||= hasLost(before, part);
  if (part === undefined)
    return hasChanged || before !== undefined || isDue(context, entry)
      ? predictAgain(context, entry)
      : 'same';
  if (before !== undefined && isSamePart(before, part)) return 'same';
  const trace = await predictRest(context, entry, part);
  entry.shownPart = part;
  return trace;
}

/** The part of a trace that is in blocks, those included that only validators have signed. */
function signedPart({ signed }: CheckContext, { onChain, message }: PendingEntry) {
  return withSigned(onChain, message.normalizedHash, signed);
}

function hasConfirmed(part: OnChainPart | undefined): boolean {
  return part?.transactions.some(({ finality }) => finality === 'confirmed') ?? false;
}

/** Whether something had happened in a signed block, and has not happened any more: the chain went on without that block. */
function hasLost(before: OnChainPart | undefined, after: OnChainPart | undefined): boolean {
  if (before === undefined || !hasConfirmed(before)) return false;
  const names = new Set(after && namesInTrace(after));
  return namesInTrace(before).some(
    (name, at) => before.transactions[at]!.finality === 'confirmed' && !names.has(name),
  );
}

/** Names of transactions by their accounts from the first on: in another block, their messages have other hashes. */
function namesInTrace({ transactions }: OnChainPart): string[] {
  const counts = new Map<string, number>();
  const names: string[] = [];
  for (const { parent, account } of transactions) {
    const path = `${parent === undefined ? '' : names[parent]}/${account.hash.toString('hex')}`;
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    names.push(`${path} ${count}`);
  }
  return names;
}

function isSamePart(a: OnChainPart, b: OnChainPart): boolean {
  const formOf = ({ transactions }: OnChainPart) =>
    transactions.map(({ hash, finality }) => `${finality} ${hash.toString('hex')}`).join();
  return formOf(a) === formOf(b);
}

async function predictAgain(context: CheckContext, entry: PendingEntry): Promise<CheckResult> {
  const prediction = await predict(context, entry);
  // What was in a signed block is not shown as such any longer.
  if (entry.wasRolledBack && typeof prediction === 'string') return 'gone';
  if (prediction === 'spent') return 'same';
  entry.shownPart = undefined;
  entry.refusals = prediction === 'refused' ? entry.refusals + 1 : 0;
  if (prediction !== 'refused') return prediction;
  return entry.refusals >= MAX_REFUSALS || (await isSuperseded(context, entry)) ? 'gone' : 'same';
}

/**
 * Whether another message took the place of one that was shown. One refusal is enough if no transaction up to the block of
 * the refusal has received the message: it was not refused because it had been accepted already.
 */
async function isSuperseded({ chain }: CheckContext, entry: PendingEntry): Promise<boolean> {
  const { account, message, baseLt, refusedAtSeqno } = entry;
  if (!isShown(entry) || baseLt === undefined || refusedAtSeqno === undefined) return false;
  const newest = await chain.lastTransaction(account);
  if (newest.mcSeqno < refusedAtSeqno || newest.lt <= baseLt) return false;
  return hasNoRootTransaction(chain, account, message.normalizedHash, { newest, afterLt: baseLt });
}

/** Time alone can make a message impossible; it is emulated again at growing intervals. */
function isDue({ clock }: CheckContext, { refusals, predictedAt, acceptedAt }: PendingEntry): boolean {
  const now = clock();
  return refusals > 0 || now - predictedAt >= Math.max(MIN_WAIT_SECONDS, (now - acceptedAt) / 2);
}

const LOG_EVERY_MS = 60_000;

/** Sums up for the log how messages ended. */
function createEndLog(log: Log) {
  let counts: Record<string, number> = {};
  let writtenMs = performance.now();
  let troubledMs = Number.NEGATIVE_INFINITY;
  return {
    count(reason: string): void {
      counts[reason] = (counts[reason] ?? 0) + 1;
    },
    /** Something failed and will be tried again; the first failure is logged at once, further ones once a minute. */
    trouble(error: unknown): void {
      if (performance.now() - troubledMs < LOG_EVERY_MS) return;
      troubledMs = performance.now();
      log.warn({ err: error }, 'Failed to update pending messages');
    },
    /** Writes the sums, at most once a minute. */
    write(): void {
      if (performance.now() - writtenMs < LOG_EVERY_MS || Object.keys(counts).length === 0) return;
      writtenMs = performance.now();
      log.info(counts, 'Pending messages ended');
      counts = {};
    },
  };
}
