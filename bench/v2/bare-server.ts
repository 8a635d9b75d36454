/** The floor of answers that are known: the same JSON from Fastify routes that do nothing else. */
import { readFileSync } from 'node:fs';
import Fastify from 'fastify';

/** A route and what it answers. */
export interface BareRoute {
  readonly method: 'GET' | 'POST';
  /** Without the query. */
  readonly path: string;
  readonly answer: unknown;
}

const routes = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as readonly BareRoute[];
const app = Fastify();
for (const { method, path, answer } of routes) app.route({ method, url: path, handler: async () => answer });
const url = await app.listen({ host: '127.0.0.1', port: 0 });
console.log(`bare fastify listening on ${url}`);
