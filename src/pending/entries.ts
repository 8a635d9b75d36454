import type { AccountId } from '../chain/address.ts';
import { readBoc } from '../chain/boc/bag.ts';
import { readMessage } from '../chain/tlb/message.ts';
import { accountOf } from '../chain/tlb/msg-address.ts';
import type { Payer } from '../lib/payer.ts';
import type { ExternalMessage } from '../live/external-messages.ts';
import type { OnChainPart } from './follow-chain.ts';
import { traceKey } from './pending-traces.ts';

/** Explained at the top of `lifecycle.ts`. */
type PendingState = 'queued' | 'retrying' | 'emulated' | 'partly_confirmed' | 'finalized';

/** A message of this process, from when it was accepted until it ends. */
export interface PendingEntry {
  readonly key: string;
  readonly message: ExternalMessage;
  readonly account: AccountId;
  readonly payer: Payer;
  /** Unix seconds, and the same on the clock of `performance.now`. */
  readonly acceptedAt: number;
  readonly acceptedAtMs: number;
  readonly sinceSeqno: number;
  state: PendingState;
  /** The last transaction of the account before the prediction; undefined without a prediction. */
  baseLt: bigint | undefined;
  /** Unix seconds of the last prediction. */
  predictedAt: number;
  /** Whether the account has had another transaction since the message was predicted. */
  wasPassed: boolean;
  /** How often in a row the account did not accept the message. */
  refusals: number;
  /** The masterchain block at which it did not accept the message last. */
  refusedAtSeqno: number | undefined;
  /** How often in a row it could not be checked. */
  failures: number;
  /** Whether it counts against its sender. */
  isCounted: boolean;
  /** It waits for its first emulation, or is being checked. */
  isBusy: boolean;
  /** It was to be checked meanwhile. */
  wantsCheck: boolean;
  /** The part of the trace that is in blocks which the masterchain has. */
  onChain: OnChainPart | undefined;
  /** The same as it was shown last, with what signed blocks had of the trace. */
  shownPart: OnChainPart | undefined;
  /** A signed block with a part of the trace that was shown did not become a part of the chain. */
  wasRolledBack: boolean;
}

type Arrival = Pick<PendingEntry, 'message' | 'payer' | 'acceptedAt' | 'acceptedAtMs' | 'sinceSeqno'>;

/** Creates the entry of a message that was just accepted; undefined if its destination cannot be an account. */
export function createEntry({ message, ...arrival }: Arrival): PendingEntry | undefined {
  const bag = readBoc(message.boc);
  const { info } = readMessage(bag, bag.root);
  if (info.dest.kind !== 'std') return undefined;
  return {
    ...arrival,
    message,
    key: traceKey(message.normalizedHash),
    account: { workchain: info.dest.workchain, hash: Buffer.from(accountOf(info.dest)) },
    state: 'queued',
    baseLt: undefined,
    predictedAt: 0,
    wasPassed: false,
    refusals: 0,
    refusedAtSeqno: undefined,
    failures: 0,
    isCounted: false,
    isBusy: true,
    wantsCheck: false,
    onChain: undefined,
    shownPart: undefined,
    wasRolledBack: false,
  };
}

/** Whether clients can see the trace. */
export function isShown({ state }: PendingEntry): boolean {
  return state !== 'queued' && state !== 'retrying';
}

/** Whether a message waits for its first emulation, or has it now. */
export function isWaiting({ state, isBusy }: PendingEntry): boolean {
  return state === 'queued' && isBusy;
}

/** How many messages of a sender other processes follow. */
export interface SharedCounts {
  others(sender: string): number;
  /** Tells them of one more or one less here. */
  count(sender: string, by: 1 | -1): void;
}

/** The messages of this process, with their number per sender. */
export class PendingEntries {
  readonly #entries = new Map<string, PendingEntry>();
  readonly #counts = new Map<string, number>();
  readonly #shared: SharedCounts | undefined;

  constructor(shared?: SharedCounts) {
    this.#shared = shared;
  }

  get size(): number {
    return this.#entries.size;
  }

  add(entry: PendingEntry): void {
    this.#entries.set(entry.key, entry);
    this.#count(entry.payer, 1);
    entry.isCounted = true;
  }

  remove(entry: PendingEntry): void {
    if (this.isCurrent(entry)) this.#entries.delete(entry.key);
    this.release(entry);
  }

  /** Stops counting a message against its sender. */
  release(entry: PendingEntry): void {
    if (!entry.isCounted) return;
    entry.isCounted = false;
    this.#count(entry.payer, -1);
  }

  #count({ id }: Payer, by: 1 | -1): void {
    const count = (this.#counts.get(id) ?? 0) + by;
    if (count > 0) this.#counts.set(id, count);
    else this.#counts.delete(id);
    this.#shared?.count(id, by);
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  get(key: string): PendingEntry | undefined {
    return this.#entries.get(key);
  }

  /** Whether a message has not ended meanwhile. */
  isCurrent(entry: PendingEntry): boolean {
    return this.#entries.get(entry.key) === entry;
  }

  /** The messages of a sender that are followed, by whatever process. */
  countOf({ id }: Payer): number {
    return (this.#counts.get(id) ?? 0) + (this.#shared?.others(id) ?? 0);
  }

  all(): Iterable<PendingEntry> {
    return this.#entries.values();
  }

  shownKeys(): string[] {
    return [...this.all()].filter(isShown).map(({ key }) => key);
  }

  /** Those whose last check is longest ago, except those that wait for an emulation; the map is kept in this order. */
  leastRecentlyChecked(count: number): PendingEntry[] {
    const some = [...this.all()].filter((entry) => !isWaiting(entry)).slice(0, count);
    for (const entry of some) {
      this.#entries.delete(entry.key);
      this.#entries.set(entry.key, entry);
    }
    return some;
  }

  clear(): void {
    for (const entry of this.all()) this.release(entry);
    this.#entries.clear();
  }
}
