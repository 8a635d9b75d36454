import type { ChainMessage } from './chain-block.ts';
import { accountPrefix } from './core-readers.ts';
import type { PlacedTransaction } from './expected-rows.ts';

export interface TraceMember {
  /** Undefined if no readable page has it. */
  readonly at: number | undefined;
  readonly acc8: bigint;
}

/** The part of a trace within the range. */
export interface WalkedTrace {
  readonly id: string;
  /** Whether it has transactions outside the range: its counters are unknown then. */
  isOutside: boolean;
  /** Whether it starts with a message whose sender is not indexed. */
  readonly isBroken: boolean;
  readonly externalHash: Buffer | null;
  readonly externalHashNorm: Buffer | null;
  readonly mcSeqnoStart: number;
  readonly startLt: bigint;
  readonly startUtime: number;
  mcSeqnoEnd: number;
  endLt: bigint;
  endUtime: number;
  edges: number;
  pending: number;
  readonly members: TraceMember[];
}

/** The transaction that sent a message, in the index. */
export interface Sender {
  readonly traceId: Buffer;
  /** Negative if it was dropped. */
  readonly mcSeqno: number;
}

export interface WalkedTransaction {
  readonly placed: PlacedTransaction;
  readonly trace: WalkedTrace;
  /** Where its in message was sent; undefined if no indexed account sent it. */
  readonly senderSeqno: number | undefined;
}

export interface WalkedSeqno {
  readonly transactions: readonly WalkedTransaction[];
  /** Messages whose sender is not indexed, by hex hash. */
  readonly orphans: ReadonlyMap<string, WalkedTrace>;
}

const SYSTEM = Buffer.concat([Buffer.of(0xff), Buffer.alloc(32)]);

/** Whether a message has the source of those that blocks create. */
export function isFromSystem({ source }: ChainMessage): boolean {
  return source?.equals(SYSTEM) === true;
}

/** Follows messages through a range, seqno by seqno; keeps only traces with pending messages. */
export class TraceWalk {
  /** Messages that were sent and not received yet, by hex hash. */
  readonly waiting = new Map<string, { readonly trace: WalkedTrace; readonly mcSeqno: number }>();

  /** Messages of a seqno that were not sent in the range: their senders must be looked up. */
  unknownSenders(placed: readonly PlacedTransaction[]): ChainMessage[] {
    const sent = new Set(
      placed.flatMap(({ transaction }) => transaction.outMessages.map(({ hash }) => hex(hash))),
    );
    return placed.flatMap(({ transaction: { inMessage } }) => {
      if (inMessage?.kind !== 'internal') return [];
      const key = hex(inMessage.hash);
      return sent.has(key) || this.waiting.has(key) ? [] : [inMessage];
    });
  }

  /** Adds the transactions of the next seqno; `senders` has the indexed senders of messages from before the range. */
  take(
    mcSeqno: number,
    placed: readonly PlacedTransaction[],
    senders: ReadonlyMap<string, Sender>,
  ): WalkedSeqno {
    const orphans = new Map<string, WalkedTrace>();
    const outside = new Map<string, WalkedTrace>();
    const transactions = placed.map((one) => {
      const { trace, senderSeqno } = this.#traceOf(mcSeqno, one, senders, orphans, outside);
      const { transaction } = one;
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
      return { placed: one, trace, senderSeqno };
    });
    return { transactions, orphans };
  }

  #traceOf(
    mcSeqno: number,
    one: PlacedTransaction,
    senders: ReadonlyMap<string, Sender>,
    orphans: Map<string, WalkedTrace>,
    outside: Map<string, WalkedTrace>,
  ): { readonly trace: WalkedTrace; readonly senderSeqno: number | undefined } {
    const { inMessage, hash } = one.transaction;
    const own = (isBroken: boolean) => begin(mcSeqno, one, hex(hash), isBroken, false);
    if (inMessage?.kind !== 'internal') return { trace: own(false), senderSeqno: undefined };
    const key = hex(inMessage.hash);
    const waiting = this.waiting.get(key);
    if (waiting !== undefined) {
      this.waiting.delete(key);
      waiting.trace.pending--;
      waiting.trace.edges++;
      return { trace: waiting.trace, senderSeqno: waiting.mcSeqno };
    }
    const sender = senders.get(key);
    // The zero account can send messages like any other; one without a sending transaction was created by the block.
    if (sender === undefined && isFromSystem(inMessage)) return { trace: own(false), senderSeqno: undefined };
    if (sender === undefined) {
      const orphan = own(true);
      orphans.set(key, orphan);
      return { trace: orphan, senderSeqno: undefined };
    }
    const id = hex(sender.traceId);
    const trace = outside.get(id) ?? begin(mcSeqno, one, id, false, true);
    outside.set(id, trace);
    return { trace, senderSeqno: sender.mcSeqno };
  }
}

/** The traces of a seqno without pending messages; to be called when all its transactions are members. */
export function settledTraces({ transactions }: WalkedSeqno): WalkedTrace[] {
  return [...new Set(transactions.map(({ trace }) => trace))].filter(({ pending }) => pending === 0);
}

export function addMember({ trace, placed }: WalkedTransaction, at: number | undefined): void {
  trace.members.push({ at, acc8: accountPrefix(placed.account) });
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
    id,
    isOutside,
    isBroken,
    externalHash: first?.hash ?? null,
    externalHashNorm: norm === undefined || norm.equals(first!.hash) ? null : norm,
    mcSeqnoStart: mcSeqno,
    startLt: lt,
    startUtime: now,
    mcSeqnoEnd: mcSeqno,
    endLt: lt,
    endUtime: now,
    edges: first === undefined ? 0 : 1,
    pending: 0,
    members: [],
  };
}

function hex(bytes: Buffer): string {
  return bytes.toString('hex');
}
