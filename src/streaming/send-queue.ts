import { RateGate } from '../lib/rate-gate.ts';

export interface Outgoing {
  /** `event` and `gap` have a type and an id; everything else is an answer to the client. */
  readonly kind: 'event' | 'gap' | 'answer';
  readonly type: string;
  /** Of an event, without `{"type":…`; otherwise the whole JSON. */
  readonly text: string;
  /** The cursor after it, if the client wants cursors. */
  readonly id: string | undefined;
  /** A newer event of the same subject replaces it when the queue is crowded. */
  readonly subject?: string | undefined;
  readonly traceKey?: string | undefined;
}

/** Where messages go: a response or a socket. */
export interface Outlet {
  /** Sends a message; false if the client should be given time to read. */
  send(message: Outgoing): boolean;
  /** Calls back once the client has read enough. */
  whenReady(callback: () => void): void;
}

/** Views of an event that are remembered: with and without an address book, metadata and ids. */
const MAX_REMEMBERED = 8;

/**
 * Makes the bytes of messages. The receivers of an event come one after the other and most of them see the same of it:
 * they share the bytes.
 */
export function createSharedBytes(write: (message: Outgoing) => string) {
  const remembered: { readonly message: Outgoing; readonly bytes: Buffer }[] = [];
  return {
    of(message: Outgoing): Buffer {
      const { type, text, id } = message;
      const same = remembered.find(
        ({ message: one }) => one.text === text && one.id === id && one.type === type,
      );
      if (same !== undefined) return same.bytes;
      const bytes = Buffer.from(write(message));
      remembered.unshift({ message, bytes });
      if (remembered.length > MAX_REMEMBERED) remembered.pop();
      return bytes;
    },
  };
}

export interface QueueLimits {
  readonly maxMessages: number;
  readonly maxBytes: number;
  /** Events that may be sent per second; bursts of ten seconds are allowed. -1 for no limit. */
  readonly eventsPerSecond: number;
}

const BURST_SECONDS = 10;

/**
 * Messages that a client has not been sent yet. Bounded: from half of it on, newer snapshots replace older ones; `push` returns
 * false when that is not enough. Writing never waits for the client and nobody waits for the writer.
 */
export class SendQueue {
  readonly #outlet: Outlet;
  readonly #limits: QueueLimits;
  #messages: Outgoing[] = [];
  #bytes = 0;
  #isBlocked = false;
  #isClosed = false;
  readonly #gate: RateGate | undefined;
  #timer: NodeJS.Timeout | undefined;
  #onEmpty: (() => void)[] = [];
  /** The id of the last message that was handed to the client. */
  lastSentId: string | undefined;

  constructor(outlet: Outlet, limits: QueueLimits) {
    this.#outlet = outlet;
    this.#limits = limits;
    const { eventsPerSecond } = limits;
    this.#gate = eventsPerSecond < 0 ? undefined : new RateGate(eventsPerSecond, BURST_SECONDS);
  }

  get size(): number {
    return this.#messages.length;
  }

  /** Adds a message; false if there is no room for it. Answers are always taken. */
  push(message: Outgoing): boolean {
    if (this.#isClosed) return true;
    if (message.kind === 'event' && this.#isCrowded()) {
      if (message.subject !== undefined) this.#drop((one) => one.subject === message.subject);
      if (this.#isFull(message)) return false;
    }
    this.#messages.push(message);
    this.#bytes += message.text.length;
    this.#pump();
    return true;
  }

  #isCrowded(): boolean {
    const { maxMessages, maxBytes } = this.#limits;
    return this.#messages.length >= maxMessages / 2 || this.#bytes >= maxBytes / 2;
  }

  #isFull({ text }: Outgoing): boolean {
    const { maxMessages, maxBytes } = this.#limits;
    // A message of any length is taken by an empty queue.
    return (
      this.#messages.length >= maxMessages ||
      (this.#messages.length > 0 && this.#bytes + text.length > maxBytes)
    );
  }

  #drop(matches: (message: Outgoing) => boolean): void {
    const left = this.#messages.filter((one) => one.kind !== 'event' || !matches(one));
    if (left.length === this.#messages.length) return;
    this.#messages = left;
    this.#bytes = left.reduce((sum, { text }) => sum + text.length, 0);
  }

  dropTrace(traceKey: string): void {
    this.#drop((one) => one.traceKey === traceKey);
  }

  dropEvents(): void {
    this.#drop(() => true);
  }

  /** Resolves when less than half of the room is taken. */
  async room(): Promise<void> {
    while (this.#isCrowded() && !this.#isClosed)
      await new Promise<void>((resolve) => {
        this.#onEmpty.push(resolve);
      });
  }

  whenEmpty(callback: () => void): void {
    if (this.#messages.length === 0 && !this.#isBlocked) callback();
    else this.#onEmpty.push(() => this.whenEmpty(callback));
  }

  close(): void {
    this.#isClosed = true;
    this.#messages = [];
    this.#bytes = 0;
    clearTimeout(this.#timer);
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#onEmpty;
    this.#onEmpty = [];
    for (const callback of waiting) callback();
  }

  #pump(): void {
    while (!this.#isBlocked && !this.#isClosed) {
      const next = this.#messages[0];
      if (next === undefined || !this.#mayPass(next)) break;
      this.#messages.shift();
      this.#bytes -= next.text.length;
      if (next.id !== undefined) this.lastSentId = next.id;
      if (!this.#outlet.send(next)) this.#block();
    }
    if (this.#onEmpty.length > 0 && !this.#isCrowded()) this.#wake();
  }

  #block(): void {
    this.#isBlocked = true;
    this.#outlet.whenReady(() => {
      this.#isBlocked = false;
      this.#pump();
    });
  }

  /** Whether a message may be sent now; otherwise it is tried again. */
  #mayPass({ kind }: Outgoing): boolean {
    if (kind !== 'event' || this.#gate === undefined || this.#gate.pass()) return true;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#pump();
    }, this.#gate.waitMs);
    return false;
  }
}
