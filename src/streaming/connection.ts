import { bytesOf, type HashKey } from '../lib/bytes-key.ts';
import type { Payer } from '../lib/payer.ts';
import type { Cursor } from './cursor.ts';
import { noActionsText, type StreamEvent } from './events.ts';
import { type GapReason, type InvalidationReason, type Receiver, Standing } from './receiver.ts';
import { type Outgoing, type Outlet, type QueueLimits, SendQueue } from './send-queue.ts';
import type { Subscription } from './subscription.ts';

export type CloseReason = 'slow consumer' | 'going away' | 'internal error' | 'key revoked';

interface ConnectionOptions {
  readonly transport: 'sse' | 'ws';
  /** Who it is counted for. */
  readonly payer?: Payer | undefined;
  readonly outlet: Outlet;
  readonly limits: QueueLimits;
  readonly subscription: Subscription;
  /** Eight hex digits that identify the network. */
  readonly network: () => string;
  readonly close: (reason: CloseReason) => void;
  readonly onTraceSeen: (key: HashKey) => void;
  readonly onTraceDone: (key: HashKey) => void;
  readonly onEvent: (type: string) => void;
  readonly onGap: (reason: GapReason) => void;
}

interface SeenTrace {
  readonly text: string;
  readonly sinceMs: number;
  /** The last text of each type of event. */
  readonly last: Map<string, string>;
  hasActions: boolean;
  isFinal: boolean;
}

/** Traces below finalized that a connection remembers; beyond that, the oldest are invalidated. */
const MAX_SEEN = 1000;

/** A client: what it wants, where it stands, and what it has not been sent yet. */
export class Connection extends Standing implements Receiver {
  readonly transport: 'sse' | 'ws';
  readonly payer: Payer | undefined;
  readonly #options: ConnectionOptions;
  readonly #queue: SendQueue;
  readonly #seen = new Map<HashKey, SeenTrace>();
  #unmarked = 0;
  /** Set while events are left out because the client is too slow: what it was sent last. */
  #gapFrom: string | undefined;
  /** What a gap before the first event begins with. */
  #startText = '';

  constructor(options: ConnectionOptions) {
    super(options.subscription, options.network);
    this.#options = options;
    this.transport = options.transport;
    this.payer = options.payer;
    this.#queue = new SendQueue(options.outlet, options.limits);
  }

  get queued(): number {
    return this.#queue.size;
  }

  /** The id to resume from while nothing is left to send; undefined if there is something, or the client wants no ids. */
  idleCursor(): string | undefined {
    const isIdle = this.#queue.size === 0 && this.#gapFrom === undefined;
    return isIdle && this.subscription.cursors ? this.cursorText() : undefined;
  }

  answer(json: string, id?: string): void {
    this.#push({ kind: 'answer', type: '', text: json, id });
  }

  offer(event: StreamEvent): void {
    if (this.isClosed) return;
    const { at, traceKey } = event;
    if (at !== undefined && !this.advance(at.lane, at.place)) return;
    const text = this.#textFor(event);
    if (text !== undefined) {
      if (traceKey !== undefined && at === undefined && !this.#noteSeen(event, text)) return;
      this.#sendEvent(event.type, text, { subject: event.subject, traceKey }, at?.mark);
    }
    if (traceKey !== undefined && at !== undefined) this.#noteFinal(event, text !== undefined);
  }

  #textFor(event: StreamEvent): string | undefined {
    if (!this.subscription.types.has(event.type)) return undefined;
    const text = event.textFor(this.subscription);
    if (text !== undefined || event.type !== 'actions' || event.traceKey === undefined) return text;
    // Actions that the client was shown have disappeared.
    const seen = this.#seen.get(event.traceKey);
    if (!seen?.hasActions) return undefined;
    seen.hasActions = false;
    return noActionsText(event.finality, seen.text, this.subscription);
  }

  /** Remembers a trace that is not final; false if the client was sent the same before. */
  #noteSeen({ type, traceKey }: StreamEvent, text: string): boolean {
    const key = traceKey!;
    let seen = this.#seen.get(key);
    if (seen === undefined) {
      const text = bytesOf(key).toString('base64');
      seen = { text, sinceMs: performance.now(), last: new Map(), hasActions: false, isFinal: false };
      this.#seen.set(key, seen);
      this.#options.onTraceSeen(key);
      if (this.#seen.size > MAX_SEEN) this.invalidate(this.#seen.keys().next().value!, 'expired');
    }
    if (seen.last.get(type) === text) return false;
    seen.last.set(type, text);
    if (type === 'actions') seen.hasActions = !text.includes('"actions":[]');
    return true;
  }

  /** The lane of traces comes last: then a trace that was seen is over. */
  #noteFinal({ traceKey, at }: StreamEvent, wasSent: boolean): void {
    const seen = this.#seen.get(traceKey!);
    if (seen === undefined) return;
    seen.isFinal ||= wasSent;
    if (at?.lane !== 'traces') return;
    if (seen.isFinal) this.#forget(traceKey!);
    else this.invalidate(traceKey!, 'superseded');
  }

  #forget(key: HashKey): void {
    if (this.#seen.delete(key)) this.#options.onTraceDone(key);
  }

  invalidate(key: HashKey, reason: InvalidationReason): void {
    const seen = this.#seen.get(key);
    if (seen === undefined) return;
    this.#forget(key);
    if (seen.isFinal) return;
    this.#queue.dropTrace(key);
    const more = this.subscription.extended ? `,"reason":"${reason}"` : '';
    this.#sendEvent('trace_invalidated', `,"trace_external_hash_norm":"${seen.text}"${more}}`);
  }

  expireSeen(maxAgeMs: number): void {
    const before = performance.now() - maxAgeMs;
    for (const [key, { sinceMs }] of this.#seen) if (sinceMs < before) this.invalidate(key, 'expired');
  }

  gap(from: string, to: Cursor, reason: GapReason): void {
    this.#options.onGap(reason);
    if (!this.subscription.cursors) return;
    const toText = this.cursorText(to);
    const text = `,"from":"${from}","to":"${toText}","reason":"${reason}"}`;
    // A chain may go back to one place again and again.
    this.#push({ kind: 'gap', type: 'gap', text, id: this.#nextId(undefined, toText) });
  }

  #sendEvent(type: string, text: string, of?: Pick<Outgoing, 'subject' | 'traceKey'>, mark?: string): void {
    if (this.#gapFrom !== undefined) return;
    this.#push({ kind: 'event', type, text, id: this.#nextId(mark), ...of });
    this.#options.onEvent(type);
  }

  /** What has no mark, an event below finalized or a gap, does not move the cursor and is told apart by a number. */
  #nextId(mark: string | undefined, cursor = this.cursorText()): string | undefined {
    if (!this.subscription.cursors) return undefined;
    return mark === undefined ? `${cursor}~${++this.#unmarked}` : `${cursor}-${mark}`;
  }

  #push(message: Outgoing): void {
    if (this.isClosed || this.#queue.push(message)) return;
    this.#overflow();
  }

  /** The client is too slow: it is closed, or what it cannot be told is left out. */
  #overflow(): void {
    if (this.subscription.onOverflow === 'close' || !this.subscription.cursors) {
      this.#options.onGap('slow consumer');
      this.#options.close('slow consumer');
      return;
    }
    this.#gapFrom = this.#queue.lastSentId ?? this.#startText;
    this.#queue.dropEvents();
    this.#queue.whenEmpty(() => {
      const from = this.#gapFrom;
      this.#gapFrom = undefined;
      if (from !== undefined && !this.isClosed) this.gap(from, this.cursor, 'slow consumer');
    });
  }

  noteStart(): void {
    this.#startText = this.cursorText();
  }

  room(): Promise<void> {
    return this.#queue.room();
  }

  fail(): void {
    if (!this.isClosed) this.#options.close('internal error');
  }

  close(): void {
    this.isClosed = true;
    this.#queue.close();
    for (const key of this.#seen.keys()) this.#options.onTraceDone(key);
    this.#seen.clear();
  }
}
