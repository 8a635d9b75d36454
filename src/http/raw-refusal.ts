import type { Socket } from 'node:net';

/** How long a client may go on sending after it was refused. */
const LINGER_MS = 1000;

interface ParserError extends Error {
  readonly code?: string;
}

function refusalOf(error: ParserError): { status: number; reason: string; text: string } {
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    return { status: 431, reason: 'Request Header Fields Too Large', text: 'Request head is too large' };
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { status: 408, reason: 'Request Timeout', text: 'Request was not received in time' };
  }
  return { status: 400, reason: 'Bad Request', text: 'Malformed HTTP request' };
}

/**
 * Answers what Node's parser refuses before there is a request object. Which interface was meant is unknown
 * then, so the body carries the keys of both envelopes.
 */
export function refuseRaw(error: ParserError, socket: Socket): void {
  // Answered already: what still arrives is dropped. To close at once would reset the connection, and with it the answer.
  if (socket.writableEnded && error.code !== 'ECONNRESET') return;
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, reason, text } = refusalOf(error);
  const body = JSON.stringify({ ok: false, error: text, code: status, '@extra': '_' });
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
      `Access-Control-Allow-Origin: *\r\nConnection: close\r\n\r\n${body}`,
  );
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
