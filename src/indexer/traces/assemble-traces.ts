import {
  type DecodedSeqno,
  IN_EXTERNAL,
  IN_INTERNAL,
  IN_NONE,
  type TraceFacts,
} from '../decode/decoded-seqno.ts';
import { bytesOf, type HashKey, keyAt } from '../hash-key.ts';

/**
 * A trace while a batch is put together, or the part of one that a batch brings. Counters of a part are what is to be
 * added, so `pending` may be negative.
 */
export interface Trace {
  id: HashKey;
  /** The trace that this one turned out to be a part of. */
  into: Trace | undefined;
  /** Whether the transaction that it begins with is known; else all from `externalHash` to `startUtime` is of a later one. */
  hasRoot: boolean;
  /** Whether it begins with a message whose sender is not in the index. */
  isBroken: boolean;
  externalHash: HashKey | undefined;
  externalHashNorm: HashKey | undefined;
  mcSeqnoStart: number;
  startLt: bigint;
  startUtime: number;
  mcSeqnoEnd: number;
  endLt: bigint;
  endUtime: number;
  nodes: number;
  edges: number;
  pending: number;
}

/** The trace that a trace is a part of in the end, itself when it is none. */
export function wholeOf(trace: Trace): Trace {
  let whole = trace;
  while (whole.into !== undefined) whole = whole.into;
  // Later calls find it in one step, whatever the length of the way was.
  for (let part = trace; part !== whole; ) {
    const next = part.into!;
    part.into = whole;
    part = next;
  }
  return whole;
}

/** Puts a trace under the one that its first message, or its first known part, belongs to. */
function putUnder(part: Trace, whole: Trace): void {
  part.into = whole;
  whole.nodes += part.nodes;
  whole.edges += part.edges;
  whole.pending += part.pending;
  grow(whole, part.mcSeqnoEnd, part.endLt, part.endUtime);
}

/** Makes a trace last at least so long. */
function grow(trace: Trace, mcSeqno: number, lt: bigint, utime: number): void {
  if (mcSeqno > trace.mcSeqnoEnd) trace.mcSeqnoEnd = mcSeqno;
  if (lt > trace.endLt) trace.endLt = lt;
  if (utime > trace.endUtime) trace.endUtime = utime;
}

/** Whether nothing more can come to it. */
function isComplete(trace: Trace): boolean {
  return trace.hasRoot && !trace.isBroken && trace.pending === 0;
}

type Seqno = Pick<DecodedSeqno, 'mcSeqno' | 'traces'>;

/** A message that waits for its other end: the trace, and the seqno of the end that is there. */
export interface WaitingMessage {
  readonly trace: Trace;
  readonly mcSeqno: number;
}

/** What a batch of seqnos does to traces, as far as the batch itself and the messages that were known before tell. */
export interface TraceBatch {
  /** Of each transaction, by seqno and place; parts of others among them. */
  readonly traces: readonly (readonly Trace[])[];
  /** Complete ones that lie in the batch as a whole: nobody else can have a part of them. */
  readonly complete: readonly Trace[];
  /** All others, also parts of traces of the index. */
  readonly open: readonly Trace[];
  /** Messages of the index that were received, and the traces that they were known to be of. */
  readonly received: ReadonlyMap<HashKey, Trace>;
  /** Messages that were sent and not received. */
  readonly sent: Map<HashKey, WaitingMessage>;
  /** Messages that were received and whose sender was not found. */
  readonly orphans: Map<HashKey, WaitingMessage>;
}

/** Messages that came in with the batch and were not sent in it. */
export function messagesFromBefore(seqnos: readonly Seqno[]): HashKey[] {
  const sent = new Set<HashKey>();
  const messages: HashKey[] = [];
  for (const { traces: facts } of seqnos)
    for (let i = 0; i < facts.outHashes.length; i += 32) sent.add(keyAt(facts.outHashes, i));
  for (const { traces: facts } of seqnos)
    for (let i = 0; i < facts.count; i++) {
      if (facts.inKinds[i] !== IN_INTERNAL) continue;
      const hash = keyAt(facts.inHashes, i * 32);
      if (!sent.has(hash)) messages.push(hash);
    }
  return messages;
}

/**
 * Puts the transactions of a batch together to traces. `known` has the traces of messages that were sent before. The
 * order of the seqnos makes no difference to the outcome.
 */
export function assembleTraces(seqnos: readonly Seqno[], known: ReadonlyMap<HashKey, HashKey>): TraceBatch {
  const begun: Trace[] = [];
  const parts = new Map<HashKey, Trace>();
  const received = new Map<HashKey, Trace>();
  const sent = new Map<HashKey, WaitingMessage>();
  const orphans = new Map<HashKey, WaitingMessage>();

  /** The trace of a transaction, by the message that it came of. */
  function traceOf(facts: TraceFacts, i: number, mcSeqno: number): Trace {
    if (facts.inKinds[i] !== IN_INTERNAL) return begin(facts, i, mcSeqno);
    const hash = keyAt(facts.inHashes, i * 32);
    const sender = sent.get(hash);
    if (sender !== undefined) {
      sent.delete(hash);
      return settle(wholeOf(sender.trace));
    }
    const id = known.get(hash);
    if (id === undefined) {
      const orphan = begin(facts, i, mcSeqno);
      orphans.set(hash, { trace: orphan, mcSeqno });
      return orphan;
    }
    let part = parts.get(id);
    if (part === undefined) {
      part = newTrace(facts, i, mcSeqno, id, false);
      parts.set(id, part);
    }
    received.set(hash, part);
    return settle(part);
  }

  function begin(facts: TraceFacts, i: number, mcSeqno: number): Trace {
    const trace = newTrace(facts, i, mcSeqno, keyAt(facts.hashes, i * 32), true);
    begun.push(trace);
    return trace;
  }

  function send(hash: HashKey, trace: Trace, mcSeqno: number): void {
    const orphan = orphans.get(hash);
    if (orphan === undefined) {
      sent.set(hash, { trace, mcSeqno });
      trace.pending++;
      return;
    }
    orphans.delete(hash);
    trace.edges++;
    putUnder(orphan.trace, trace);
  }

  const traces = seqnos.map(({ mcSeqno, traces: facts }) =>
    Array.from({ length: facts.count }, (_, i) => {
      const trace = traceOf(facts, i, mcSeqno);
      trace.nodes++;
      trace.edges += facts.logs[i]!;
      grow(trace, mcSeqno, facts.lts[i]!, facts.nows[i]!);
      for (let out = facts.outFrom[i]!; out < facts.outFrom[i + 1]!; out++)
        send(keyAt(facts.outHashes, out * 32), trace, mcSeqno);
      return trace;
    }),
  );
  const whole = begun.filter((trace) => trace.into === undefined);
  return {
    traces,
    complete: whole.filter(isComplete),
    open: [...whole.filter((trace) => !isComplete(trace)), ...parts.values()],
    received,
    sent,
    orphans,
  };
}

/** A message that was waited for has come. */
function settle(trace: Trace): Trace {
  trace.pending--;
  trace.edges++;
  return trace;
}

function newTrace(facts: TraceFacts, i: number, mcSeqno: number, id: HashKey, hasRoot: boolean): Trace {
  const kind = facts.inKinds[i]!;
  const isBroken = kind === IN_INTERNAL;
  return {
    id,
    into: undefined,
    hasRoot,
    isBroken: hasRoot && isBroken,
    externalHash: kind === IN_NONE || isBroken ? undefined : keyAt(facts.inHashes, i * 32),
    externalHashNorm: kind === IN_EXTERNAL ? normHashAt(facts, i) : undefined,
    mcSeqnoStart: mcSeqno,
    startLt: facts.lts[i]!,
    startUtime: facts.nows[i]!,
    mcSeqnoEnd: mcSeqno,
    endLt: facts.lts[i]!,
    endUtime: facts.nows[i]!,
    nodes: 0,
    // The message that a trace begins with is settled; the one that a broken trace begins with is not.
    edges: kind === IN_NONE || isBroken ? 0 : 1,
    pending: 0,
  };
}

const NO_HASH: HashKey = '\0'.repeat(32);

function normHashAt(facts: TraceFacts, i: number): HashKey | undefined {
  const hash = keyAt(facts.normHashes, i * 32);
  return hash === NO_HASH ? undefined : hash;
}

/** What the tables had of the messages and traces of a batch; it is taken out of them. */
interface TakenRows {
  /** Messages that waited to be received, with their traces. */
  readonly pending: ReadonlyMap<HashKey, HashKey>;
  /** Messages that waited for their sender, with the traces that begin with them. */
  readonly orphans: ReadonlyMap<HashKey, HashKey>;
  /** The traces of both. */
  readonly open: readonly Trace[];
}

/** Transactions that have the id of a trace which is part of another one. */
export interface TraceMove {
  readonly from: HashKey;
  readonly to: HashKey;
  readonly firstSeqno: number;
  readonly lastSeqno: number;
}

export interface JoinedTraces {
  readonly complete: readonly Trace[];
  readonly open: readonly Trace[];
  readonly moves: readonly TraceMove[];
}

/**
 * Joins the traces of a batch with those of the index where a message of one was received in the other. Messages that
 * found each other are removed from `sent` and `orphans` of the batch; what is left there still waits.
 */
export function joinTraces(batch: TraceBatch, taken: TakenRows): JoinedTraces {
  const byId = new Map(taken.open.map((trace) => [trace.id, trace]));
  const moved: Trace[] = [];
  const indexed = (id: HashKey): Trace => {
    const trace = byId.get(id);
    if (trace === undefined)
      throw new Error(`A trace that waits for a message is not in the index: ${hex(id)}`);
    return wholeOf(trace);
  };

  for (const [hash, part] of batch.received) {
    const id = taken.pending.get(hash);
    if (id === undefined) throw new Error(`A message that was sent is not in the index: ${hex(hash)}`);
    if (part.into !== undefined) continue;
    // Another process may have joined the trace to an earlier one since.
    if (id !== part.id) moved.push(part);
    putUnder(part, indexed(id));
  }
  for (const [hash, id] of taken.pending) {
    const orphan = batch.orphans.get(hash)?.trace;
    if (orphan === undefined) continue;
    batch.orphans.delete(hash);
    connect(orphan, indexed(id));
    moved.push(orphan);
  }
  for (const [hash, id] of taken.orphans) {
    const sender = wholeOf(batch.sent.get(hash)!.trace);
    const orphan = indexed(id);
    batch.sent.delete(hash);
    connect(orphan, sender);
    moved.push(orphan);
  }

  const whole = [...taken.open, ...batch.open].filter((trace) => trace.into === undefined);
  const wrong = whole.find((trace) => !trace.hasRoot || trace.pending < 0);
  if (wrong !== undefined) throw new Error(`A trace has received more than it was sent: ${hex(wrong.id)}`);
  return {
    complete: whole.filter(isComplete),
    open: whole.filter((trace) => !isComplete(trace)),
    moves: moved.map(moveOf),
  };
}

/** A trace that began with a message gets the sender of that message. */
function connect(orphan: Trace, sender: Trace): void {
  sender.pending--;
  sender.edges++;
  putUnder(orphan, sender);
}

function moveOf(part: Trace): TraceMove {
  const { id, mcSeqnoStart, mcSeqnoEnd } = part;
  return { from: id, to: wholeOf(part).id, firstSeqno: mcSeqnoStart, lastSeqno: mcSeqnoEnd };
}

function hex(key: HashKey): string {
  return bytesOf(key).toString('hex');
}
