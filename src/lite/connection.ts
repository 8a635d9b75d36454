import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { type AdnlPublicKey, readPublicKey } from '../chain/adnl/keys.ts';
import { wrapLiteQuery } from '../chain/adnl/messages.ts';
import { ClientSession } from '../chain/adnl/sessions.ts';
import { decodeLiteError } from '../chain/tl/lite-envelope.ts';
import { createBackOff } from '../lib/back-off.ts';
import type { Log } from '../lib/log.ts';
import { LiteNetworkError, LiteServerError, LiteTimeout } from './errors.ts';

/** One lite server over one socket; it connects, and connects again, by itself until it is closed. */
export interface LiteConnection {
  /**
   * Sends a bare lite-server function (optionally with a wait prefix) and gives the bytes of its answer. Queries are
   * pipelined. Throws LiteServerError, LiteTimeout, LiteNetworkError, or the reason of the signal; never sends a query
   * twice. The answer may be a view of a buffer of 64 KiB that neighbours share: copy what is kept for long.
   */
  query(request: Uint8Array, options?: QueryOptions): Promise<Buffer>;
  /** Whether a query would be written to the socket at once; while it is false queries fail at once. */
  readonly ready: boolean;
  readonly inFlight: number;
  /** Ends the connection for ever; what waits for an answer fails. */
  close(): void;
}

/** How one query is asked. */
interface QueryOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** A server and how to treat it; all but the first three have sensible defaults. */
export interface ConnectionOptions {
  readonly host: string;
  readonly port: number;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly log?: Log;
  /** Called every time the server has become ready for queries. */
  readonly onReady?: () => void;
  /** Called every time a connection, or an attempt at one, has ended. */
  readonly onDown?: (reason: string) => void;
  readonly queryTimeoutMs?: number;
  /** From the opening of the socket to the server's answer to the handshake. */
  readonly connectTimeoutMs?: number;
  /** After an interval without a packet of the server it is pinged, after three without a byte it is cut. */
  readonly pingIntervalMs?: number;
  readonly reconnectFirstMs?: number;
  readonly reconnectMaxMs?: number;
  /** Bytes that may wait for a server that does not read; with more the connection is not ready. */
  readonly maxWaitingBytes?: number;
  /** Milliseconds that never go back. */
  readonly now?: () => number;
  /** A number from 0 to 1, 1 excluded. */
  readonly random?: () => number;
}

/** What one request may have at most, well below the limit for a packet. */
const MAX_REQUEST_BYTES = 8 * 1024 * 1024;

/** Connects to a lite server and stays connected. Throws only when there can be no server with such a key or port. */
export function createConnection(options: ConnectionOptions): LiteConnection {
  const { host, port, log, queryTimeoutMs = 5000, now = () => performance.now() } = options;
  const linkOptions = {
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
  let link: Link | undefined;
  let reconnectTimer: NodeJS.Timeout | undefined;
  let closed = false;
  let lastReason: string | undefined;

  function open(): void {
    link = openLink(linkOptions, { onReady, onAnswer, onAlive: backOff.reset, onDown });
  }

  function onReady(): void {
    lastReason = undefined;
    log?.info({ server }, 'lite server connected');
    tell(() => options.onReady?.());
  }

  function onAnswer(id: Buffer, answer: Buffer): void {
    // Only a server that does its work is asked again soon; one that greets and then breaks the protocol is not.
    if (inFlight.settle(id, answer)) backOff.reset();
  }

  function onDown(reason: string): void {
    link = undefined;
    const pauseMs = Math.round(backOff.next());
    // A server that is away for days fails in the same way every minute; once in the log is enough.
    if (reason !== lastReason) log?.warn({ server, reason, pauseMs }, 'lite server not connected');
    lastReason = reason;
    reconnectTimer = setTimeout(reopen, pauseMs);
    inFlight.failAll(new LiteNetworkError('Cancelled'));
    tell(() => options.onDown?.(reason));
  }

  function reopen(): void {
    try {
      open();
    } catch (error) {
      onDown(String(error));
    }
  }

  function tell(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      log?.error({ server, err: error }, 'a listener of a lite connection failed');
    }
  }

  open();
  return {
    get ready() {
      return link?.ready ?? false;
    },
    get inFlight() {
      return inFlight.size;
    },
    query(request, { timeoutMs = queryTimeoutMs, signal } = {}) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      if (request.length > MAX_REQUEST_BYTES)
        return Promise.reject(new LiteNetworkError(': query too large'));
      if (!link?.ready) return Promise.reject(new LiteNetworkError('not ready'));
      const { id, answer } = inFlight.open(timeoutMs, signal);
      link.query(id, wrapLiteQuery(request));
      return answer;
    },
    close() {
      if (closed) return;
      closed = true;
      clearTimeout(reconnectTimer);
      link?.close();
      link = undefined;
      inFlight.failAll(new LiteNetworkError('Cancelled'));
    },
  };
}

/** One socket from its opening to its end; what comes after the end is up to the owner. */
interface Link {
  /** Whether a query may be sent now: the server has taken the handshake and the socket is not choked. */
  readonly ready: boolean;
  query(id: Uint8Array, query: Uint8Array): void;
  /** Ends the socket; no event comes after it. */
  close(): void;
}

interface LinkOptions {
  readonly host: string;
  readonly port: number;
  readonly server: AdnlPublicKey;
  readonly connectTimeoutMs: number;
  readonly pingIntervalMs: number;
  /** Bytes that may wait for a server that does not read. */
  readonly maxWaitingBytes: number;
}

interface LinkEvents {
  readonly onReady: () => void;
  readonly onAnswer: (id: Buffer, answer: Buffer) => void;
  /** A ping interval has passed in which a packet came. */
  readonly onAlive: () => void;
  /** The socket has ended, once. */
  readonly onDown: (reason: string) => void;
}

/** Queries of one turn of the event loop are sent together, but no more than this at once, so that the server can begin. */
const FLUSH_BYTES = 64 * 1024;
/** Ping intervals in a row without a byte, two pings among them, after which a server counts as dead. */
const QUIET_INTERVALS = 3;
/** The same without a whole packet: after a wrong length pongs may fill a packet that never ends. */
const INTERVALS_WITHOUT_PACKET = 12;

/** Connects to a server and says hello. */
function openLink(options: LinkOptions, events: LinkEvents): Link {
  const { host, port, server, connectTimeoutMs, pingIntervalMs, maxWaitingBytes } = options;
  const session = new ClientSession(server, { onReady, onAnswer: events.onAnswer });
  const socket = connect({ host, port, noDelay: true });
  const lateTimer = setTimeout(() => end('no connection in time'), connectTimeoutMs);
  let pingTimer: NodeJS.Timeout | undefined;
  let bytesCame = false;
  let packetsSeen = 0;
  let quietIntervals = 0;
  let barrenIntervals = 0;
  let flushPlanned = false;
  let ended = false;

  socket.on('connect', () => socket.write(session.handshake));
  socket.on('data', (chunk) => {
    bytesCame = true;
    if (ended) return;
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
    barrenIntervals = session.packetsHeard > packetsSeen ? 0 : barrenIntervals + 1;
    bytesCame = false;
    packetsSeen = session.packetsHeard;
    if (barrenIntervals === 0) events.onAlive();
    else if (quietIntervals === QUIET_INTERVALS) end('nothing heard, not even a pong');
    else if (barrenIntervals === INTERVALS_WITHOUT_PACKET) end('a packet that does not end');
    else {
      session.ping(randomBytes(8).readBigInt64LE());
      flush();
    }
  }

  function flush(): void {
    flushPlanned = false;
    if (ended) return;
    const bytes = session.take();
    if (bytes !== undefined) socket.write(bytes);
  }

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
    get ready() {
      return session.ready && !ended && socket.writableLength + session.waitingBytes < maxWaitingBytes;
    },
    query(id, query) {
      session.query(id, query);
      if (session.waitingBytes >= FLUSH_BYTES) flush();
      else if (!flushPlanned) {
        flushPlanned = true;
        // Runs when all is read that has come in, so that the queries of many callers go together: each write costs
        // about as much as all else that is done for a query.
        setImmediate(flush);
      }
    },
    close,
  };
}

interface Waiting {
  readonly resolve: (answer: Buffer) => void;
  readonly reject: (error: unknown) => void;
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
  readonly onAbort: (() => void) | undefined;
}

/** A query that has been given an id. */
interface Opened {
  /** Valid until the next query is opened. */
  readonly id: Buffer;
  readonly answer: Promise<Buffer>;
}

const ID_BYTES = 32;
/** The end of an id counts; what comes before is random, so that nobody can answer who has not heard the query. */
const COUNTER_BYTES = 6;
const COUNTER_AT = ID_BYTES - COUNTER_BYTES;
/** A deadline may be missed by that much; it bounds the work when very many queries end one after another. */
const SWEEP_MS = 10;
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The queries that wait for an answer. One timer watches all their deadlines. */
export class InFlightQueries {
  readonly #now: () => number;
  readonly #waiting = new Map<number, Waiting>();
  readonly #id = randomBytes(ID_BYTES);
  #lastNumber = 0;
  #timer: NodeJS.Timeout | undefined;
  #timerAtMs = Number.POSITIVE_INFINITY;

  /** `now` gives milliseconds that never go back. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Makes an id for a query and starts its time. */
  open(timeoutMs: number, signal: AbortSignal | undefined): Opened {
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    this.#id.writeUIntBE(number, COUNTER_AT, COUNTER_BYTES);
    const deadlineMs = this.#now() + timeoutMs;
    const onAbort = signal && (() => this.#take(number)?.reject(signal.reason));
    if (onAbort) signal.addEventListener('abort', onAbort);
    const answer = new Promise<Buffer>((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject, deadlineMs, signal, onAbort });
    });
    if (deadlineMs < this.#timerAtMs) this.#arm(deadlineMs);
    return { id: this.#id, answer };
  }

  /** Gives an answer to the query it is for; false when there is none, because it is late or was never asked for. */
  settle(id: Buffer, answer: Buffer): boolean {
    if (this.#id.compare(id, 0, COUNTER_AT, 0, COUNTER_AT) !== 0) return false;
    const waiting = this.#take(id.readUIntBE(COUNTER_AT, COUNTER_BYTES));
    if (waiting === undefined) return false;
    try {
      const error = decodeLiteError(answer);
      if (error === undefined) waiting.resolve(answer);
      else waiting.reject(new LiteServerError(error.code, error.message));
    } catch (fault) {
      waiting.reject(new LiteNetworkError(': the error that the server sent cannot be read', fault));
    }
    return true;
  }

  /** Ends all queries with one error: making one for each of thousands would block for long. */
  failAll(error: Error): void {
    for (const number of this.#waiting.keys()) this.#take(number)?.reject(error);
    this.#disarm();
  }

  #take(number: number): Waiting | undefined {
    const waiting = this.#waiting.get(number);
    if (waiting === undefined) return undefined;
    this.#waiting.delete(number);
    if (waiting.onAbort) waiting.signal?.removeEventListener('abort', waiting.onAbort);
    return waiting;
  }

  #arm(deadlineMs: number): void {
    this.#disarm();
    this.#timerAtMs = deadlineMs;
    const delayMs = Math.min(Math.max(deadlineMs - this.#now(), SWEEP_MS), MAX_TIMER_MS);
    // After a blocked event loop the timers come first; answers that have arrived meanwhile are to be read before.
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
    for (const [number, { deadlineMs }] of this.#waiting) {
      if (deadlineMs > nowMs) nextMs = Math.min(nextMs, deadlineMs);
      else {
        late ??= new LiteTimeout();
        this.#take(number)?.reject(late);
      }
    }
    if (nextMs < Number.POSITIVE_INFINITY) this.#arm(nextMs);
  }
}
