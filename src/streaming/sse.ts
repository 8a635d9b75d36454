import type { FastifyReply } from 'fastify';
import type { Outgoing, Outlet } from './send-queue.ts';

interface SseOptions {
  /** A comment is sent after this long without a frame. */
  readonly keepAliveMs: number;
  readonly hasCursors: boolean;
  /** Where a client with cursors could resume; undefined while something is left to send. */
  readonly idleCursor: () => string | undefined;
}

/** When a browser reconnects. */
const RETRY_MS = 2000;
/** A client that does not read the rest by then is cut off. */
const END_MS = 5000;

/** Starts an endless response. Nothing on the way may hold it back: no compression, no buffering by proxies. */
export function openSse(reply: FastifyReply, { keepAliveMs, hasCursors, idleCursor }: SseOptions) {
  const response = reply.raw;
  reply.hijack();
  response.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    connection: 'keep-alive',
    'x-accel-buffering': 'no',
  });
  response.flushHeaders();
  response.socket?.setNoDelay(true);
  // Node would otherwise end a connection without requests.
  response.socket?.setTimeout(0);
  let isEnded = false;
  const keepAlive = setInterval(() => {
    const id = idleCursor();
    // An id without data moves the last event id of the client, without an event.
    if (!isEnded) response.write(id === undefined ? ': keepalive\n\n' : `: keepalive\nid: ${id}\n\n`);
  }, keepAliveMs).unref();
  response.once('close', () => clearInterval(keepAlive));
  const outlet: Outlet = {
    send(message) {
      if (isEnded) return true;
      keepAlive.refresh();
      return response.write(frameOf(message, hasCursors));
    },
    whenReady: (callback) => void response.once('drain', callback),
  };
  return {
    ...outlet,
    /** Ends the stream behind the last whole frame. */
    end() {
      if (isEnded) return;
      isEnded = true;
      clearInterval(keepAlive);
      const { socket } = response;
      response.end();
      // Unread data must not be held for long.
      const timer = setTimeout(() => socket?.destroy(), END_MS).unref();
      response.once('close', () => clearTimeout(timer));
    },
  };
}

function frameOf({ kind, type, text, id }: Outgoing, hasCursors: boolean): string {
  const line = id === undefined ? '' : `id: ${id}\n`;
  if (kind !== 'answer') return `${line}event: event\ndata: {"type":"${type}"${text}\n\n`;
  const retry = hasCursors ? `retry: ${RETRY_MS}\n\n` : '';
  return `${line}event: connected\ndata: ${text}\n\n${retry}`;
}
