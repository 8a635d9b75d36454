import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { Failure } from '../lib/errors.ts';
import { hostNameOf } from '../lib/host-name.ts';
import { startWork } from '../lib/loop-work.ts';
import { CALLER_LIMITS, parseJson } from '../lib/parse-json.ts';
import { beginOtherWork, endOtherWork } from '../lib/slices.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** `routeOptions.config`: Fastify makes all options of the route anew at every access, and a request has ten. */
    routeConfig: FastifyContextConfig;
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
    /** True for routes that pages of other origins must not call: no CORS headers. */
    ownOrigin?: boolean;
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

const NO_CONFIG: FastifyContextConfig = {};

/**
 * The start of every request: its id in the response, its arrival time, the form of its `Host`, the size limits of its
 * route, and the content type of its body. One hook, because each costs.
 */
export const requestBasics = fp(async (app) => {
  app.decorateRequest('routeConfig');
  app.decorateRequest('startedAtMs', 0);
  app.decorateRequest('calledOperation', null);
  app.decorateRequest('failureText', null);
  app.decorateRequest('keyId', null);
  app.decorateRequest('keyPlan', null);
  app.decorateRequest('isKeyValid', async () => true);
  app.decorateRequest('liteGroup');
  const isHostSound = createHostCheck();
  app.addHook('onRequest', (request, reply, done) => {
    request.routeConfig = request.routeOptions.config ?? NO_CONFIG;
    request.startedAtMs = performance.now();
    beginOtherWork(request, request.startedAtMs);
    startWork('request', request.startedAtMs);
    reply.header('x-request-id', request.id);
    labelBody(request);
    if (!isHostSound(request.raw))
      return done(new Failure('bad_request', 'Missing or malformed Host header'));
    if (isStuffed(request.raw)) {
      reply.header('connection', 'close');
      return done(new Failure('body_too_large', `A ${request.method} request has no body`));
    }
    const { limits } = request.routeConfig;
    done(limits && sizeFailure(request, limits));
  });
});

/** Creates the check that a request names one host, in its proper form; HTTP/1.0 needs none. */
function createHostCheck(): (request: IncomingMessage) => boolean {
  // Most requests name the same one.
  let known: string | undefined;
  return ({ headers: { host }, rawHeaders, httpVersion }) => {
    if (host !== known && host !== undefined) {
      if (hostNameOf(host) === undefined) return false;
      known = host;
    }
    let count = 0;
    // Node takes the first of several, others the last.
    for (let i = 0; i < rawHeaders.length; i += 2)
      if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === 'host') count += 1;
    return count === 1 || (count === 0 && httpVersion !== '1.1');
  };
}

/**
 * Every body is JSON whatever its label; Fastify answers 415 to labels that are not even media types, and 400 to a QUERY
 * without one before it sees that no route has this method.
 */
function labelBody({ method, raw: { headers } }: FastifyRequest): void {
  if (method === 'GET' || (headers['content-type'] === undefined && method !== 'QUERY')) return;
  headers['content-type'] = JSON_TYPE;
}

/** A small body of a request that should have none is ignored, as some clients send one. */
function isStuffed({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  return (
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > USUAL_BODY_BYTES
  );
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
export function createUrlRewriter(pathPrefix: string): (request: Pick<IncomingMessage, 'url'>) => string {
  return ({ url = '/' }) => {
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
  // Fastify looks for the parser of a type that it has not got anew for every request: 5 % of a JSON-RPC call.
  const types = ['application/json', '*'];
  app.addContentTypeParser(types, { parseAs: 'string' }, (request, text: string, done) => {
    // An unknown path is 404 whatever its body is.
    if (request.is404 || text.length === 0) return done(null, undefined);
    request.bodyChars = text.length;
    const { bodyValues = LIMITS.values } = request.routeConfig.limits ?? {};
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
  'X-Tongate-Emulator-Version',
].join(', ');

const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
  'access-control-allow-headers': ALLOWED_HEADERS,
  'access-control-max-age': '86400',
  // Safari waits for a body otherwise.
  'content-length': '0',
};

/**
 * Lets any web page call the interfaces, except for routes of the operator. Every header is a constant; @fastify/cors, which merges its options with those
 * of the route for every request, took a twelfth of the time of a short one.
 */
export const openCors = fp(async (app) => {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeConfig.ownOrigin === true) return done();
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

/** Called for every finished request. */
export type OnRequestDone = (
  interfaceName: string,
  operation: string,
  status: number,
  seconds: number,
) => void;

/** Called for every call that counts against a rate; a batch has several. */
export type OnCallDone = (
  keyId: string | null,
  interfaceName: string,
  operation: string,
  status: number,
) => void;

declare module 'fastify' {
  interface FastifyRequest {
    /** Reports a call of this request, an entry of a batch. Without it the request is reported as one call when it is finished. */
    noteCall(operation: string, status: number): void;
    /** Reports that this request opened a stream. It may stay open for days, so it is counted and logged now. */
    noteStream(operation: string): void;
    /** Calls that were reported. */
    notedCalls: number;
  }
}

interface RequestLogOptions {
  readonly onRequestDone: OnRequestDone;
  readonly onCallDone?: OnCallDone | undefined;
}

interface FinishedRequest {
  readonly request: FastifyRequest;
  /** Read at once: a closed socket has none. */
  readonly ip: string;
  readonly status: number;
  readonly ms: number;
}

/** Not a status of HTTP: what logs and metrics show for a client that closed its connection before the response. */
export const CLIENT_GONE = 499;
const RATE_LIMITED = 429;
/** Requests above their rate cost nothing, and neither should their log. */
const RATE_LIMITED_LINES_PER_SECOND = 10;

/**
 * One log line and one measurement for every request; never the query of a URL, which may contain a key. Requests that
 * finish in the same turn of the event loop are recorded together at its end: between two requests the code of the logger
 * would run cold, which takes five times as long.
 */
export const requestLog = fp(async (app, { onRequestDone, onCallDone }: RequestLogOptions) => {
  let finished: FinishedRequest[] = [];
  const rateLimited = createSampler(RATE_LIMITED_LINES_PER_SECOND);
  const streams = new WeakSet<FastifyRequest>();

  function finish(request: FastifyRequest, status: number, ms: number): void {
    if (finished.push({ request, ip: request.ip, status, ms }) === 1) setImmediate(recordAll);
  }

  function recordAll(): void {
    const list = finished;
    finished = [];
    for (const one of list) record(one);
  }

  app.decorateRequest('notedCalls', 0);
  app.decorateRequest('noteCall', function noteCall(this: FastifyRequest, operation, status) {
    this.notedCalls += 1;
    onCallDone?.(this.keyId, this.routeConfig.interface ?? 'none', operation, status);
  });
  app.decorateRequest('noteStream', function noteStream(this: FastifyRequest, operation) {
    this.noteCall(operation, 200);
    streams.add(this);
    const { keyId, ip } = this;
    this.log.info(
      { interface: this.routeConfig.interface ?? 'none', operation, keyId, ip, status: 200 },
      'Stream opened',
    );
  });
  app.addHook('onResponse', (request, reply, done) => {
    endOtherWork(request);
    finish(request, reply.statusCode, reply.elapsedTime);
    done();
  });
  // Fastify calls `onResponse` only when the response was written, which it is not to a closed connection.
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (request.raw.socket.destroyed) finish(request, CLIENT_GONE, reply.elapsedTime);
    done();
  });
  app.addHook('onClose', async () => recordAll());

  function record({ request, ip, status, ms }: FinishedRequest): void {
    const { calledOperation, routeConfig: config } = request;
    const interfaceName = config.interface ?? 'none';
    const operation = calledOperation ?? config.operation ?? 'none';
    onRequestDone(interfaceName, operation, status, ms / 1000);
    if (config.public === true || streams.has(request)) return;
    const { keyId, notedCalls } = request;
    if (notedCalls === 0 && !request.is404) onCallDone?.(keyId, interfaceName, operation, status);
    const unlogged = status === RATE_LIMITED ? rateLimited() : 0;
    if (unlogged === undefined) return;
    const line = {
      interface: interfaceName,
      operation,
      keyId,
      ...(notedCalls > 1 && { calls: notedCalls }),
      ip,
      status,
      ms: Math.round(ms * 1000) / 1000,
    };
    // Not an error: what went wrong in this process has its own line, and a lite server may refuse what a caller wants.
    if (status >= 500) request.log.warn({ ...line, reason: request.failureText }, 'Request failed');
    else request.log.info(unlogged > 0 ? { ...line, unlogged } : line, 'Request completed');
  }
});

/** Creates a sampler: per second it returns so many times how many calls it has left out since the last; else undefined. */
function createSampler(perSecond: number): () => number | undefined {
  let endsAt = 0;
  let taken = 0;
  let leftOut = 0;
  return () => {
    const time = performance.now();
    if (time >= endsAt) {
      endsAt = time + 1000;
      taken = 0;
    }
    if (taken >= perSecond) {
      leftOut += 1;
      return undefined;
    }
    taken += 1;
    const before = leftOut;
    leftOut = 0;
    return before;
  };
}
