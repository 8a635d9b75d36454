import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { Failure, type FailureKind } from '../lib/errors.ts';
import { CLIENT_GONE, MALFORMED_URL, MAX_HEAD_BYTES } from './request.ts';

/** The only place where a kind of failure becomes an HTTP status. */
const STATUS_OF_KIND: Readonly<Record<FailureKind, number>> = {
  bad_request: 400,
  unknown_key: 401,
  network_not_allowed: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  body_too_large: 413,
  url_too_long: 414,
  invalid: 422,
  rate_limited: 429,
  headers_too_large: 431,
  client_gone: CLIENT_GONE,
  internal: 500,
  lite_server: 500,
  undecodable: 501,
  overloaded: 503,
  unavailable: 503,
  timeout: 504,
  result_too_deep: 533,
  no_lite_server: 542,
  unsupported: 542,
};

/** An error in a response. */
export interface PublicError {
  readonly status: number;
  /** The text that the caller may see. */
  readonly text: string;
  readonly retryAfterSeconds: number | undefined;
  /** True for an unexpected error: its internals go to the log only. */
  readonly unexpected: boolean;
}

/** Maps anything thrown to what the caller may see of it. */
export function publicErrorOf(error: unknown): PublicError {
  if (error instanceof Failure) {
    return {
      status: STATUS_OF_KIND[error.kind],
      text: error.message,
      retryAfterSeconds: error.retryAfterSeconds,
      unexpected: error.kind === 'internal',
    };
  }
  const { statusCode, message } = error as { statusCode?: unknown; message?: string };
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return {
      status: statusCode,
      text: message ?? 'Bad Request',
      retryAfterSeconds: undefined,
      unexpected: false,
    };
  }
  return { status: 500, text: 'internal server error', retryAfterSeconds: undefined, unexpected: true };
}

/** The error itself, or for a body above the limit of its route one that says the limit; that of Fastify does not. */
export function withBodyLimit(error: unknown, { routeOptions }: FastifyRequest): unknown {
  if ((error as { code?: unknown }).code !== 'FST_ERR_CTP_BODY_TOO_LARGE') return error;
  return new Failure('body_too_large', `Request body is larger than ${routeOptions.bodyLimit} bytes`);
}

/** Sets the status and `Retry-After` of an error response, and logs an unexpected error. */
export function startErrorReply(error: unknown, request: FastifyRequest, reply: FastifyReply): PublicError {
  const edge = publicErrorOf(withBodyLimit(error, request));
  if (edge.unexpected) request.log.error({ err: error }, 'Unexpected error');
  if (edge.retryAfterSeconds !== undefined) reply.header('retry-after', edge.retryAfterSeconds);
  reply.code(edge.status);
  request.failureText = edge.text;
  return edge;
}

const fallbackSchema = Type.Object({ ok: Type.Literal(false), error: Type.String(), code: Type.Integer() });

/** Errors outside the interfaces and of URLs that cannot be decoded: the body has the keys of both envelopes. */
export function addFallbackErrors(app: FastifyInstance): void {
  app.all(MALFORMED_URL, { schema: { response: { '4xx': fallbackSchema } } }, () => {
    throw new Failure('bad_request', 'Bad request URL');
  });
  app.setErrorHandler((error, request, reply) => {
    const { text, status } = startErrorReply(error, request, reply);
    return { ok: false, error: text, code: status };
  });
  const unknownPaths: FastifyInstance['unknownPaths'] = { show: undefined };
  app.decorate('unknownPaths', unknownPaths);
  app.setNotFoundHandler((request, reply) => {
    const shown = unknownPaths.show?.(request, reply);
    if (shown === undefined) throw new Failure('not_found', 'Not Found');
    return shown;
  });
}

declare module 'fastify' {
  interface FastifyInstance {
    /** What a browser is shown at a path outside the interfaces that does not exist; undefined for the error in JSON. */
    readonly unknownPaths: {
      show: ((request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined) | undefined;
    };
  }
}

/**
 * Errors of an interface for requests without a route: 405 with `Allow` if the path exists, else 404. It sees the
 * routes that are added after it; `wrongMethodText` is the wording of the 405.
 */
export function addRouteErrors(
  app: FastifyInstance,
  wrongMethodText: (request: FastifyRequest) => string,
): void {
  const methodsByPath = new Map<string, Set<string>>();
  /** Of paths with parts that begin with a colon. */
  const patterns = new Map<string, RegExp>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = methodsByPath.get(url) ?? new Set();
    for (const name of Array.isArray(method) ? method : [method]) known.add(name);
    methodsByPath.set(url, known);
    if (url.includes(':')) patterns.set(url, new RegExp(`^${url.replace(/:[^/]+/g, '[^/]+')}$`));
  });
  app.setNotFoundHandler((request, reply) => {
    const whole = request.url.split('?', 1)[0]!;
    const path = whole.endsWith('/') ? whole.slice(0, -1) : whole;
    const allowed =
      methodsByPath.get(path) ??
      methodsByPath.get([...patterns].find(([, pattern]) => pattern.test(path))?.[0] ?? '');
    if (allowed === undefined) throw new Failure('not_found', 'Not Found');
    reply.header('allow', [...allowed].sort().join(', '));
    throw new Failure('method_not_allowed', wrongMethodText(request));
  });
}

/** How long a client may go on sending after it was refused. */
const LINGER_MS = 1000;
/** What is read meanwhile of a client that does not stop sending. */
const MAX_DROPPED_BYTES = 1024 * 1024;

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
  if (socket.writableEnded && error.code !== 'ECONNRESET') {
    if (socket.bytesRead > MAX_DROPPED_BYTES) socket.pause();
    return;
  }
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
