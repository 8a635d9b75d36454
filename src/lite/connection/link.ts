import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { ClientSession } from '../../chain/adnl/client-session.ts';
import type { AdnlPublicKey } from '../../chain/adnl/keys.ts';

/** One socket from its opening to its end; what comes after the end is up to the owner. */
export interface Link {
  /** Whether a query may be sent now: the server has taken the handshake and the socket is not choked. */
  readonly ready: boolean;
  query(id: Uint8Array, query: Uint8Array): void;
  /** Ends the socket; no event comes after it. */
  close(): void;
}

export interface LinkOptions {
  readonly host: string;
  readonly port: number;
  readonly server: AdnlPublicKey;
  readonly connectTimeoutMs: number;
  readonly pingIntervalMs: number;
  /** Bytes that may wait for a server that does not read. */
  readonly maxWaitingBytes: number;
}

export interface LinkEvents {
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
const BARREN_INTERVALS = 12;

/** Connects to a server and says hello. */
export function openLink(options: LinkOptions, events: LinkEvents): Link {
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
    else if (barrenIntervals === BARREN_INTERVALS) end('a packet that does not end');
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
