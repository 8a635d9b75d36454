import { setTimeout as sleep } from 'node:timers/promises';
import type { CellBag } from '../chain/boc/bag.ts';
import { Failure } from '../lib/errors.ts';
import { sendMessage } from '../lite/methods/messages.ts';
import {
  type ExternalMessage,
  InvalidExternalMessage,
  type Resender,
  readExternalMessage,
} from './external-messages.ts';
import type { LiveCall } from './session.ts';

const BROADCAST_SERVERS = 5;

/** Reads an external message and sends it. Throws InvalidExternalMessage for another cell. */
export async function sendExternalMessage(call: LiveCall, bag: CellBag): Promise<ExternalMessage> {
  const message = readExternalMessage(bag);
  await broadcastMessage(call, message);
  return message;
}

/** Sends an external message; for another cell the failure is that of a node, to which tonlib would pass it on. */
export async function forwardExternalMessage(call: LiveCall, bag: CellBag): Promise<void> {
  try {
    await sendExternalMessage(call, bag);
  } catch (error) {
    if (!(error instanceof InvalidExternalMessage)) throw error;
    throw new Failure('lite_server', error.nodeText, { cause: error });
  }
}

/**
 * Sends a message to several lite servers; done as soon as one accepted it. The signal of the call is ignored: a client
 * that disconnects does not take its message back.
 */
export async function broadcastMessage(
  { ports, group, usedServers, payer }: Pick<LiveCall, 'ports' | 'group' | 'usedServers' | 'payer'>,
  message: ExternalMessage,
): Promise<void> {
  const pool = ports.pool(group);
  await sendMessage(async (request) => {
    const { response } = await pool.broadcast(request, BROADCAST_SERVERS, (workers) =>
      usedServers.push({ workers }),
    );
    return response;
  }, message.boc);
  ports.pending.accepted(message, payer);
}

interface ResenderOptions {
  readonly everyMs?: number;
  readonly attempts?: number;
  readonly maxBytes?: number;
}

/** Memory of a message beside its bytes: hashes and a timer. */
const ENTRY_BYTES = 1024;

/** Creates a resender; its timers do not keep the process alive. */
export function createResender({
  everyMs = 5000,
  attempts = 12,
  maxBytes = 16 * 2 ** 20,
}: ResenderOptions = {}): Resender {
  let stopped = new AbortController();
  const inProgress = new Set<string>();
  let bytes = 0;

  async function keepSending(send: () => Promise<void>, signal: AbortSignal): Promise<void> {
    for (let left = attempts; left > 0 && !signal.aborted; left--) {
      const isAccepted = await send().then(
        () => true,
        () => false,
      );
      if (isAccepted) return;
      if (left > 1) await sleep(everyMs, undefined, { signal, ref: false });
    }
  }

  return {
    start({ boc, hash }, send) {
      const key = hash.toString('hex');
      if (inProgress.has(key)) return;
      const size = boc.length + ENTRY_BYTES;
      if (bytes + size > maxBytes)
        throw new Failure('overloaded', 'too many messages wait to be sent again', { retryAfterSeconds: 5 });
      inProgress.add(key);
      bytes += size;
      const { signal } = stopped;
      // Only the pause can throw, when the resender is cleared or closed.
      void keepSending(send, signal)
        .catch(() => {})
        .finally(() => {
          if (!signal.aborted) inProgress.delete(key);
          bytes -= size;
        });
    },
    clear() {
      stopped.abort();
      stopped = new AbortController();
      inProgress.clear();
    },
    close: () => stopped.abort(),
  };
}
