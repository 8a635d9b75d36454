import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

export interface DocsOptions {
  readonly title: string;
  /** The OpenAPI document that `openapi.json` and the page show. */
  readonly document: Record<string, unknown>;
  /** Further documents by file name. */
  readonly files?: Readonly<Record<string, Record<string, unknown>>>;
}

/** Everything comes from this server; no `upgrade-insecure-requests`, which breaks the page over plain http. */
const CONTENT_SECURITY = {
  'default-src': "'self'",
  'img-src': "'self' data:",
  'style-src': "'self' 'unsafe-inline'",
  'object-src': "'none'",
  'base-uri': "'self'",
  'frame-ancestors': "'self'",
};

/** Serves the docs page of an interface at its root and its documents beside it; nothing is loaded from elsewhere. */
export async function addDocs(parent: FastifyInstance, options: DocsOptions): Promise<void> {
  await parent.register(async (app) => {
    app.addHook('onRoute', (route) => {
      route.config = { ...route.config, public: true, interface: 'docs', operation: 'docs' };
    });
    const files = { 'openapi.json': options.document, ...options.files };
    for (const [name, document] of Object.entries(files)) {
      const json = JSON.stringify(document);
      app.get(`/${name}`, (_request, reply) => reply.type('application/json').send(json));
    }
    app.get('/index.html', (_request, reply) => reply.redirect('./', 301));
    app.addHook('onRequest', (request, reply, done) => {
      const path = request.url.split('?', 1)[0]!;
      // The links of the page are relative, so its path must end with a slash.
      if (path === parent.prefix) reply.redirect(`${path.slice(path.lastIndexOf('/') + 1)}/`, 301);
      else done();
    });
    await app.register(swagger, { mode: 'static', specification: { document: options.document as never } });
    await app.register(swaggerUi, {
      routePrefix: '/',
      staticCSP: CONTENT_SECURITY,
      theme: { title: options.title },
      uiConfig: {
        layout: 'BaseLayout',
        docExpansion: 'list',
        validatorUrl: null,
        tryItOutEnabled: true,
        // The API key is kept between pages and reloads.
        persistAuthorization: true,
      },
    });
  });
}
