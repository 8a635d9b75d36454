import { bytesOf, type HashKey, keyAt } from '../../lib/bytes-key.ts';
import { type DecodedSeqno, IN_EXTERNAL, IN_INTERNAL, IN_NONE, type TraceFacts } from './decoded-seqno.ts';

/**
 * A trace during the assembly of a batch, or the part of one that a batch adds. The counters of a part are increments, so
 * `pending` may be negative.
 */
export interface Trace {
  id: HashKey;
  /** The trace that this one was merged into. */
  into: Trace | undefined;
  /** Whether the first transaction is known; otherwise `externalHash` to `startUtime` are those of a later one. */
  hasRoot: boolean;
  /** Whether it starts with a message whose sender is not in the index. */
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

/** The trace that a trace was finally merged into, or the trace itself. */
export function wholeOf(trace: Trace): Trace {
  let whole = trace;
  while (whole.into !== undefined) whole = whole.into;
  // Path compression: later calls find it in one step.
  for (let part = trace; part !== whole; ) {
    const next = part.into!;
    part.into = whole;
    part = next;
  }
  return whole;
}

/** Merges a part into the trace that its first message belongs to. */
function mergeInto(part: Trace, whole: Trace): void {
  part.into = whole;
  whole.nodes += part.nodes;
  whole.edges += part.edges;
  whole.pending += part.pending;
  extendEnd(whole, part.mcSeqnoEnd, part.endLt, part.endUtime);
}

function extendEnd(trace: Trace, mcSeqno: number, lt: bigint, utime: number): void {
  if (mcSeqno > trace.mcSeqnoEnd) trace.mcSeqnoEnd = mcSeqno;
  if (lt > trace.endLt) trace.endLt = lt;
  if (utime > trace.endUtime) trace.endUtime = utime;
}

/** Whether nothing can be added to it any more. */
function isComplete(trace: Trace): boolean {
  return trace.hasRoot && !trace.isBroken && trace.pending === 0;
}

type Seqno = Pick<DecodedSeqno, 'mcSeqno' | 'traces'>;

/** A message whose other end is missing: its trace, and the seqno of the known end. */
export interface WaitingMessage {
  readonly trace: Trace;
  readonly mcSeqno: number;
}

/** A message that was sent before the batch: its trace, and the seqno of the sender. */
export interface KnownMessage {
  readonly traceId: HashKey;
  readonly mcSeqno: number;
}

/** Stands for a sender that was not found. */
export const NO_SENDER = -1;

/** The traces of a batch of seqnos, as far as the batch and previously known messages tell. */
export interface TraceBatch {
  /** The trace of each transaction, by seqno and position; may have been merged into another. */
  readonly traces: readonly (readonly Trace[])[];
  /**
   * The seqnos of the senders of internal in messages, by seqno and position; `NO_SENDER` for other messages, and if the
   * sender is neither before in the batch nor known.
   */
  readonly senderSeqnos: readonly Int32Array[];
  /** Complete traces that lie entirely in the batch: no other process can have a part of them. */
  readonly complete: readonly Trace[];
  /** All others, including parts of indexed traces. */
  readonly open: readonly Trace[];
  /** Indexed messages that were received, with their known traces. */
  readonly received: ReadonlyMap<HashKey, Trace>;
  readonly sent: Map<HashKey, WaitingMessage>;
  /** Received messages whose sender was not found. */
  readonly orphans: Map<HashKey, WaitingMessage>;
}

/** Messages that were received in the batch and not sent in it. */
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
 * Assembles the transactions of a batch into traces. `known` has messages that were sent before. The order of the seqnos
 * does not affect the traces.
 */
export function assembleTraces(seqnos: readonly Seqno[], known: ReadonlyMap<HashKey, KnownMessage>) {
  const started: Trace[] = [];
  const parts = new Map<HashKey, Trace>();
  const received = new Map<HashKey, Trace>();
  const sent = new Map<HashKey, WaitingMessage>();
  const orphans = new Map<HashKey, WaitingMessage>();
  const senderSeqnos = seqnos.map(({ traces: { count } }) => new Int32Array(count).fill(NO_SENDER));

  /** The trace of a transaction, by its in message; notes the seqno of the sender. */
  function traceOf(facts: TraceFacts, i: number, mcSeqno: number, senders: Int32Array): Trace {
    if (facts.inKinds[i] !== IN_INTERNAL) return start(facts, i, mcSeqno);
    const hash = keyAt(facts.inHashes, i * 32);
    const sender = sent.get(hash);
    if (sender !== undefined) {
      sent.delete(hash);
      senders[i] = sender.mcSeqno;
      return settle(wholeOf(sender.trace));
    }
    const before = known.get(hash);
    if (before === undefined) {
      const orphan = start(facts, i, mcSeqno);
      orphans.set(hash, { trace: orphan, mcSeqno });
      return orphan;
    }
    senders[i] = before.mcSeqno;
    let part = parts.get(before.traceId);
    if (part === undefined) {
      part = newTrace(facts, i, mcSeqno, before.traceId, false);
      parts.set(before.traceId, part);
    }
    received.set(hash, part);
    return settle(part);
  }

  function start(facts: TraceFacts, i: number, mcSeqno: number): Trace {
    const trace = newTrace(facts, i, mcSeqno, keyAt(facts.hashes, i * 32), true);
    started.push(trace);
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
    mergeInto(orphan.trace, trace);
  }

  const traces = seqnos.map(({ mcSeqno, traces: facts }, at) =>
    Array.from({ length: facts.count }, (_, i) => {
      const trace = traceOf(facts, i, mcSeqno, senderSeqnos[at]!);
      trace.nodes++;
      trace.edges += facts.logs[i]!;
      extendEnd(trace, mcSeqno, facts.lts[i]!, facts.nows[i]!);
      for (let out = facts.outFrom[i]!; out < facts.outFrom[i + 1]!; out++)
        send(keyAt(facts.outHashes, out * 32), trace, mcSeqno);
      return trace;
    }),
  );
  const whole = started.filter((trace) => trace.into === undefined);
  return {
    traces,
    senderSeqnos,
    complete: whole.filter(isComplete),
    open: [...whole.filter((trace) => !isComplete(trace)), ...parts.values()],
    received,
    sent,
    orphans,
  };
}

/** Counts a pending message as received. */
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
    // The first message of a trace counts as an edge; that of a broken trace does not until its sender is found.
    edges: kind === IN_NONE || isBroken ? 0 : 1,
    pending: 0,
  };
}

const NO_HASH: HashKey = '\0'.repeat(32);

function normHashAt(facts: TraceFacts, i: number): HashKey | undefined {
  const hash = keyAt(facts.normHashes, i * 32);
  return hash === NO_HASH ? undefined : hash;
}

/** Messages and traces of a batch that were removed from the tables. */
interface TakenRows {
  /** Traces of messages that were pending. */
  readonly pending: ReadonlyMap<HashKey, HashKey>;
  /** Traces that start with an orphan message, by message. */
  readonly orphans: ReadonlyMap<HashKey, HashKey>;
  readonly open: readonly Trace[];
}

/** Transactions of a trace that was merged into another one. */
export interface TraceMove {
  readonly from: HashKey;
  readonly to: HashKey;
}

export interface JoinedTraces {
  readonly complete: readonly Trace[];
  readonly open: readonly Trace[];
  readonly moves: readonly TraceMove[];
}

/**
 * Joins the traces of a batch with indexed ones where a message of one was received in the other. Matched messages are
 * removed from `sent` and `orphans` of the batch; the rest stays pending.
 */
export function joinTraces(batch: TraceBatch, taken: TakenRows): JoinedTraces {
  const byId = new Map(taken.open.map((trace) => [trace.id, trace]));
  const moved: Trace[] = [];
  const indexed = (id: HashKey): Trace => {
    const trace = byId.get(id);
    if (trace === undefined) throw new Error(`Open trace ${hex(id)} is not in the index`);
    return wholeOf(trace);
  };

  for (const [hash, part] of batch.received) {
    const id = taken.pending.get(hash);
    if (id === undefined) throw new Error(`Pending message ${hex(hash)} is not in the index`);
    if (part.into !== undefined) continue;
    // Another process may have merged the trace into an earlier one since.
    if (id !== part.id) moved.push(part);
    mergeInto(part, indexed(id));
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
  if (wrong !== undefined) throw new Error(`Trace ${hex(wrong.id)} received more messages than it sent`);
  return {
    complete: whole.filter(isComplete),
    open: whole.filter((trace) => !isComplete(trace)),
    moves: moved.map((part) => ({ from: part.id, to: wholeOf(part).id })),
  };
}

/** Merges an orphan trace into the trace that sent its first message. */
function connect(orphan: Trace, sender: Trace): void {
  sender.pending--;
  sender.edges++;
  mergeInto(orphan, sender);
}

function hex(key: HashKey): string {
  return bytesOf(key).toString('hex');
}
