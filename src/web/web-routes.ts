import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { sendNotModified, weakTag } from '../http/body.ts';

export interface WebOptions {
  readonly version: string;
  readonly network: string;
  /** What its coin is called. */
  readonly coin: string;
  /** Whether addresses are shown in the form of test networks. */
  readonly testOnly: boolean;
  /** Whether the commands to a local chain are served. */
  readonly hasLocalChain: boolean;
  readonly hasStreaming: boolean;
  /** Unix seconds of the newest masterchain block; undefined while it is unknown. */
  readonly chainTime?: (() => number | undefined) | undefined;
  /** Public URL of the image proxy; undefined: no images. */
  readonly imgproxyUrl?: string | undefined;
  /** Requests per second without a key; undefined: no limit. */
  readonly anonymousRps?: number | undefined;
  /** Makes the token that lets a first visit of our pages be complete at once; null for others than our pages. */
  readonly pageToken?: ((request: FastifyRequest) => PageToken | null) | undefined;
  /** Where the operator of a local chain finds its API key. */
  readonly localKeyFile?: string | undefined;
  /** Where the built files are; by default `dist-web` of the package. */
  readonly folder?: string | undefined;
}

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5fff"/><path d="M8 25V14a8 8 0 0 1 16 0v11M16 25V11" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>';

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>tongate</title>
<h1>tongate is running</h1>
<p>Its pages are not built: <code>npm run build:web</code> builds them, and a restart shows them.
The APIs work without them: <a href="api/v2/">/api/v2</a>, <a href="api/v3/">/api/v3</a>.</p>
</html>
`;

const ASSETS = '/assets/';
/** Names of files in `assets` contain a hash of their content. */
const ASSETS_MAX_AGE = '365d';

/** Where the built files are, by default those of the package, seen from `src/web/` or `dist/src/web/`; undefined if there are none. */
function builtFolder(given: string | undefined): string | undefined {
  const own = ['../../dist-web/', '../../../dist-web/'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  return (given === undefined ? own : [given]).find((folder) => existsSync(`${folder}/index.html`));
}

/** The web application: its page for every path of it, its files, and what it must know about this server. */
export function createWebRoutes(options: WebOptions): FastifyPluginAsync {
  return async (app) => {
    app.addHook('onRoute', (route) => {
      const file = route.url.startsWith(ASSETS);
      route.config = { ...route.config, public: true, file, interface: 'web', operation: 'web' };
    });
    const icon = Buffer.from(ICON);
    app.get('/favicon.ico', (_request, reply) =>
      reply.type('image/svg+xml').header('cache-control', 'max-age=86400').send(icon),
    );
    app.get('/web.json', { schema: { response: { 200: serverInfoSchema } } }, (request, reply) =>
      reply.header('cache-control', 'no-store').send(serverInfo(options, request)),
    );
    const folder = builtFolder(options.folder);
    if (folder !== undefined) await addApplication(app, folder, options);
    else addPage(app, '/', () => NOT_BUILT, contentSecurity(undefined));
  };
}

async function addApplication(app: FastifyInstance, folder: string, { imgproxyUrl }: WebOptions) {
  const html = readFileSync(`${folder}/index.html`, 'utf8');
  const paths = JSON.parse(readFileSync(`${folder}/pages.json`, 'utf8')) as string[];
  const security = contentSecurity(imgproxyUrl);
  for (const path of paths)
    addPage(
      app,
      path,
      (depth) => html.replace('<base href="./"', `<base href="${rootFrom(depth)}"`),
      security,
    );
  const headers = pageHeaders(security);
  app.unknownPaths.show = (request, reply) => {
    const path = request.url.split('?', 1)[0]!;
    const isPage = request.method === 'GET' && /\btext\/html\b/.test(request.headers.accept ?? '');
    if (!isPage || path.startsWith('/api/') || path.startsWith(ASSETS)) return undefined;
    const depth = Math.max(0, path.split('/').length - 2);
    return reply
      .code(404)
      .headers({ ...headers, 'content-type': 'text/html; charset=utf-8' })
      .send(html.replace('<base href="./"', `<base href="${rootFrom(depth)}"`));
  };
  await app.register(fastifyStatic, {
    root: `${folder}/assets`,
    prefix: ASSETS,
    decorateReply: false,
    index: false,
    preCompressed: true,
    maxAge: ASSETS_MAX_AGE,
    immutable: true,
    setHeaders: (reply) => reply.header('x-content-type-options', 'nosniff'),
  });
}

/** The root seen from a page this many folders below it: relative, so that proxies may put everything below a path. */
function rootFrom(depth: number): string {
  return depth === 0 ? './' : '../'.repeat(depth);
}

/** Adds a page; what it contains may depend on how deep its path is. */
function addPage(app: FastifyInstance, path: string, htmlAt: (depth: number) => string, security: string) {
  const partCount = path.split('/').filter(Boolean).length;
  // Made once, as buffers, because packed forms of these are cached.
  const [asFile, asFolder] = [Math.max(0, partCount - 1), partCount].map((depth) => {
    const body = Buffer.from(htmlAt(depth));
    return { body, tag: weakTag(body) };
  });
  app.get(path, { onSend: sendNotModified }, (request: FastifyRequest, reply: FastifyReply) => {
    // `PATH_PREFIX` without a slash: relative links would lead elsewhere.
    const [original = '/'] = request.originalUrl.split('?', 1);
    if (path === '/' && !original.endsWith('/'))
      return reply.redirect(`${original.slice(original.lastIndexOf('/') + 1)}/`, 301);
    // The last part of a path is a file, unless a slash follows it.
    const isFolder = request.url.split('?', 1)[0]!.endsWith('/');
    const { body, tag } = isFolder ? asFolder! : asFile!;
    return reply
      .type('text/html; charset=utf-8')
      .headers({ ...pageHeaders(security), etag: tag })
      .send(body);
  });
}

function pageHeaders(security: string) {
  return {
    'cache-control': 'no-cache',
    'content-security-policy': security,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
  };
}

/** Everything comes from this server, but images may come from the image proxy. */
function contentSecurity(imgproxyUrl: string | undefined): string {
  const images = ["'self'", ...(imgproxyUrl === undefined ? [] : [new URL(imgproxyUrl).origin])];
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${images.join(' ')}`,
    "connect-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const pageTokenSchema = Type.Object({
  token: Type.String(),
  /** Calls that may be made with it. */
  calls: Type.Integer(),
  /** How long it is good. */
  seconds: Type.Integer(),
});

type PageToken = Static<typeof pageTokenSchema>;

const serverInfoSchema = Type.Object({
  version: Type.String(),
  network: Type.String(),
  coin: Type.String(),
  test_only: Type.Boolean(),
  has_local_chain: Type.Boolean(),
  has_streaming: Type.Boolean(),
  chain_time: Type.Union([Type.Integer(), Type.Null()]),
  image_origin: Type.Union([Type.String(), Type.Null()]),
  anonymous_rps: Type.Union([Type.Number(), Type.Null()]),
  local_key_file: Type.Union([Type.String(), Type.Null()]),
  page_token: Type.Union([pageTokenSchema, Type.Null()]),
});

/** `/web.json`, for everybody: it names the file of a key, and never has the key. */
function serverInfo(options: WebOptions, request: FastifyRequest): Static<typeof serverInfoSchema> {
  const {
    version,
    network,
    coin,
    testOnly,
    hasLocalChain,
    hasStreaming,
    chainTime,
    imgproxyUrl,
    anonymousRps,
    localKeyFile,
  } = options;
  return {
    version,
    network,
    coin,
    test_only: testOnly,
    has_local_chain: hasLocalChain,
    has_streaming: hasStreaming,
    chain_time: chainTime?.() ?? null,
    image_origin: imgproxyUrl === undefined ? null : new URL(imgproxyUrl).origin,
    anonymous_rps: anonymousRps ?? null,
    local_key_file: localKeyFile ?? null,
    page_token: options.pageToken?.(request) ?? null,
  };
}
