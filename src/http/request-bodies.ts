import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import fp from 'fastify-plugin';
import { Failure } from '../lib/errors.ts';
import { RateGate } from '../lib/rate-gate.ts';
import type { Floods } from './floods.ts';

/** A piece of this size is worth the 2 µs that it takes, or 1.5 µs if nobody reads it. */
const SMALL_BYTES = 256;
/** Small pieces of a request that do not count: others have the whole body in one. */
const FREE_PIECES = 16;
/** Further ones that a connection may send per second, and at once. A slow client sends a few hundred. */
const PIECES_PER_SECOND = 1000;
/** What is read of a body after the response, so that the connection can be used again. */
const MAX_UNWANTED_BYTES = 1024 * 1024;
/** How Node drops bodies that nobody read, when their response is finished. */
type Dumped = IncomingMessage & { _dump?: () => void; _dumped?: boolean };

const FLOOD_TEXT = 'Request body comes in too many small pieces';

/**
 * Bounds what bodies cost beside their size. Node calls for every chunk of a body, ten thousand times for one read of
 * chunks of one byte, also when the request was refused and nobody wants its body; and it reads what nobody wants to
 * the end.
 */
export const requestBodies = fp(async (app, { floods }: { readonly floods: Floods }) => {
  const gates = new WeakMap<Socket, RateGate>();

  function mayGoOn(socket: Socket): boolean {
    let gate = gates.get(socket);
    if (gate === undefined) {
      gate = new RateGate(PIECES_PER_SECOND, 1);
      gates.set(socket, gate);
    }
    return gate.pass();
  }

  app.server.on('request', (request) => {
    if (hasBody(request)) watch(request);
  });

  function watch(request: Dumped): void {
    const { socket } = request;
    const push = request.push.bind(request);
    let smallPieces = 0;
    let isUnwanted = false;
    let unwantedBytes = 0;

    request.push = (chunk: Buffer | null) => {
      if (chunk === null) return push(null);
      if (chunk.length < SMALL_BYTES) {
        smallPieces += 1;
        if (smallPieces > FREE_PIECES && !mayGoOn(socket)) {
          refuse(request);
          return false;
        }
      }
      if (!isUnwanted) return push(chunk);
      unwantedBytes += chunk.length;
      if (unwantedBytes > MAX_UNWANTED_BYTES) socket.destroy();
      return true;
    };
    // Node's own drops further pieces before they are counted.
    request._dump = () => {
      isUnwanted = true;
      request.removeAllListeners('data');
      request.resume();
    };
  }

  function refuse(request: Dumped): void {
    floods.add(request.socket);
    // The rest of what was read is parsed, but dropped before it gets here.
    request._dumped = true;
    setImmediate(() => {
      // Whoever reads the body responds in the envelope of the interface.
      if (request.listenerCount('error') > 0) request.emit('error', new Failure('bad_request', FLOOD_TEXT));
    });
  }
});

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
