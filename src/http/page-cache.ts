import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendNotModified, weakTag } from './etag.ts';

interface PageCacheOptions {
  /** How long a page is cached that is no file. */
  readonly maxAgeMs: number;
}

interface CachedPage {
  /** The same object for as long as its bytes are the same: compression caches packed forms by it. */
  readonly body: Buffer;
  readonly type: string;
  readonly tag: string;
  cachedAtMs: number;
}

/** Files of Swagger UI have the same names in every version, so browsers must not cache them for long. */
const FILE_CACHE = 'max-age=3600';
/** A page or a document changes with the server. */
const PAGE_CACHE = 'no-cache';
/** Other names of the same file, such as `./name`, are served but not cached. */
const FILE_NAME = /^[\w.-]+$/;

/**
 * Caches the successful responses of all GET routes of a docs scope: what they cost to make and to compress is paid once.
 * Responses that say `no-store` are left alone.
 */
export function cachePages(app: FastifyInstance, { maxAgeMs }: PageCacheOptions): void {
  const pages = new Map<string, CachedPage>();

  function isFresh({ cachedAtMs }: CachedPage, request: FastifyRequest): boolean {
    return isFile(request) || performance.now() - cachedAtMs < maxAgeMs;
  }

  app.addHook('onRequest', (request, reply, done) => {
    const key = keyOf(request);
    const page = key === undefined ? undefined : pages.get(key);
    if (page === undefined || !isFresh(page, request)) return done();
    return reply.type(page.type).send(page.body);
  });

  app.addHook('onSend', (request, reply, payload, done) => {
    const key = keyOf(request);
    const isCached =
      key !== undefined && reply.statusCode === 200 && reply.getHeader('cache-control') !== 'no-store';
    if (!isCached || payload === null || payload === undefined) return done();
    const cached = pages.get(key);
    if (cached !== undefined && cached.body === payload) return sendPage(cached, request, reply, done);
    // The body of a HEAD is empty.
    if (request.method !== 'GET') return done();
    bytesOf(payload).then((bytes) => {
      const isSame = cached?.body.equals(bytes) === true;
      const page = isSame ? cached : newPage(bytes, String(reply.getHeader('content-type')));
      page.cachedAtMs = performance.now();
      pages.set(key, page);
      sendPage(page, request, reply, done);
    }, done);
  });
}

function sendPage(
  page: CachedPage,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error: null, payload?: unknown) => void,
): void {
  for (const name of ['content-length', 'last-modified', 'accept-ranges']) reply.removeHeader(name);
  reply.header('etag', page.tag).header('cache-control', isFile(request) ? FILE_CACHE : PAGE_CACHE);
  // Fastify makes the HEAD of its own routes; that of files has a route of its own.
  const isHeadOfFile = request.method === 'HEAD' && isFile(request);
  if (isHeadOfFile) reply.header('content-length', page.body.length);
  sendNotModified(request, reply, isHeadOfFile ? '' : page.body, done);
}

function newPage(body: Buffer, type: string): CachedPage {
  return { body, type, tag: weakTag(body), cachedAtMs: 0 };
}

/** The key of a page; undefined for one that is not cached. */
function keyOf(request: FastifyRequest): string | undefined {
  const { url } = request.routeOptions;
  const [path, query] = request.url.split('?', 2);
  // The links of the index page depend on the end of its URL.
  if (url === undefined || (query !== undefined && path!.endsWith('/'))) return undefined;
  if (!isFile(request)) return url;
  const name = fileName(request)!;
  return FILE_NAME.test(name) ? name : undefined;
}

function isFile(request: FastifyRequest): boolean {
  return fileName(request) !== undefined;
}

function fileName({ params }: FastifyRequest): string | undefined {
  return (params as { readonly '*'?: string } | undefined)?.['*'];
}

async function bytesOf(payload: unknown): Promise<Buffer> {
  return payload instanceof Readable ? buffer(payload) : Buffer.from(payload as string | Buffer);
}
