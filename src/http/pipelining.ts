import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import fp from 'fastify-plugin';

interface PipeliningOptions {
  /** Called for a connection with far too many requests. Its whole piece was parsed, which takes 20 ms. */
  readonly onFlood: (socket: Socket) => void;
}

/** The requests of one connection. */
interface Line {
  /** The response that is being made. */
  active: ServerResponse;
  readonly waiting: [request: IncomingMessage, response: ServerResponse][];
  /** There were too many, or one was over the rate limit: the connection is about to be closed. */
  isOver: boolean;
}

/** Nobody sends more requests without waiting for a response, except to keep the server busy. */
const MAX_WAITING = 256;
const RATE_LIMITED = 429;
/** Such a connection is closed after this time: whoever is closed at once comes back at once. */
const CLOSE_AFTER_MS = 1000;

/**
 * The requests of a connection are handled one after the other, and other connections have their turn in between. Node
 * itself calls the handler at once for all requests that came in one piece, which may be thousands.
 */
export const pipelining = fp(async ({ server }, { onFlood }: PipeliningOptions) => {
  const handle = server.listeners('request')[0] as RequestListener;
  const lines = new WeakMap<Socket, Line>();

  function next(line: Line): void {
    const first = line.waiting.shift();
    if (first === undefined) return;
    const [request, response] = first;
    // The others would be refused too.
    if (line.active.statusCode === RATE_LIMITED) {
      giveUp(line, request.socket);
      return;
    }
    line.active = response;
    if (line.waiting.length > 0) continueAfter(line);
    if (!request.socket.destroyed) handle(request, response);
  }

  function continueAfter(line: Line): void {
    line.active.once('close', () => setImmediate(next, line));
  }

  function giveUp(line: Line, socket: Socket): void {
    line.waiting.length = 0;
    if (!line.isOver) setTimeout(() => socket.destroy(), CLOSE_AFTER_MS).unref();
    line.isOver = true;
    // Again for every request: Node goes on reading whenever a response is finished.
    socket.pause();
  }

  server.off('request', handle);
  server.on('request', (request, response) => {
    const line = lines.get(request.socket);
    if (line === undefined) lines.set(request.socket, { active: response, waiting: [], isOver: false });
    else if (line.isOver) return giveUp(line, request.socket);
    else if (line.waiting.length === MAX_WAITING) {
      onFlood(request.socket);
      return giveUp(line, request.socket);
    } else if (line.waiting.length > 0 || !line.active.closed) {
      line.waiting.push([request, response]);
      if (line.waiting.length === 1) continueAfter(line);
      return;
    } else line.active = response;
    handle(request, response);
  });
});
