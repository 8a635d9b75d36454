import type { HashKey } from '../lib/bytes-key.ts';
import type { Payer } from '../lib/payer.ts';
import { type Cursor, formatCursor, isAfter, type Lane, type Place } from './cursor.ts';
import type { StreamEvent } from './events.ts';
import type { Subscription } from './subscription.ts';

export type Transport = 'sse' | 'ws';

export type GapReason = 'cursor expired' | 'slow consumer' | 'restart';

export type InvalidationReason = 'expired' | 'superseded' | 'rolled_back';

/** Who events are brought to. */
export interface Receiver {
  readonly transport: Transport;
  /** Who it is counted for. */
  readonly payer: Payer | undefined;
  subscription: Subscription;
  /** Grows with each subscription, so that what is under way for an earlier one can be dropped. */
  readonly version: number;
  readonly isClosed: boolean;
  /** Up to where events were offered. */
  readonly cursor: Cursor;
  /** Events that were not passed on yet. */
  readonly queued: number;
  /** The id to resume from. */
  cursorText(): string;
  /** Starts at a place, which may be before or after the present one. */
  moveTo(cursor: Cursor): void;
  /** Everything up to a place was offered. */
  advanceTo(cursor: Cursor): void;
  /** Sends an answer, in its order among events; with the id of the start, a client can resume before its first event. */
  answer(json: string, id?: string): void;
  /** Offers an event; what was offered before, and what shows nothing to this receiver, is left out. */
  offer(event: StreamEvent): void;
  /** Tells that a trace will not happen as it was shown; only if it was shown and is not final. */
  invalidate(key: HashKey, reason: InvalidationReason): void;
  /** Ends traces that were shown below finalized too long ago. */
  expireSeen(maxAgeMs: number): void;
  /** Tells that events between two places were left out. */
  gap(from: string, to: Cursor, reason: GapReason): void;
  /** The present subscription starts here. */
  noteStart(): void;
  /** Resolves when there is room for more of a replay. */
  room(): Promise<void>;
  replace(subscription: Subscription): void;
  /** Ends it because of a fault of this process. */
  fail(): void;
}

/** The common part of all receivers: their subscription, and where they stand. */
export class Standing {
  subscription: Subscription;
  version = 0;
  isClosed = false;
  #lanes: Record<Lane, Place> = { blocks: { seqno: 0, index: 0 }, traces: { seqno: 0, index: 0 } };
  readonly #network: () => string;

  /** `network` are eight hex digits that identify it. */
  constructor(subscription: Subscription, network: () => string) {
    this.subscription = subscription;
    this.#network = network;
  }

  get cursor(): Cursor {
    return { ...this.#lanes };
  }

  cursorText(cursor: Cursor = this.#lanes): string {
    return formatCursor(cursor, this.#network());
  }

  moveTo(cursor: Cursor): void {
    this.#lanes = { ...cursor };
  }

  advanceTo({ blocks, traces }: Cursor): void {
    this.advance('blocks', blocks);
    this.advance('traces', traces);
  }

  /** Moves on in one lane; false if that place was passed before. */
  protected advance(lane: Lane, place: Place): boolean {
    if (!isAfter(place, this.#lanes[lane])) return false;
    this.#lanes[lane] = place;
    return true;
  }

  replace(subscription: Subscription): void {
    this.version += 1;
    this.subscription = subscription;
  }
}
