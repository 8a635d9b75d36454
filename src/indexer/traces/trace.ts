import type { HashKey } from '../hash-key.ts';

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
export function putUnder(part: Trace, whole: Trace): void {
  part.into = whole;
  whole.nodes += part.nodes;
  whole.edges += part.edges;
  whole.pending += part.pending;
  grow(whole, part.mcSeqnoEnd, part.endLt, part.endUtime);
}

/** Makes a trace last at least so long. */
export function grow(trace: Trace, mcSeqno: number, lt: bigint, utime: number): void {
  if (mcSeqno > trace.mcSeqnoEnd) trace.mcSeqnoEnd = mcSeqno;
  if (lt > trace.endLt) trace.endLt = lt;
  if (utime > trace.endUtime) trace.endUtime = utime;
}

/** Whether nothing more can come to it. */
export function isComplete(trace: Trace): boolean {
  return trace.hasRoot && !trace.isBroken && trace.pending === 0;
}
