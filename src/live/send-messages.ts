import { setTimeout as sleep } from 'node:timers/promises';
import type { CellBag } from '../chain/boc/bag.ts';
import { Failure } from '../lib/errors.ts';
import { sendMessage } from '../lite/methods/messages.ts';
import { type ExternalMessage, type Resender, readExternalMessage } from './external-messages.ts';
import type { LiveCall } from './session.ts';

/** How many lite servers get a message. */
const BROADCAST_SERVERS = 5;

/** Checks that a cell is a message from outside and sends it. */
export async function sendExternalMessage(call: LiveCall, bag: CellBag): Promise<ExternalMessage> {
  const message = readExternalMessage(bag);
  await broadcastMessage(call, message);
  return message;
}

/**
 * Gives a message to several lite servers; done as soon as one took it. Whoever does not wait for that does not take
 * the message back, so the signal of the call does not count here.
 */
export async function broadcastMessage(
  { ports, group, usedServers, payer }: Pick<LiveCall, 'ports' | 'group' | 'usedServers' | 'payer'>,
  message: ExternalMessage,
): Promise<void> {
  const pool = ports.pool(group);
  await sendMessage(async (request) => {
    const { answer } = await pool.broadcast(request, BROADCAST_SERVERS, (workers) =>
      usedServers.push({ workers }),
    );
    return answer;
  }, message.boc);
  ports.pending.accepted(message, payer);
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
