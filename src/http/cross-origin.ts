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

/**
 * Lets any web page call both interfaces; a keyless GET needs no preflight, a preflight costs no request. Returns true
 * when the request was a preflight and is answered. The rule is the same for everybody, so constant headers
 * replace @fastify/cors, which decides anew on every request.
 */
export function answerCrossOrigin(request: FastifyRequest, reply: FastifyReply): boolean {
  reply.header('access-control-allow-origin', '*');
  if (request.method !== 'OPTIONS') {
    // Only browsers read it, and a browser that asks across origins says from where.
    if (request.headers.origin !== undefined) {
      reply.header('access-control-expose-headers', EXPOSED_HEADERS);
    }
    return false;
  }
  reply
    .code(204)
    .header('access-control-allow-methods', 'GET, HEAD, POST, OPTIONS')
    .header('access-control-allow-headers', ALLOWED_HEADERS)
    .header('access-control-max-age', DAY_SECONDS)
    .send();
  return true;
}
