import {
  type DecodedSeqno,
  IN_EXTERNAL,
  IN_INTERNAL,
  IN_NONE,
  type TraceFacts,
} from '../decode/decoded-seqno.ts';
import { type HashKey, keyAt } from '../hash-key.ts';
import { grow, isComplete, putUnder, type Trace, wholeOf } from './trace.ts';

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
