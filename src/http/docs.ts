import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { sendNotModified, weakTag } from './body.ts';
import { LOOK, LOOK_SCRIPT } from './docs-look.ts';
import { type ExampleValues, fillExamples, UNFILLED } from './example-values.ts';
import { commonPart, isUnionByProperty, schemaNameOf } from './named-schemas.ts';
import { addDocument, type DocumentOptions, documentOf, type Plugins } from './openapi.ts';

type Json = Record<string, unknown>;

/** Extras of the docs pages of a local chain. */
export interface LocalDocs {
  /** Finds the values of the examples; called at most once per second for each document. */
  readonly exampleValues: () => Promise<ExampleValues>;
}

export interface DocsOptions extends DocumentOptions {
  /** Writes further documents from that of the interface, by file name. */
  readonly files?: Readonly<Record<string, (document: Json) => Json>>;
  /** The document, if it is not that of the routes that are added after it. */
  readonly document?: () => Promise<Json>;
  /** Absent on other networks. */
  readonly local?: LocalDocs | undefined;
}

/** Blocks and messages in the examples of a local chain are this old at most. */
const LOCAL_PAGE_MS = 1000;

/** Everything comes from this server; no `upgrade-insecure-requests`, which breaks the page over plain http. */
const CONTENT_SECURITY = {
  'default-src': "'self'",
  'img-src': "'self' data:",
  'style-src': "'self' 'unsafe-inline'",
  'object-src': "'none'",
  'base-uri': "'self'",
  'frame-ancestors': "'self'",
};

/**
 * Serves the docs page of an interface at its root and beside it the OpenAPI document of the routes that are added after
 * it; nothing is loaded from elsewhere.
 */
export async function addDocs(parent: FastifyInstance, options: DocsOptions): Promise<void> {
  const { title, local, files = {} } = options;
  await addDocument(parent, options, local && UNFILLED);
  const texts = new Map<string, string>();

  /** The text of a document, which is made when it is asked for first. */
  async function textOf(name: string, convert: (document: Json) => Json): Promise<string> {
    const document = options.document ?? (async () => parent.swagger() as unknown as Json);
    const text = texts.get(name) ?? JSON.stringify(convert(await document()));
    texts.set(name, text);
    return local === undefined ? text : fillExamples(text, await local.exampleValues());
  }

  await parent.register(async (app) => {
    app.addHook('onRoute', (route) => {
      route.config = { ...route.config, public: true, interface: 'docs', operation: 'docs' };
      route.schema = { ...route.schema, hide: true };
    });
    for (const [name, convert] of Object.entries({ 'openapi.json': (one: Json) => one, ...files }))
      app.get(`/${name}`, async (_request, reply) =>
        reply.type('application/json').send(await textOf(name, convert)),
      );
    app.get('/index.html', (_request, reply) => reply.redirect('./', 301));
    app.addHook('onRequest', (request, reply, done) => {
      const path = request.url.split('?', 1)[0]!;
      // The links of the page are relative, so its path must end with a slash.
      if (path === parent.prefix) reply.redirect(`${path.slice(path.lastIndexOf('/') + 1)}/`, 301);
      else done();
    });
    cachePages(app, { maxAgeMs: local === undefined ? Number.POSITIVE_INFINITY : LOCAL_PAGE_MS });
    const filled = new WeakMap<FastifyRequest, Json>();
    await app.register(swaggerUi, {
      routePrefix: '/',
      staticCSP: CONTENT_SECURITY,
      theme: {
        title,
        css: [{ filename: 'look.css', content: LOOK }],
        js: [{ filename: 'look.js', content: LOOK_SCRIPT }],
      },
      uiHooks: {
        // The page loads `json`; `yaml` is the same for people.
        preHandler: async (request) => {
          if (/\/(?:json|yaml)$/.test(request.routeOptions.url ?? ''))
            filled.set(request, JSON.parse(await textOf('page', pageDocument)));
        },
      },
      transformSpecification: (_document, request) => filled.get(request)!,
      transformSpecificationClone: false,
      uiConfig: {
        layout: 'BaseLayout',
        docExpansion: 'list',
        validatorUrl: null,
        tryItOutEnabled: true,
        syntaxHighlight: { theme: 'obsidian' },
        // The API key is kept between pages and reloads.
        persistAuthorization: true,
        ...(local !== undefined && { onComplete: fillInApiKey }),
      },
    });
  });
}

/** The docs page of routes that are elsewhere: of several interfaces, or of those whose routes are guarded. */
export function createDocs(
  options: Omit<DocsOptions, 'document'>,
  routes: () => Plugins,
): FastifyPluginAsync {
  return (app) => addDocs(app, { ...options, document: () => documentOf(options, routes()) });
}

/** Swagger UI in the browser. */
declare const ui: { preauthorizeApiKey(scheme: string, key: string): void };
declare const localStorage: {
  getItem(name: string): string | null;
  setItem(name: string, text: string): void;
};

/** Runs in the browser, where it is sent as text: fills in the key that the explorer has, unless a person entered another one here. */
function fillInApiKey(): void {
  const key = localStorage.getItem('tongate-api-key');
  if (key === null) return;
  const entered = JSON.parse(localStorage.getItem('authorized') ?? '{}').APIKeyHeader?.value;
  // Swagger UI may have kept the key of an earlier local chain.
  if (entered !== undefined && entered !== localStorage.getItem('tongate-local-key')) return;
  ui.preauthorizeApiKey('APIKeyHeader', key);
  localStorage.setItem('tongate-local-key', key);
}

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

/** A union with more branches than this keeps the page busy for minutes: it resolves all of them at every place of use. */
const MAX_BRANCHES = 12;

/**
 * The document as the docs page gets it: of large unions only what all branches share. The details are in
 * `openapi.json`.
 */
export function pageDocument(document: Json): Json {
  const components = document.components as { readonly schemas: Readonly<Record<string, Json>> };
  const short = Object.fromEntries(
    Object.entries(components.schemas).map(([name, schema]) => [
      name,
      withoutMany(schema, components.schemas),
    ]),
  );
  const used = reachable({ ...document, components: { ...components, schemas: {} } }, short);
  const schemas = Object.fromEntries(Object.entries(short).filter(([name]) => used.has(name)));
  return { ...document, components: { ...components, schemas } };
}

function withoutMany(schema: Json, schemas: Readonly<Record<string, Json>>): Json {
  if (!isUnionByProperty(schema) || schema.oneOf.length <= MAX_BRANCHES) return schema;
  const { propertyName } = schema.discriminator;
  return {
    ...commonPart(
      schema,
      schema.oneOf.map(({ $ref }) => schemas[schemaNameOf($ref)!]!),
    ),
    description: `One of ${schema.oneOf.length} kinds by \`${propertyName}\`; \`openapi.json\` beside this page has the members of each.`,
  };
}

/** Names of all schemas that something refers to, directly or through others. */
function reachable(from: unknown, schemas: Readonly<Record<string, Json>>): Set<string> {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      const name = key === '$ref' ? schemaNameOf(member) : undefined;
      if (name === undefined) visit(member);
      else if (!names.has(name)) {
        names.add(name);
        visit(schemas[name]);
      }
    }
  };
  visit(from);
  return names;
}
