import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { Failure } from '../lib/errors.ts';
import { CALLER_LIMITS, parseJson } from '../lib/parse-json.ts';
import { noteOtherWork } from '../lib/slices.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** When the request arrived, on the clock of `performance.now`. */
    startedAtMs: number;
    /** The operation of a single JSON-RPC call; null where the route itself is the operation. */
    calledOperation: string | null;
    /** The public text of a failure; null for a success. */
    failureText: string | null;
  }
  interface FastifyContextConfig {
    /** Interface of the route, as a label of metrics and logs. */
    interface?: string;
    /** Operation of the route, as a label of metrics and logs. */
    operation?: string;
    limits?: SizeLimits;
  }
}

/** The largest request that a route accepts, beside its `bodyLimit`. */
export interface SizeLimits {
  readonly urlBytes: number;
  readonly headerBytes: number;
  /** Values in a JSON body, of every depth; `CALLER_LIMITS` if absent. */
  readonly bodyValues?: number;
}

/** Bodies of most operations have an address, a hash and some numbers. */
export const USUAL_BODY_BYTES = 16 * 1024;

/** Node's parser rejects a larger request head before any route is known; v3 has a thousand addresses in URLs. */
export const MAX_HEAD_BYTES = 128 * 1024;

/**
 * The start of every request: its id in the response, its arrival time, the size limits of its route, and the content
 * type of its body. One hook, because each costs.
 */
export const requestBasics = fp(async (app) => {
  app.decorateRequest('startedAtMs', 0);
  app.decorateRequest('calledOperation', null);
  app.decorateRequest('failureText', null);
  app.decorateRequest('keyId', null);
  app.decorateRequest('keyPlan', null);
  app.decorateRequest('isKeyValid', async () => true);
  app.decorateRequest('liteGroup');
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAtMs = performance.now();
    noteOtherWork(request.startedAtMs);
    reply.header('x-request-id', request.id);
    labelBody(request);
    const { limits } = request.routeOptions.config;
    done(limits && sizeFailure(request, limits));
  });
});

/** Every body is JSON whatever its label; Fastify answers 415 to labels that are not even media types. */
function labelBody({ method, raw: { headers } }: FastifyRequest): void {
  if (method !== 'GET' && headers['content-type'] !== undefined) headers['content-type'] = 'application/json';
}

/** 414 or 431, so that the envelope of the interface is used. */
function sizeFailure(
  { originalUrl, raw: { rawHeaders } }: FastifyRequest,
  { urlBytes, headerBytes }: SizeLimits,
): Failure | undefined {
  if (originalUrl.length > urlBytes) {
    return new Failure('url_too_long', `URL is longer than ${urlBytes} bytes`);
  }
  let bytes = 0;
  for (let i = 0; i < rawHeaders.length; i++) bytes += rawHeaders[i]!.length + 2;
  if (bytes <= headerBytes) return undefined;
  return new Failure('headers_too_large', `Headers are larger than ${headerBytes} bytes`);
}

const SANE_ID = /^[A-Za-z0-9._:-]{1,64}$/;

/**
 * Makes request ids: the caller's `X-Request-Id` if it is sane, else a counter behind a random prefix, which is unique
 * across processes and costs no randomness per request.
 */
export function createRequestIds(): (request: { headers: IncomingHttpHeaders }) => string {
  const prefix = randomBytes(5).toString('hex');
  let count = 0;
  return (request) => {
    const given = request.headers['x-request-id'];
    if (typeof given === 'string' && SANE_ID.test(given)) return given;
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}

const CASELESS_PATH = /^\/api\/(?:v3|emulate)(?=[/?]|$)/i;

/** The route of URLs that the router cannot decode: it would refuse them before keys, limits and the log. */
export const MALFORMED_URL = '/.malformed-url';

function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true;
  try {
    decodeURIComponent(url.split('?', 1)[0]!);
    return true;
  } catch {
    return false;
  }
}

/**
 * Maps the URL of a request to the one that the router knows: the prefix under which a proxy forwards is removed, and
 * paths of v3 and emulate are lower-cased, because these ignore letter case while v2 does not. Queries stay untouched.
 */
export function createUrlRewriter(pathPrefix: string): (url: string) => string {
  return (url) => {
    let routed = url;
    if (pathPrefix !== '' && url.startsWith(pathPrefix)) {
      const rest = url.slice(pathPrefix.length);
      if (rest === '' || rest[0] === '?') routed = `/${rest}`;
      else if (rest[0] === '/') routed = rest;
    }
    if (!isDecodable(routed)) return MALFORMED_URL;
    if (routed.startsWith('/api/v2/') || !CASELESS_PATH.test(routed)) return routed;
    const queryAt = routed.indexOf('?');
    if (queryAt === -1) return routed.toLowerCase();
    return routed.slice(0, queryAt).toLowerCase() + routed.slice(queryAt);
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Size of the JSON body in characters; 0 without one. */
    bodyChars: number;
  }
}

const LIMITS = { ...CALLER_LIMITS, depth: 2048 };
const JSON_TYPE = 'application/json';
const FASTIFY_JSON_TYPE = 'application/json; charset=utf-8';

/**
 * JSON as the contracts of both interfaces require it. Request bodies are JSON whatever their content type, because
 * clients send JSON labelled as a form or not labelled at all; an empty body arrives as undefined. Responses are
 * `application/json` without a charset.
 */
export const jsonBodies = fp(async (app) => {
  app.decorateRequest('bodyChars', 0);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, text: string, done) => {
    // An unknown path is 404 whatever its body is.
    if (request.is404 || text.length === 0) return done(null, undefined);
    request.bodyChars = text.length;
    const { bodyValues = LIMITS.values } = request.routeOptions.config.limits ?? {};
    try {
      done(null, parseJson(text, { ...LIMITS, values: bodyValues }));
    } catch (error) {
      const detail = error instanceof RangeError ? error.message : 'invalid JSON';
      done(new Failure('invalid', `failed to parse post request: ${detail}`, { cause: error }));
    }
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (reply.getHeader('content-type') === FASTIFY_JSON_TYPE) reply.header('content-type', JSON_TYPE);
    done();
  });
});

const ALLOWED_HEADERS = [
  'Content-Type',
  'X-API-Key',
  'X-Ton-Client-Version',
  'X-Actions-Version',
  'X-Timeout',
  'X-No-Address-Book',
  'X-No-Metadata',
  'X-Request-Id',
  'X-Strict-Params',
  'X-Debug-Request',
  'If-None-Match',
  'Authorization',
  'Last-Event-ID',
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
  'X-Tongate-Next-Cursor',
  'X-Tongate-Seqno',
  'X-Tongate-Missing-Seqnos',
  'X-Tongate-Source',
  'X-Tongate-Unknown-Params',
].join(', ');

const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
  'access-control-allow-headers': ALLOWED_HEADERS,
  'access-control-max-age': '86400',
  // Safari waits for a body otherwise.
  'content-length': '0',
};

/**
 * Lets any web page call both interfaces. Every header is a constant; @fastify/cors, which merges its options with those
 * of the route for every request, took a twelfth of the time of a short one.
 */
export const openCors = fp(async (app) => {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('access-control-allow-origin', '*');
    // Long, so only for browsers.
    if (request.headers.origin !== undefined) reply.header('access-control-expose-headers', EXPOSED_HEADERS);
    // Answered before the API key is checked, which a preflight does not carry.
    if (request.method === 'OPTIONS') reply.code(204).headers(PREFLIGHT).send();
    else done();
  });
  // The hook answers; the route makes the router accept the method on every path.
  app.options('*', { schema: { hide: true } }, (_request, reply) => reply.send());
});
