import type { WebSocket } from '@fastify/websocket';
import { type Outgoing, type Outlet, RateGate } from './send-queue.ts';
import { type RequestId, readFields, readId, SubscriptionError } from './subscription.ts';

/** A message of a client. */
export interface ClientMessage {
  readonly operation: string;
  readonly id: RequestId;
  /** The parsed message. */
  readonly sent: unknown;
}

interface SocketOptions {
  readonly pingMs: number;
  readonly idleMs: number;
  readonly messagesPerSecond: number;
  readonly maxFrameBytes: number;
  readonly onMessage: (message: ClientMessage) => void;
  /** Sends an answer in its order. */
  readonly answer: (json: string) => void;
  readonly onRefused: (reason: string) => void;
}

/** A socket of a client. */
export interface SocketOutlet extends Outlet {
  close(code: number, reason: string): void;
}

const MAX_BUFFERED_BYTES = 64 * 1024;
const BURST_SECONDS = 5;
/** Messages above the rate, one after the other, that are forgiven. */
const MAX_REFUSALS = 3;
/** A client that does not answer a close frame is cut off. */
const CLOSE_MS = 5000;

/** Serves a socket: reads its messages, watches whether it lives, and sends. */
export function serveSocket(socket: WebSocket, options: SocketOptions): SocketOutlet {
  const { pingMs, idleMs, maxFrameBytes, onMessage, answer, onRefused } = options;
  const gate = new RateGate(options.messagesPerSecond, BURST_SECONDS);
  let aliveMs = performance.now();
  let refusals = 0;
  let waiting: (() => void) | undefined;

  function close(code: number, reason: string): void {
    if (socket.readyState !== socket.OPEN) return;
    socket.close(code, reason);
    setTimeout(() => socket.terminate(), CLOSE_MS).unref();
  }

  socket.on('message', (data, isBinary) => {
    aliveMs = performance.now();
    const bytes = Buffer.isBuffer(data) ? data : Buffer.concat([data].flat() as Buffer[]);
    if (bytes.length > maxFrameBytes) return close(1009, 'message too big');
    if (isBinary && !isUtf8Json(bytes)) return close(1003, 'unsupported data');
    if (!gate.pass()) {
      onRefused('message_rate');
      refusals += 1;
      answer(errorJson('Ratelimit exceeded', undefined));
      if (refusals >= MAX_REFUSALS) close(1008, 'Ratelimit exceeded');
      return;
    }
    refusals = 0;
    try {
      onMessage(readMessage(bytes.toString()));
    } catch (error) {
      if (!(error instanceof SubscriptionError)) throw error;
      answer(errorJson(error.message, error.id));
    }
  });
  socket.on('pong', () => {
    aliveMs = performance.now();
  });
  socket.on('ping', () => {
    aliveMs = performance.now();
  });
  const timer = setInterval(() => {
    const silentMs = performance.now() - aliveMs;
    if (silentMs >= idleMs) close(1008, 'idle timeout');
    else if (silentMs >= pingMs && socket.readyState === socket.OPEN) socket.ping();
  }, pingMs).unref();
  socket.once('close', () => clearInterval(timer));

  return {
    send(message) {
      if (socket.readyState !== socket.OPEN) return true;
      socket.send(frameOf(message), onSent);
      return socket.bufferedAmount < MAX_BUFFERED_BYTES;
    },
    whenReady(callback) {
      waiting = callback;
    },
    close,
  };

  function onSent(): void {
    if (waiting === undefined || socket.bufferedAmount >= MAX_BUFFERED_BYTES) return;
    const callback = waiting;
    waiting = undefined;
    callback();
  }
}

/** Tells a client why it is not served, and closes its socket. */
export function reportAndClose(socket: WebSocket, error: string): void {
  socket.send(errorJson(error, undefined));
  socket.close(1008, error);
  setTimeout(() => socket.terminate(), CLOSE_MS).unref();
}

function frameOf({ kind, type, text, id }: Outgoing): string {
  if (kind === 'answer') return id === undefined ? text : `${text.slice(0, -1)},"event_id":"${id}"}`;
  return id === undefined ? `{"type":"${type}"${text}` : `{"type":"${type}","event_id":"${id}"${text}`;
}

function isUtf8Json(bytes: Buffer): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}

const MALFORMED = 'invalid request envelope';

function readMessage(text: string): ClientMessage {
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    throw new SubscriptionError(`${MALFORMED}: not JSON`);
  }
  const fields = readFields(sent, MALFORMED);
  const id = readId(fields.get('id'), MALFORMED);
  const operation = fields.get('operation') ?? '';
  if (typeof operation !== 'string') throw new SubscriptionError(`${MALFORMED}: operation must be a string`);
  return { operation, id, sent };
}

function errorJson(error: string, id: RequestId): string {
  return JSON.stringify(id === undefined ? { error } : { id, error });
}

/** The answer to a request. */
export function statusJson(status: string, id: RequestId): string {
  return JSON.stringify(id === undefined ? { status } : { id, status });
}
