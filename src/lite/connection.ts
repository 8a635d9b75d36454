import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { type AdnlPublicKey, readPublicKey } from '../chain/adnl/keys.ts';
import { ClientSession, wrapLiteQuery } from '../chain/adnl/sessions.ts';
import { decodeLiteError } from '../chain/tl/lite-envelope.ts';
import { createBackOff } from '../lib/back-off.ts';
import type { Log } from '../lib/log.ts';
import { startWork } from '../lib/loop-work.ts';
import { LiteServerError, LiteTimeout } from './errors.ts';
import { LiteNetworkError } from './methods/proofs.ts';

/** One lite server over one socket; it connects and reconnects by itself until it is closed. */
export interface LiteConnection {
  /**
   * Sends a bare lite-server function (optionally with a wait prefix) and returns the bytes of its response. Queries are
   * pipelined. Throws LiteServerError, LiteTimeout, LiteNetworkError, or the reason of the signal; never sends a query
   * twice. The response may be a view of a 64 KiB buffer shared with other responses: copy what is kept for long.
   */
  query(
    request: Uint8Array,
    options?: { readonly timeoutMs?: number; readonly signal?: AbortSignal },
  ): Promise<Buffer>;
  /** Whether a query would be written to the socket immediately; while it is false queries fail immediately. */
  readonly ready: boolean;
  readonly inFlight: number;
  /** Ends the connection for good; queries in flight fail. */
  close(): void;
}

export interface ConnectionOptions {
  readonly host: string;
  readonly port: number;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly log?: Log;
  /** Called every time the server has become ready for queries. */
  readonly onReady?: () => void;
  /** Called every time a connection, or an attempt to connect, has ended. */
  readonly onDown?: (reason: string) => void;
  readonly queryTimeoutMs?: number;
  /** From the opening of the socket to the server's response to the handshake. */
  readonly connectTimeoutMs?: number;
  /** After an interval without a packet the server is pinged, after three without a byte it is disconnected. */
  readonly pingIntervalMs?: number;
  readonly reconnectFirstMs?: number;
  readonly reconnectMaxMs?: number;
  /** Unsent bytes above which the connection is not ready. */
  readonly maxWaitingBytes?: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
  /** A number from 0 to 1, 1 excluded. */
  readonly random?: () => number;
}

/** Well below the limit of a packet. */
const MAX_REQUEST_BYTES = 8 * 1024 * 1024;

/** Connects to a lite server and stays connected. Throws only for an impossible key or port. */
export function createConnection(options: ConnectionOptions): LiteConnection {
  const { host, port, log, queryTimeoutMs = 5000, now = () => performance.now() } = options;
  const socketOptions = {
    host,
    port,
    server: readPublicKey(options.publicKey),
    connectTimeoutMs: options.connectTimeoutMs ?? 5000,
    pingIntervalMs: options.pingIntervalMs ?? 5000,
    maxWaitingBytes: options.maxWaitingBytes ?? 8 * 1024 * 1024,
  };
  const backOff = createBackOff({
    firstMs: options.reconnectFirstMs ?? 200,
    maxMs: options.reconnectMaxMs ?? 60_000,
    random: options.random ?? Math.random,
  });
  const inFlight = new InFlightQueries(now);
  const server = `${host}:${port}`;
  let socket: AdnlSocket | undefined;
  let reconnectTimer: NodeJS.Timeout | undefined;
  let closed = false;
  let lastReason: string | undefined;

  function open(): void {
    socket = openSocket(socketOptions, { onReady, onAnswer, onAlive: backOff.reset, onDown });
  }

  function onReady(): void {
    lastReason = undefined;
    log?.info({ server }, 'Lite server connected');
    notify(() => options.onReady?.());
  }

  function onAnswer(id: Buffer, response: Buffer): void {
    // Only a server that responds is reconnected soon; one that breaks the protocol after the handshake is not.
    if (inFlight.settle(id, response)) backOff.reset();
  }

  function onDown(reason: string): void {
    socket = undefined;
    const pauseMs = Math.round(backOff.next());
    // A server that is down for days fails in the same way every minute: it is logged once.
    if (reason !== lastReason) log?.warn({ server, reason, pauseMs }, 'Lite server not connected');
    lastReason = reason;
    reconnectTimer = setTimeout(reopen, pauseMs);
    inFlight.failAll(new LiteNetworkError('Cancelled'));
    notify(() => options.onDown?.(reason));
  }

  function reopen(): void {
    try {
      open();
    } catch (error) {
      onDown(String(error));
    }
  }

  function notify(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      log?.error({ server, err: error }, 'Listener of a lite connection failed');
    }
  }

  open();
  return {
    get ready() {
      return socket?.ready ?? false;
    },
    get inFlight() {
      return inFlight.size;
    },
    query(request, { timeoutMs = queryTimeoutMs, signal } = {}) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      if (request.length > MAX_REQUEST_BYTES)
        return Promise.reject(new LiteNetworkError(': query too large'));
      if (!socket?.ready) return Promise.reject(new LiteNetworkError('not ready'));
      const { id, response } = inFlight.open(timeoutMs, signal);
      socket.query(id, wrapLiteQuery(request));
      return response;
    },
    close() {
      if (closed) return;
      closed = true;
      clearTimeout(reconnectTimer);
      socket?.close();
      socket = undefined;
      inFlight.failAll(new LiteNetworkError('Cancelled'));
    },
  };
}

/** One socket from its opening to its end; the owner reconnects. */
type AdnlSocket = ReturnType<typeof openSocket>;

interface SocketOptions
  extends Required<
    Pick<ConnectionOptions, 'host' | 'port' | 'connectTimeoutMs' | 'pingIntervalMs' | 'maxWaitingBytes'>
  > {
  readonly server: AdnlPublicKey;
}

interface SocketEvents {
  readonly onReady: () => void;
  readonly onAnswer: (id: Buffer, response: Buffer) => void;
  /** A packet came in the last ping interval. */
  readonly onAlive: () => void;
  /** The socket has ended, once. */
  readonly onDown: (reason: string) => void;
}

/** Queries of one turn of the event loop are written together, but no more than this, so that the server can start. */
const FLUSH_BYTES = 64 * 1024;
/** Ping intervals in a row without a byte, two pings among them, after which a server counts as dead. */
const QUIET_INTERVALS = 3;
/** The same without a whole packet: after a wrong length, pongs may fill a packet that never ends. */
const INTERVALS_WITHOUT_PACKET = 12;

/** Connects to a server and starts the ADNL handshake. */
function openSocket(options: SocketOptions, events: SocketEvents) {
  const { host, port, server, connectTimeoutMs, pingIntervalMs, maxWaitingBytes } = options;
  const session = new ClientSession(server, { onReady, onAnswer: events.onAnswer });
  const socket = connect({ host, port, noDelay: true });
  const lateTimer = setTimeout(() => end('not connected in time'), connectTimeoutMs);
  let pingTimer: NodeJS.Timeout | undefined;
  let bytesCame = false;
  let packetsSeen = 0;
  let quietIntervals = 0;
  let intervalsWithoutPacket = 0;
  let isFlushScheduled = false;
  let ended = false;

  socket.on('connect', () => socket.write(session.handshake));
  socket.on('data', (chunk) => {
    bytesCame = true;
    if (ended) return;
    startWork('lite_server');
    try {
      session.receive(chunk);
    } catch (error) {
      end(String(error));
    }
  });
  socket.on('error', (error) => end(error.message));
  socket.on('close', () => end('closed by the server'));

  function onReady(): void {
    clearTimeout(lateTimer);
    pingTimer = setInterval(watch, pingIntervalMs);
    events.onReady();
  }

  /** Counts intervals instead of reading a clock: a blocked event loop must not make a living server look dead. */
  function watch(): void {
    quietIntervals = bytesCame ? 0 : quietIntervals + 1;
    intervalsWithoutPacket = session.packetsReceived > packetsSeen ? 0 : intervalsWithoutPacket + 1;
    bytesCame = false;
    packetsSeen = session.packetsReceived;
    if (intervalsWithoutPacket === 0) events.onAlive();
    else if (quietIntervals === QUIET_INTERVALS) end('nothing received, not even a pong');
    else if (intervalsWithoutPacket === INTERVALS_WITHOUT_PACKET) end('a packet without an end');
    else {
      session.ping(randomBytes(8).readBigInt64LE());
      flush();
    }
  }

  function flush(): void {
    isFlushScheduled = false;
    if (ended) return;
    const bytes = session.take();
    if (bytes !== undefined) socket.write(bytes);
  }

  /** No event comes after it. */
  function close(): void {
    ended = true;
    clearTimeout(lateTimer);
    clearInterval(pingTimer);
    socket.destroy();
  }

  function end(reason: string): void {
    if (ended) return;
    close();
    events.onDown(reason);
  }

  return {
    /** Whether a query may be sent now: the server has accepted the handshake and the socket is not congested. */
    get ready(): boolean {
      return session.ready && !ended && socket.writableLength + session.queuedBytes < maxWaitingBytes;
    },
    query(id: Uint8Array, query: Uint8Array): void {
      session.query(id, query);
      if (session.queuedBytes >= FLUSH_BYTES) flush();
      else if (!isFlushScheduled) {
        isFlushScheduled = true;
        // Runs after all input is read, so that the queries of many callers are written together: one write costs
        // about as much as the rest of a query.
        setImmediate(flush);
      }
    },
    close,
  };
}

interface InFlightQuery {
  readonly resolve: (response: Buffer) => void;
  readonly reject: (error: unknown) => void;
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
  readonly onAbort: (() => void) | undefined;
}

const ID_BYTES = 32;
/** An id ends in a counter; the rest is random, so that only who received the query can respond to it. */
const COUNTER_BYTES = 6;
const COUNTER_AT = ID_BYTES - COUNTER_BYTES;
/** Deadlines may be missed by this much, which bounds the work when many queries end one after another. */
const SWEEP_MS = 10;
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The queries that wait for a response. One timer watches all their deadlines. */
export class InFlightQueries {
  readonly #now: () => number;
  readonly #queries = new Map<number, InFlightQuery>();
  readonly #id = randomBytes(ID_BYTES);
  #lastNumber = 0;
  #timer: NodeJS.Timeout | undefined;
  #timerAtMs = Number.POSITIVE_INFINITY;

  /** `now` is a monotonic clock in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get size(): number {
    return this.#queries.size;
  }

  /** Starts the timeout of a query and assigns it an id, which is valid until the next query is opened. */
  open(timeoutMs: number, signal: AbortSignal | undefined) {
    const number = ++this.#lastNumber;
    this.#id.writeUIntBE(number, COUNTER_AT, COUNTER_BYTES);
    const deadlineMs = this.#now() + timeoutMs;
    const onAbort = signal && (() => this.#take(number)?.reject(signal.reason));
    if (onAbort) signal.addEventListener('abort', onAbort);
    const response = new Promise<Buffer>((resolve, reject) => {
      this.#queries.set(number, { resolve, reject, deadlineMs, signal, onAbort });
    });
    if (deadlineMs < this.#timerAtMs) this.#arm(deadlineMs);
    return { id: this.#id, response };
  }

  /** Resolves the query of a response; false when there is none, because the response is late or unsolicited. */
  settle(id: Buffer, response: Buffer): boolean {
    if (this.#id.compare(id, 0, COUNTER_AT, 0, COUNTER_AT) !== 0) return false;
    const waiting = this.#take(id.readUIntBE(COUNTER_AT, COUNTER_BYTES));
    if (waiting === undefined) return false;
    try {
      const error = decodeLiteError(response);
      if (error === undefined) waiting.resolve(response);
      else waiting.reject(new LiteServerError(error.code, error.message));
    } catch (fault) {
      waiting.reject(new LiteNetworkError(': unparseable error of the server', fault));
    }
    return true;
  }

  /** Fails all queries with one error: creating one for each of thousands would block for long. */
  failAll(error: Error): void {
    for (const number of this.#queries.keys()) this.#take(number)?.reject(error);
    this.#disarm();
  }

  #take(number: number): InFlightQuery | undefined {
    const waiting = this.#queries.get(number);
    if (waiting === undefined) return undefined;
    this.#queries.delete(number);
    if (waiting.onAbort) waiting.signal?.removeEventListener('abort', waiting.onAbort);
    return waiting;
  }

  #arm(deadlineMs: number): void {
    this.#disarm();
    this.#timerAtMs = deadlineMs;
    const delayMs = Math.min(Math.max(deadlineMs - this.#now(), SWEEP_MS), MAX_TIMER_MS);
    // After a blocked event loop timers run first; responses that arrived meanwhile must be read before.
    this.#timer = setTimeout(() => setImmediate(() => this.#sweep()), delayMs);
  }

  #disarm(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#timerAtMs = Number.POSITIVE_INFINITY;
  }

  #sweep(): void {
    this.#disarm();
    const nowMs = this.#now();
    let nextMs = Number.POSITIVE_INFINITY;
    let late: LiteTimeout | undefined;
    for (const [number, { deadlineMs }] of this.#queries) {
      if (deadlineMs > nowMs) nextMs = Math.min(nextMs, deadlineMs);
      else {
        late ??= new LiteTimeout();
        this.#take(number)?.reject(late);
      }
    }
    if (nextMs < Number.POSITIVE_INFINITY) this.#arm(nextMs);
  }
}
