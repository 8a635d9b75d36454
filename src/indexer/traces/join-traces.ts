import { bytesOf, type HashKey } from '../hash-key.ts';
import { isComplete, putUnder, type Trace, wholeOf } from './trace.ts';
import type { TraceBatch } from './trace-batch.ts';

/** What the tables had of the messages and traces of a batch; it is taken out of them. */
export interface TakenRows {
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
