import { once, setMaxListeners } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { AdnlPrivateKey } from '../../chain/adnl/keys.ts';
import { MAX_PACKET_BYTES } from '../../chain/adnl/packets.ts';
import { ServerSession, unwrapLiteQuery } from '../../chain/adnl/sessions.ts';
import { encodeLiteError, LITE_ERROR_CODES } from '../../chain/tl/lite-envelope.ts';
import type { Log } from '../../lib/log.ts';
import { type MethodContext, RecentMessages } from './methods/method-context.ts';
import { createRequestHandler, type HandleRequest } from './request-handler.ts';

export interface LiteServerOptions
  extends Pick<MethodContext, 'store' | 'sendMessage' | 'runGetMethod' | 'showsSigned'>,
    Partial<Pick<MethodContext, 'now' | 'version'>> {
  readonly key: AdnlPrivateKey;
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly log: Log;
  readonly maxClients?: number;
}

export type LiteServer = Readonly<Awaited<ReturnType<typeof createLiteServer>>>;

const MAX_CLIENTS = 1000;
/** As nodes report: version 1.1 with all its capabilities. */
const VERSION: MethodContext['version'] = { version: 0x101, capabilities: 15n };

/** Serves a chain to lite clients: ADNL over TCP. */
export async function createLiteServer(options: LiteServerOptions) {
  const {
    store,
    key,
    log,
    now = systemNow,
    version = VERSION,
    sendMessage,
    runGetMethod,
    showsSigned,
  } = options;
  const recentMessages = new RecentMessages(now);
  const ports = { store, now, version, recentMessages, sendMessage, runGetMethod, showsSigned };
  const response = createRequestHandler(ports, log);
  let headSeqno = store.head.seqno;
  const unfollow = store.onHead(({ seqno }) => {
    // A chain that went back to a snapshot has not seen what came after it.
    if (seqno <= headSeqno) recentMessages.clear();
    headSeqno = seqno;
  });
  const sockets = new Set<Socket>();

  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serveClient(socket, key, response);
  });
  listener.maxConnections = options.maxClients ?? MAX_CLIENTS;
  listener.listen(options.port, options.host);
  await once(listener, 'listening');
  listener.on('error', (error) => log.warn({ err: error }, 'Lite server failed to accept a client'));
  const { address, port } = listener.address() as AddressInfo;

  return {
    host: address,
    port,
    /** The ed25519 key for the config of clients. */
    publicKey: key.publicBytes,
    /** Connected clients. */
    get clients() {
      return sockets.size;
    },
    async close() {
      unfollow();
      const closed = once(listener, 'close');
      listener.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function systemNow(): number {
  return Math.floor(Date.now() / 1000);
}

const HANDSHAKE_TIMEOUT_MS = 10_000;
/** With more unsent bytes, nothing is read from the client. */
const MAX_UNSENT_BYTES = 2 ** 24;
/** Pending queries of one client. */
const MAX_WAITING = 1024;
const TOO_MANY = encodeLiteError({
  code: LITE_ERROR_CODES.notReady,
  message: 'too many queries of one client are waiting',
});
/** Room for the rest of a packet beside a response. */
const ENVELOPE_BYTES = 256;
const TOO_LARGE = encodeLiteError({
  code: LITE_ERROR_CODES.failure,
  message: 'the response is too large for a packet',
});

/** Serves one client until its socket ends. A client that breaks the protocol is disconnected. */
function serveClient(socket: Socket, key: AdnlPrivateKey, response: HandleRequest): void {
  const closed = new AbortController();
  // Each pending query listens to it.
  setMaxListeners(MAX_WAITING, closed.signal);
  const session = new ServerSession(key, onQuery);
  let waiting = 0;
  let isFlushScheduled = false;

  // Before the handshake there is nothing to send; without one the socket is closed.
  const handshakeTimer = setTimeout(() => socket.destroy(), HANDSHAKE_TIMEOUT_MS);
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    clearTimeout(handshakeTimer);
    closed.abort();
  });
  socket.on('drain', () => socket.resume());
  socket.on('data', (chunk) => {
    try {
      session.receive(chunk);
      scheduleFlush();
    } catch {
      socket.destroy();
    }
  });

  function onQuery(id: Buffer, query: Buffer): void {
    const request = unwrapLiteQuery(query);
    if (request === undefined) return;
    const bytes = waiting < MAX_WAITING ? response(request, closed.signal) : TOO_MANY;
    if (Buffer.isBuffer(bytes)) send(id, bytes);
    else void sendLater(Buffer.from(id), bytes);
  }

  async function sendLater(id: Buffer, pending: Promise<Buffer>): Promise<void> {
    waiting++;
    send(id, await pending);
    waiting--;
    scheduleFlush();
  }

  function send(id: Buffer, bytes: Buffer): void {
    session.answer(id, bytes.length > MAX_PACKET_BYTES - ENVELOPE_BYTES ? TOO_LARGE : bytes);
  }

  /** Responses to queries that came together are sent together. */
  function scheduleFlush(): void {
    if (isFlushScheduled) return;
    isFlushScheduled = true;
    setImmediate(flush);
  }

  function flush(): void {
    isFlushScheduled = false;
    const bytes = session.take();
    if (bytes === undefined || !socket.writable) return;
    clearTimeout(handshakeTimer);
    socket.write(bytes);
    if (socket.writableLength > MAX_UNSENT_BYTES) socket.pause();
  }
}
