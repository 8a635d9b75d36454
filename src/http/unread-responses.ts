import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import fp from 'fastify-plugin';
import { bodyBytes } from './body.ts';

export interface UnreadOptions {
  /** Bytes that long responses may hold together until they are sent. */
  readonly maxBytes?: number;
  /** A client that reads more slowly than this on average is disconnected. */
  readonly minBytesPerSecond?: number;
  /** The first time that a client has without any of that. */
  readonly graceMs?: number;
}

/** A long response on its way. */
interface Unread {
  readonly socket: Socket;
  readonly bytes: number;
  readonly sinceMs: number;
  /** Bytes that the connection had sent before. */
  readonly sentBefore: number;
}

/** Shorter ones fit into the buffers of the system. */
const LONG_BYTES = 256 * 1024;
const SWEEP_MS = 500;

/**
 * Bounds what responses hold that clients do not read: who reads too slowly is disconnected, and so are the slowest when
 * all of them together hold too much.
 */
export const unreadResponses = fp(async (app, options: UnreadOptions) => {
  const { maxBytes = 256 * 1024 * 1024, minBytesPerSecond = 32 * 1024, graceMs = 10_000 } = options;
  const unread = new Map<ServerResponse, Unread>();
  let timer: NodeJS.Timeout | undefined;

  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes = bodyBytes(reply, payload);
    const { socket } = request.raw;
    // Injected requests have no connection.
    if (bytes >= LONG_BYTES && socket instanceof Socket && !socket.destroyed) {
      const response = reply.raw;
      unread.set(response, { socket, bytes, sinceMs: performance.now(), sentBefore: sentBytes(socket) });
      response.once('close', () => {
        unread.delete(response);
        if (unread.size === 0) clearInterval(timer);
      });
      if (unread.size === 1) timer = setInterval(sweep, SWEEP_MS).unref();
    }
    done();
  });
  app.addHook('onClose', async () => clearInterval(timer));

  function sweep(): void {
    const now = performance.now();
    let held = 0;
    const slow: { one: Unread; heldBytes: number; pace: number }[] = [];
    for (const one of unread.values()) {
      const { socket, bytes, sinceMs, sentBefore } = one;
      const sent = sentBytes(socket) - sentBefore;
      const heldBytes = Math.max(0, bytes - sent);
      held += heldBytes;
      // Without anything in the buffer of the connection it is the server that is slow.
      if (socket.writableLength === 0) continue;
      const overMs = now - sinceMs - graceMs;
      if (overMs > 0 && sent < (overMs / 1000) * minBytesPerSecond) {
        held -= heldBytes;
        cut(one, sent);
      } else slow.push({ one, heldBytes, pace: sent / (now - sinceMs) });
    }
    if (held <= maxBytes) return;
    slow.sort((a, b) => a.pace - b.pace);
    for (const { one, heldBytes } of slow) {
      if (held <= maxBytes) break;
      held -= heldBytes;
      cut(one, sentBytes(one.socket) - one.sentBefore);
    }
  }

  function cut({ socket, bytes, sinceMs }: Unread, sent: number): void {
    const ms = Math.round(performance.now() - sinceMs);
    app.log.info({ bytes, sent, ms }, 'Client disconnected because it read a response too slowly');
    socket.destroy();
  }
});

/** Bytes that a connection has passed to the system. */
function sentBytes({ bytesWritten, writableLength }: Socket): number {
  return bytesWritten - writableLength;
}
