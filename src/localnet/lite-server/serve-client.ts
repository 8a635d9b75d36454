import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import type { AdnlPrivateKey } from '../../chain/adnl/keys.ts';
import { unwrapLiteQuery } from '../../chain/adnl/lite-query.ts';
import { MAX_PACKET_BYTES } from '../../chain/adnl/packet-size.ts';
import { ServerSession } from '../../chain/adnl/server-session.ts';
import { encodeLiteError } from '../../chain/tl/lite-error.ts';
import type { AnswerRequest } from './answer-request.ts';
import { FAILURE, NOT_READY } from './lite-refusal.ts';

const HANDSHAKE_TIMEOUT_MS = 10_000;
/** A client that does not read its answers is not heard until it does. */
const MAX_UNSENT_BYTES = 2 ** 24;
/** Queries of one client that may wait for something. */
const MAX_WAITING = 1024;
const TOO_MANY = encodeLiteError({ code: NOT_READY, message: 'too many queries of one client are waiting' });
/** Room for what a packet holds beside an answer. */
const ENVELOPE_BYTES = 256;
const TOO_LARGE = encodeLiteError({ code: FAILURE, message: 'the answer is too large for a packet' });

/** Talks to one client until its socket ends. Whoever breaks the protocol is cut off. */
export function serveClient(socket: Socket, key: AdnlPrivateKey, answer: AnswerRequest): void {
  const closed = new AbortController();
  // Each query that waits listens to it.
  setMaxListeners(MAX_WAITING, closed.signal);
  const session = new ServerSession(key, onQuery);
  let waiting = 0;
  let flushPlanned = false;

  // Before the handshake there is nothing to send; whoever does not make it is not a client.
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
      planFlush();
    } catch {
      socket.destroy();
    }
  });

  function onQuery(id: Buffer, query: Buffer): void {
    const request = unwrapLiteQuery(query);
    if (request === undefined) return;
    const bytes = waiting < MAX_WAITING ? answer(request, closed.signal) : TOO_MANY;
    if (Buffer.isBuffer(bytes)) send(id, bytes);
    else void sendLater(Buffer.from(id), bytes);
  }

  async function sendLater(id: Buffer, answering: Promise<Buffer>): Promise<void> {
    waiting++;
    send(id, await answering);
    waiting--;
    planFlush();
  }

  function send(id: Buffer, bytes: Buffer): void {
    session.answer(id, bytes.length > MAX_PACKET_BYTES - ENVELOPE_BYTES ? TOO_LARGE : bytes);
  }

  /** Answers to queries that came together leave together. */
  function planFlush(): void {
    if (flushPlanned) return;
    flushPlanned = true;
    setImmediate(flush);
  }

  function flush(): void {
    flushPlanned = false;
    const bytes = session.take();
    if (bytes === undefined || !socket.writable) return;
    clearTimeout(handshakeTimer);
    socket.write(bytes);
    if (socket.writableLength > MAX_UNSENT_BYTES) socket.pause();
  }
}
