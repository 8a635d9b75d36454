import type { Socket } from 'node:net';
import type { WebSocket } from '@fastify/websocket';
import { RateGate } from '../lib/rate-gate.ts';
import { createSharedBytes, type Outgoing, type Outlet } from './send-queue.ts';
import { type RequestId, readFields, readId, SubscriptionError } from './subscription.ts';

export type ClientMessage = ReturnType<typeof readMessage>;

interface SocketOptions {
  readonly pingMs: number;
  readonly idleMs: number;
  readonly messagesPerSecond: number;
  /** Pings and pongs together. */
  readonly controlFramesPerSecond: number;
  readonly maxFrameBytes: number;
  readonly onMessage: (message: ClientMessage) => void;
  readonly answer: (json: string) => void;
  readonly onRefused: (reason: string) => void;
}

export interface SocketOutlet extends Outlet {
  close(code: number, reason: string): void;
}

const MAX_BUFFERED_BYTES = 64 * 1024;
const BURST_SECONDS = 5;
/** Frames above the rate, one after the other, that are forgiven. */
const MAX_REFUSALS = 3;
/** A client that does not answer a close frame is cut off. */
const CLOSE_MS = 5000;
/** One that is not read from any more has read its close frame by then; if it is closed at once it comes back at once. */
const FLOOD_CLOSE_MS = 1000;
/** What was received behind a frame that is not handled yet: a read, and as much as waits for the parser. */
const UNPARSED_BYTES = 128 * 1024;

/** How sockets are opened that `serveSocket` serves. */
export const SOCKET_SERVER_OPTIONS = {
  perMessageDeflate: false,
  clientTracking: false,
  // The 10 000 pings that a read may bring are handled in as many turns of the event loop.
  allowSynchronousEvents: false,
  autoPong: false,
  closeTimeout: CLOSE_MS,
  /** Frames of a message, which are parsed in one turn if they come at once; 8 MB in those of 4 kB, as clients in Go send them. */
  maxFragments: 4096,
  /** Reads that a frame takes; the largest frame needs 6000 on a slow line. */
  maxBufferedChunks: 8192,
};

/** Serves a socket: reads its messages, watches whether it lives, and sends. `connection` is what it runs on. */
export function serveSocket(socket: WebSocket, connection: Socket, options: SocketOptions): SocketOutlet {
  const { pingMs, idleMs, maxFrameBytes, onMessage, answer, onRefused } = options;
  const messages = new RateGate(options.messagesPerSecond, BURST_SECONDS);
  const controlFrames = new RateGate(options.controlFramesPerSecond, BURST_SECONDS);
  let aliveMs = performance.now();
  let refusals = 0;
  let unhandledBytes = 0;
  let waiting: (() => void) | undefined;
  let isPongUnsent = false;
  let nextPong: Buffer | undefined;

  /** Notes that a frame was received; false if the socket is being closed and the frame is of no interest. */
  function noteFrame(): boolean {
    aliveMs = performance.now();
    unhandledBytes = 0;
    return socket.readyState === socket.OPEN;
  }

  function close(code: number, reason: string): void {
    if (socket.readyState === socket.OPEN) socket.close(code, reason);
  }

  /** Closes the socket of a client that would send on and on: nothing more of it is read. */
  function cutOff(code: number, reason: string): void {
    close(code, reason);
    socket.pause();
    setTimeout(() => socket.terminate(), FLOOD_CLOSE_MS).unref();
  }

  /** Leaves out a frame above the rate. */
  function refuse(reason: string): void {
    onRefused(reason);
    refusals += 1;
    if (refusals === MAX_REFUSALS) cutOff(1008, 'Ratelimit exceeded');
  }

  /** Reads on only when the client has read its answers. */
  function waitForReader(): void {
    if (socket.bufferedAmount >= MAX_BUFFERED_BYTES) socket.pause();
  }

  connection.on('data', ({ length }: Buffer) => {
    unhandledBytes += length;
    if (unhandledBytes > maxFrameBytes + UNPARSED_BYTES && socket.readyState === socket.OPEN)
      cutOff(1009, 'message too big');
  });
  socket.on('message', (data, isBinary) => {
    if (!noteFrame()) return;
    const bytes = Buffer.isBuffer(data) ? data : Buffer.concat([data].flat() as Buffer[]);
    if (bytes.length > maxFrameBytes) return close(1009, 'message too big');
    if (isBinary && !isUtf8Json(bytes)) return close(1003, 'unsupported data');
    if (!messages.pass()) {
      answer(errorJson('Ratelimit exceeded', undefined));
      return refuse('message_rate');
    }
    refusals = 0;
    try {
      onMessage(readMessage(bytes.toString()));
    } catch (error) {
      if (!(error instanceof SubscriptionError)) throw error;
      answer(errorJson(error.message, error.id));
    }
    waitForReader();
  });
  socket.on('ping', (payload) => {
    if (!noteFrame()) return;
    if (!controlFrames.pass()) return refuse('control_frame_rate');
    refusals = 0;
    // The payload is a part of all that was read with it.
    pong(Buffer.from(payload));
    waitForReader();
  });
  socket.on('pong', () => {
    if (noteFrame() && !controlFrames.pass()) refuse('control_frame_rate');
  });
  const timer = setInterval(() => {
    const silentMs = performance.now() - aliveMs;
    // Behind what it does not read it would not read a close frame.
    if (silentMs >= idleMs && socket.isPaused) socket.terminate();
    else if (silentMs >= idleMs) close(1008, 'idle timeout');
    else if (silentMs >= pingMs && socket.readyState === socket.OPEN) socket.ping();
  }, pingMs).unref();
  socket.once('close', () => clearInterval(timer));

  return {
    send(message) {
      if (socket.readyState !== socket.OPEN) return true;
      if (message.kind === 'answer') socket.send(answerText(message), onSent);
      else socket.send(events.of(message), { binary: false }, onSent);
      return socket.bufferedAmount < MAX_BUFFERED_BYTES;
    },
    whenReady(callback) {
      waiting = callback;
    },
    close,
  };

  /** Answers a ping. While a pong is not sent, only the newest ping is remembered, as RFC 6455 allows. */
  function pong(payload: Buffer): void {
    if (isPongUnsent) {
      nextPong = payload;
      return;
    }
    isPongUnsent = true;
    socket.pong(payload, false, () => {
      isPongUnsent = false;
      const next = nextPong;
      nextPong = undefined;
      if (next !== undefined && socket.readyState === socket.OPEN) pong(next);
      onSent();
    });
  }

  function onSent(): void {
    if (socket.bufferedAmount >= MAX_BUFFERED_BYTES) return;
    if (socket.isPaused && socket.readyState === socket.OPEN) {
      aliveMs = performance.now();
      socket.resume();
    }
    const callback = waiting;
    waiting = undefined;
    callback?.();
  }
}

/** Tells a client why it is not served, and closes its socket. */
export function reportAndClose(socket: WebSocket, error: string): void {
  socket.send(errorJson(error, undefined));
  socket.close(1008, error);
}

const events = createSharedBytes(({ type, text, id }) =>
  id === undefined ? `{"type":"${type}"${text}` : `{"type":"${type}","event_id":"${id}"${text}`,
);

function answerText({ text, id }: Outgoing): string {
  return id === undefined ? text : `${text.slice(0, -1)},"event_id":"${id}"}`;
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

function readMessage(text: string) {
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

export function statusJson(status: string, id: RequestId): string {
  return JSON.stringify(id === undefined ? { status } : { id, status });
}
