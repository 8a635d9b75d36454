import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import fp from 'fastify-plugin';
import { Failure } from '../lib/errors.ts';
import { rawResponse } from './client-errors.ts';

interface UnfinishedOptions {
  /** Bytes that all requests may hold together before they are complete. */
  readonly maxBytes: number;
  readonly onRefused: () => void;
}

/** What is known of a connection. */
interface Connection {
  /** Its newest request whose head is complete. */
  request: IncomingMessage | undefined;
  response: ServerResponse | undefined;
  /** Bytes read when that head was complete. */
  readBytes: number;
  /** Bytes from here on may be held. */
  heldFrom: number;
}

const SWEEP_MS = 200;
/** A request of this size is none that is worth cutting. */
const SMALL_BYTES = 16 * 1024;
/** Node reads so much at a time: a head ends in such a piece, and the next one may begin in it. */
const READ_BYTES = 64 * 1024;
/** A head and the largest body, the addresses of a webhook; fewer connections than this many of them fit cannot hold too much. */
const MAX_REQUEST_BYTES = (16 * 1024 + 128) * 1024;
const TEXT = 'Too many unfinished requests';
const REFUSAL = rawResponse(503, 'Service Unavailable', TEXT, 'Retry-After: 1\r\n');

/**
 * Bounds what heads and bodies that are not complete hold together. Node keeps heads without telling anybody, so
 * connections are looked at several times per second; while there is too much, the largest unfinished requests get 503.
 */
export const unfinishedRequests = fp(async (app, { maxBytes, onRefused }: UnfinishedOptions) => {
  const connections = new Map<Socket, Connection>();

  app.server.on('connection', (socket: Socket) => {
    connections.set(socket, { request: undefined, response: undefined, readBytes: 0, heldFrom: 0 });
    socket.once('close', () => connections.delete(socket));
  });
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (connection === undefined) return;
    const { bytesRead } = request.socket;
    const isSmall = bytesRead - connection.readBytes < SMALL_BYTES;
    connection.heldFrom = isSmall ? bytesRead : Math.max(connection.readBytes, bytesRead - READ_BYTES);
    connection.readBytes = bytesRead;
    connection.request = request;
    connection.response = response;
  });

  function sweep(): void {
    if (connections.size * MAX_REQUEST_BYTES <= maxBytes) return;
    let total = 0;
    const large: { socket: Socket; connection: Connection; bytes: number }[] = [];
    for (const [socket, connection] of connections) {
      const bytes = heldBytes(socket, connection);
      total += bytes;
      if (bytes >= SMALL_BYTES) large.push({ socket, connection, bytes });
    }
    if (total <= maxBytes) return;
    large.sort((a, b) => b.bytes - a.bytes);
    for (const { socket, connection, bytes } of large) {
      if (total <= maxBytes) break;
      total -= bytes;
      onRefused();
      refuse(socket, connection);
    }
  }

  const timer = setInterval(sweep, SWEEP_MS).unref();
  app.addHook('onClose', async () => clearInterval(timer));
});

/** Bytes of the request that a connection is receiving; a complete one is at work and does not count. */
function heldBytes(socket: Socket, connection: Connection): number {
  const { request, response } = connection;
  if (request?.complete === true) {
    if (response!.writableFinished === false && !response!.destroyed) return 0;
    // What came with its end may be the start of the next request.
    connection.heldFrom = Math.max(connection.heldFrom, socket.bytesRead - READ_BYTES);
    connection.request = undefined;
    connection.response = undefined;
  }
  return socket.bytesRead - connection.heldFrom;
}

function refuse(socket: Socket, { request }: Connection): void {
  if (request === undefined) {
    socket.end(REFUSAL);
    socket.destroySoon();
    // Whoever reads the body responds in the envelope of the interface.
  } else if (request.listenerCount('error') > 0) {
    request.emit('error', new Failure('overloaded', TEXT, { retryAfterSeconds: 1 }));
  } else {
    socket.destroy();
  }
}
