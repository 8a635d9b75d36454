import type { FastifyReply, FastifyRequest } from 'fastify';

const ALLOWED_HEADERS = [
  'Content-Type',
  'X-API-Key',
  'X-Ton-Client-Version',
  'X-Actions-Version',
  'X-Timeout',
  'X-No-Address-Book',
  'X-No-Metadata',
  'X-Request-Id',
  'If-None-Match',
].join(', ');

const EXPOSED_HEADERS = [
  'X-API-Version',
  'X-Request-Id',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Server-Timing',
  'ETag',
  'Link',
].join(', ');

const DAY_SECONDS = 86400;

const FOR_ALL = { 'access-control-allow-origin': '*' };
const FOR_BROWSERS = { ...FOR_ALL, 'access-control-expose-headers': EXPOSED_HEADERS };
const FOR_PREFLIGHT = {
  ...FOR_ALL,
  'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
  'access-control-allow-headers': ALLOWED_HEADERS,
  'access-control-max-age': DAY_SECONDS,
};

/**
 * The headers that let any web page call both interfaces. The rule is the same for everybody, so constants replace
 * @fastify/cors, which decides anew on every request. Which headers a page may read matters to browsers only, and a
 * browser that asks across origins says from where.
 */
export function crossOriginHeaders(request: FastifyRequest): Readonly<Record<string, string>> {
  return request.headers.origin === undefined ? FOR_ALL : FOR_BROWSERS;
}

/** Answers a preflight, which costs no request. */
export function answerPreflight(reply: FastifyReply): void {
  reply.code(204).headers(FOR_PREFLIGHT).send();
}
