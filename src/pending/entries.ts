import type { AccountId } from '../chain/address.ts';
import { readBoc } from '../chain/boc/bag.ts';
import { readMessage } from '../chain/tlb/message.ts';
import { accountOf } from '../chain/tlb/msg-address.ts';
import type { Payer } from '../lib/payer.ts';
import type { ExternalMessage } from '../live/external-messages.ts';
import type { OnChainPart } from './follow-chain.ts';
import { type KeptTrace, traceKey } from './pending-traces.ts';

/** A message of this process, from when it was accepted until it ends. */
export interface PendingEntry {
  readonly key: string;
  readonly message: ExternalMessage;
  /** The account that it is for. */
  readonly account: AccountId;
  readonly payer: Payer;
  /** Unix seconds, and milliseconds that never go back. */
  readonly acceptedAt: number;
  readonly acceptedMs: number;
  readonly sinceSeqno: number;
  /** What is shown; undefined before the first emulation, and where the account has not taken the message yet. */
  trace: KeptTrace | undefined;
  /** The last transaction of the account before the prediction; undefined without one. */
  baseLt: bigint | undefined;
  /** Unix seconds of the last prediction. */
  predictedAt: number;
  /** How often in a row the account would not take the message, or that could not be found out. */
  refusals: number;
  failures: number;
  /** Whether it counts against who sent it. */
  isCounted: boolean;
  /** It waits for its first emulation, or somebody is at work on it. */
  isBusy: boolean;
  /** What of the trace is in blocks. */
  real: OnChainPart | undefined;
}

interface Arrival {
  readonly message: ExternalMessage;
  readonly payer: Payer;
  readonly acceptedAt: number;
  readonly acceptedMs: number;
  readonly sinceSeqno: number;
}

/** A message that was just accepted; undefined for one to an address that no account has. */
export function createEntry({ message, ...arrival }: Arrival): PendingEntry | undefined {
  const bag = readBoc(message.boc);
  const { info } = readMessage(bag, bag.root);
  if (info.dest.kind !== 'std') return undefined;
  return {
    ...arrival,
    message,
    key: traceKey(message.normalizedHash),
    account: { workchain: info.dest.workchain, hash: Buffer.from(accountOf(info.dest)) },
    trace: undefined,
    baseLt: undefined,
    predictedAt: 0,
    refusals: 0,
    failures: 0,
    isCounted: false,
    isBusy: true,
    real: undefined,
  };
}

/** The messages of this process, and who has how many of them. */
export class PendingEntries {
  readonly #entries = new Map<string, PendingEntry>();
  readonly #counts = new Map<string, number>();

  get size(): number {
    return this.#entries.size;
  }

  add(entry: PendingEntry): void {
    this.#entries.set(entry.key, entry);
    this.#counts.set(entry.payer.id, this.countOf(entry.payer) + 1);
    entry.isCounted = true;
  }

  remove(entry: PendingEntry): void {
    if (this.isCurrent(entry)) this.#entries.delete(entry.key);
    this.release(entry);
  }

  /** Counts a message no longer against who sent it: all that it does has happened. */
  release(entry: PendingEntry): void {
    if (!entry.isCounted) return;
    entry.isCounted = false;
    const { payer } = entry;
    const left = this.countOf(payer) - 1;
    if (left > 0) this.#counts.set(payer.id, left);
    else this.#counts.delete(payer.id);
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  get(key: string): PendingEntry | undefined {
    return this.#entries.get(key);
  }

  /** Whether a message has not ended while somebody was at work on it. */
  isCurrent(entry: PendingEntry): boolean {
    return this.#entries.get(entry.key) === entry;
  }

  /** Messages of a payer that have not all happened yet. */
  countOf({ id }: Payer): number {
    return this.#counts.get(id) ?? 0;
  }

  all(): Iterable<PendingEntry> {
    return this.#entries.values();
  }

  /** The keys of those that are shown. */
  shownKeys(): string[] {
    const keys: string[] = [];
    for (const { key, trace } of this.all()) if (trace !== undefined) keys.push(key);
    return keys;
  }

  /** Those that nobody has looked at for longest; they are the last in line then. */
  longestUnseen(count: number): PendingEntry[] {
    const some: PendingEntry[] = [];
    for (const entry of this.all()) {
      if (some.length >= count) break;
      if (!entry.isBusy) some.push(entry);
    }
    for (const entry of some) {
      this.#entries.delete(entry.key);
      this.#entries.set(entry.key, entry);
    }
    return some;
  }

  clear(): void {
    this.#entries.clear();
    this.#counts.clear();
  }
}
