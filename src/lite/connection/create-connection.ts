import { readPublicKey } from '../../chain/adnl/keys.ts';
import { wrapLiteQuery } from '../../chain/adnl/lite-query.ts';
import type { Log } from '../../lib/log.ts';
import { LiteNetworkError } from '../errors.ts';
import { createBackOff } from './back-off.ts';
import { InFlight } from './in-flight.ts';
import { type Link, openLink } from './link.ts';
import type { LiteConnection } from './lite-connection.ts';

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
  const inFlight = new InFlight(now);
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
