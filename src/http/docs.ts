import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '../lib/errors.ts';
import { type ExampleValues, fillExamples, UNFILLED } from './example-values.ts';
import { isFromThisMachine } from './from-this-machine.ts';
import { addDocument, type DocumentOptions } from './openapi.ts';
import { cachePages } from './page-cache.ts';
import { pageDocument } from './page-document.ts';

type Json = Record<string, unknown>;

/** What the docs pages of a local chain have more than those of other networks. */
export interface LocalDocs {
  /** Finds the values of the examples; called at most once per second for each document. */
  readonly exampleValues: () => Promise<ExampleValues>;
  /** The API key that the pages fill in for callers on this machine. */
  readonly apiKey: string | undefined;
}

export interface DocsOptions extends DocumentOptions {
  /** Writes further documents from that of the interface, by file name. */
  readonly files?: Readonly<Record<string, (document: Json) => Json>>;
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
    const text = texts.get(name) ?? JSON.stringify(convert(parent.swagger() as unknown as Json));
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
    if (local?.apiKey !== undefined) addApiKey(app, local.apiKey);
    const filled = new WeakMap<FastifyRequest, Json>();
    await app.register(swaggerUi, {
      routePrefix: '/',
      staticCSP: CONTENT_SECURITY,
      theme: { title },
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
        // The API key is kept between pages and reloads.
        persistAuthorization: true,
        ...(local?.apiKey !== undefined && { onComplete: fillInApiKey }),
      },
    });
  });
}

/** The key of a local chain, for its docs pages; nobody gets it over a network. */
function addApiKey(app: FastifyInstance, apiKey: string): void {
  app.get('/api-key.json', async (request, reply) => {
    if (!isFromThisMachine(request))
      throw new Failure('network_not_allowed', 'the API key of a local chain is shown on its machine only');
    return reply.header('cache-control', 'no-store').send({ api_key: apiKey });
  });
}

/** Swagger UI in the browser. */
declare const ui: { preauthorizeApiKey(scheme: string, key: string): void };
declare const localStorage: {
  getItem(name: string): string | null;
  setItem(name: string, text: string): void;
};

/** Runs in the browser, where it is sent as text: fills in the key of the local chain unless a person entered another one. */
async function fillInApiKey(): Promise<void> {
  const answer = await fetch('./api-key.json');
  if (!answer.ok) return;
  const { api_key: key } = (await answer.json()) as { api_key: string };
  const entered = JSON.parse(localStorage.getItem('authorized') ?? '{}').APIKeyHeader?.value;
  // Swagger UI may have kept the key of an earlier local chain.
  if (entered !== undefined && entered !== localStorage.getItem('tongate-local-key')) return;
  ui.preauthorizeApiKey('APIKeyHeader', key);
  localStorage.setItem('tongate-local-key', key);
}
