import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { publicErrorOf } from './errors.ts';
import { MAX_HEAD_BYTES } from './request.ts';

/** How long a client may go on sending after it was refused. */
const LINGER_MS = 1000;

interface ParserError extends Error {
  readonly code?: string;
}

function refusalOf(error: ParserError): { status: number; reason: string; text: string } {
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    return {
      status: 431,
      reason: 'Request Header Fields Too Large',
      text: `Request head is larger than ${MAX_HEAD_BYTES} bytes`,
    };
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { status: 408, reason: 'Request Timeout', text: 'Request was not received in time' };
  }
  return { status: 400, reason: 'Bad Request', text: 'Malformed HTTP request' };
}

/**
 * Responds to what Node's parser rejects before there is a request object. The interface is unknown then, so the body
 * has the keys of both envelopes.
 */
export function handleClientError(error: ParserError, socket: Socket): void {
  // Already answered: what still arrives is dropped. Closing now would reset the connection and lose the response.
  if (socket.writableEnded && error.code !== 'ECONNRESET') return;
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, reason, text } = refusalOf(error);
  socket.end(rawResponse(status, reason, text));
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Responds to what Fastify rejects before any hook runs, such as a URL that cannot be decoded. */
export function handleFrameworkError(error: Error, _request: FastifyRequest, reply: FastifyReply): void {
  const { status, text } = publicErrorOf(error);
  reply.code(status).type('application/json').serializer(JSON.stringify).send(envelope(status, text));
}

/** A whole response, for a connection that has no request object. */
export function rawResponse(status: number, reason: string, text: string, headers = ''): string {
  const body = JSON.stringify(envelope(status, text));
  return (
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${headers}` +
    `Access-Control-Allow-Origin: *\r\nConnection: close\r\n\r\n${body}`
  );
}

function envelope(status: number, text: string): object {
  return { ok: false, error: text, code: status, '@extra': '_' };
}
