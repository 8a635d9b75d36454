import type { PlacedTransaction } from './expected-rows.ts';

/** A trace as far as the range shows it. */
export interface WalkedTrace {
  /** In hex. */
  readonly id: string;
  /** Whether it has transactions outside the range: its counters cannot be told then. */
  isOutside: boolean;
  /** Whether it begins with a message whose sender is not indexed. */
  readonly isBroken: boolean;
  readonly externalHash: Buffer | null;
  readonly externalHashNorm: Buffer | null;
  readonly mcSeqnoStart: number;
  readonly startLt: bigint;
  readonly startUtime: number;
  mcSeqnoEnd: number;
  endLt: bigint;
  endUtime: number;
  nodes: number;
  edges: number;
  pending: number;
  /** In hex. */
  readonly accounts: Set<string>;
}

/** A message that was sent and not received yet. */
export interface WaitingMessage {
  readonly trace: WalkedTrace;
  readonly mcSeqno: number;
}

/** What one seqno did. */
export interface WalkedSeqno {
  /** Of each transaction. */
  readonly traces: readonly WalkedTrace[];
  /** Traces that wait for nothing any more. */
  readonly settled: readonly WalkedTrace[];
  /** Messages whose sender is not indexed, by hash in hex. */
  readonly orphans: ReadonlyMap<string, WalkedTrace>;
}

const SYSTEM = Buffer.concat([Buffer.of(0xff), Buffer.alloc(32)]);

/** Follows messages through a range, seqno by seqno; holds only traces that wait for a message. */
export class TraceWalk {
  readonly waiting = new Map<string, WaitingMessage>();

  /** Messages of a seqno that come from before the range, or from nowhere: their senders are to be looked up. */
  unknownSenders(placed: readonly PlacedTransaction[]): Buffer[] {
    const sent = new Set(
      placed.flatMap(({ transaction }) => transaction.outMessages.map(({ hash }) => hex(hash))),
    );
    return placed.flatMap(({ transaction: { inMessage } }) => {
      if (inMessage?.kind !== 'internal') return [];
      const key = hex(inMessage.hash);
      return sent.has(key) || this.waiting.has(key) ? [] : [inMessage.hash];
    });
  }

  /** Takes in the transactions of the next seqno; `senders` has the traces of messages that the index knows of. */
  take(
    mcSeqno: number,
    placed: readonly PlacedTransaction[],
    senders: ReadonlyMap<string, Buffer>,
  ): WalkedSeqno {
    const orphans = new Map<string, WalkedTrace>();
    const outside = new Map<string, WalkedTrace>();
    const traces = placed.map((one) => {
      const trace = this.#traceOf(mcSeqno, one, senders, orphans, outside);
      const { transaction, account } = one;
      trace.nodes++;
      trace.accounts.add(hex(account));
      trace.mcSeqnoEnd = Math.max(trace.mcSeqnoEnd, mcSeqno);
      trace.endUtime = Math.max(trace.endUtime, transaction.now);
      if (transaction.lt > trace.endLt) trace.endLt = transaction.lt;
      for (const message of transaction.outMessages) {
        if (message.kind === 'external-out') {
          trace.edges++;
          continue;
        }
        trace.pending++;
        this.waiting.set(hex(message.hash), { trace, mcSeqno });
      }
      return trace;
    });
    const settled = [...new Set(traces)].filter(({ pending }) => pending === 0);
    return { traces, settled, orphans };
  }

  #traceOf(
    mcSeqno: number,
    one: PlacedTransaction,
    senders: ReadonlyMap<string, Buffer>,
    orphans: Map<string, WalkedTrace>,
    outside: Map<string, WalkedTrace>,
  ): WalkedTrace {
    const { inMessage, hash } = one.transaction;
    if (inMessage?.kind !== 'internal') return begin(mcSeqno, one, hex(hash), false, false);
    const key = hex(inMessage.hash);
    const sender = this.waiting.get(key);
    if (sender !== undefined) {
      this.waiting.delete(key);
      sender.trace.pending--;
      sender.trace.edges++;
      return sender.trace;
    }
    const known = senders.get(key)?.toString('hex');
    // The zero account can send as any other does; what nobody sent and comes from it, the block itself made.
    if (known === undefined && inMessage.source?.equals(SYSTEM))
      return begin(mcSeqno, one, hex(hash), false, false);
    if (known === undefined) {
      const orphan = begin(mcSeqno, one, hex(hash), true, false);
      orphans.set(key, orphan);
      return orphan;
    }
    const trace = outside.get(known) ?? begin(mcSeqno, one, known, false, true);
    outside.set(known, trace);
    return trace;
  }
}

function begin(
  mcSeqno: number,
  { transaction }: PlacedTransaction,
  id: string,
  isBroken: boolean,
  isOutside: boolean,
): WalkedTrace {
  const { inMessage, lt, now } = transaction;
  const first = isBroken || isOutside ? undefined : inMessage;
  const norm = first?.normalHash;
  return {
    ...{ id, isOutside, isBroken, externalHash: first?.hash ?? null },
    externalHashNorm: norm === undefined || norm.equals(first!.hash) ? null : norm,
    ...{ mcSeqnoStart: mcSeqno, startLt: lt, startUtime: now },
    ...{ mcSeqnoEnd: mcSeqno, endLt: lt, endUtime: now },
    ...{ nodes: 0, edges: first === undefined ? 0 : 1, pending: 0, accounts: new Set() },
  };
}

function hex(bytes: Buffer): string {
  return bytes.toString('hex');
}
