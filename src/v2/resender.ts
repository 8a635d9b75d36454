import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../lib/failure.ts';
import type { AcceptedMessage } from '../pending/accepted-message.ts';

/** Sends messages again that no lite server takes yet. */
export interface Resender {
  /**
   * Sends a message now and then again, until it is taken or a minute is over; one that is under way already is left
   * to it. Throws when there are too many.
   */
  start(message: AcceptedMessage, send: () => Promise<void>): void;
  /** Ends all of it. */
  close(): void;
}

interface ResenderOptions {
  readonly everyMs?: number;
  readonly attempts?: number;
  /** Bytes that all messages together may take. */
  readonly maxBytes?: number;
}

/** Beside its bytes, a message holds its hashes and a timer. */
const ENTRY_BYTES = 1024;

/** Creates a resender; nothing that it waits for keeps the process alive. */
export function createResender({
  everyMs = 5000,
  attempts = 12,
  maxBytes = 16 * 2 ** 20,
}: ResenderOptions = {}): Resender {
  const ended = new AbortController();
  const underWay = new Set<string>();
  let bytes = 0;

  async function keepSending(send: () => Promise<void>): Promise<void> {
    for (let left = attempts; left > 0 && !ended.signal.aborted; left--) {
      const isTaken = await send().then(
        () => true,
        () => false,
      );
      if (isTaken) return;
      if (left > 1) await sleep(everyMs, undefined, { signal: ended.signal, ref: false });
    }
  }

  return {
    start({ boc, hash }, send) {
      const key = hash.toString('hex');
      if (underWay.has(key)) return;
      const size = boc.length + ENTRY_BYTES;
      if (bytes + size > maxBytes)
        throw new Failure('overloaded', 'too many messages wait to be sent again', { retryAfterSeconds: 5 });
      underWay.add(key);
      bytes += size;
      // The only thing to throw is the wait that was ended.
      void keepSending(send)
        .catch(() => {})
        .finally(() => {
          underWay.delete(key);
          bytes -= size;
        });
    },
    close: () => ended.abort(),
  };
}
