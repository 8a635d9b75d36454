import { readFileSync } from 'node:fs';
import Fastify from 'fastify';

/** Baseline: Fastify routes that return fixed JSON. Argument: a file with the routes. */

/** A route and its fixed response. */
export interface BareRoute {
  readonly method: 'GET' | 'POST';
  /** Without the query. */
  readonly path: string;
  readonly response: unknown;
}

export const routes = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as readonly BareRoute[];
export const app = Fastify();
for (const { method, path, response } of routes)
  app.route({ method, url: path, handler: async () => response });
export const url = await app.listen({ host: '127.0.0.1', port: 0 });
console.log(`Bare Fastify listening on ${url}`);
