import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { createSharedBytes, type Outgoing, type Outlet } from './send-queue.ts';

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
      return sendFrame(response, message, hasCursors);
    },
    whenReady: (callback) => void (response.socket ?? response).once('drain', callback),
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

const chunks = createSharedBytes((message) => {
  const frame = eventFrame(message);
  return `${Buffer.byteLength(frame).toString(16)}\r\n${frame}\r\n`;
});

/**
 * Sends a frame; false if the client should be given time to read. An event goes to the socket as a chunk that all its
 * receivers share: Node would write each in four pieces, and only behind the slice that the work on receivers has.
 */
function sendFrame(response: ServerResponse, message: Outgoing, hasCursors: boolean): boolean {
  const { socket } = response;
  if (message.kind === 'answer') return response.write(answerFrame(message, hasCursors));
  // Without one it is the second of two responses on a connection. HTTP/1.0 has no chunks.
  if (socket === null || !response.chunkedEncoding) return response.write(eventFrame(message));
  return socket.write(chunks.of(message));
}

function eventFrame({ type, text, id }: Outgoing): string {
  return `${idLine(id)}event: event\ndata: {"type":"${type}"${text}\n\n`;
}

function answerFrame({ text, id }: Outgoing, hasCursors: boolean): string {
  const retry = hasCursors ? `retry: ${RETRY_MS}\n\n` : '';
  return `${idLine(id)}event: connected\ndata: ${text}\n\n${retry}`;
}

function idLine(id: string | undefined): string {
  return id === undefined ? '' : `id: ${id}\n`;
}
