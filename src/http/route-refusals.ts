import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '../lib/errors.ts';

/**
 * Refuses what no route of an interface takes: 405 with the methods that exist when the path does, else 404. It knows
 * the routes that are added after it; `wrongMethodText` is the interface's wording of the 405.
 */
export function addRouteRefusals(
  app: FastifyInstance,
  wrongMethodText: (request: FastifyRequest) => string,
): void {
  const methodsByPath = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = methodsByPath.get(url) ?? new Set();
    for (const name of Array.isArray(method) ? method : [method]) known.add(name);
    methodsByPath.set(url, known);
  });
  app.setNotFoundHandler((request) => {
    const path = request.url.split('?', 1)[0]!;
    const allowed = methodsByPath.get(path.endsWith('/') ? path.slice(0, -1) : path);
    if (allowed === undefined) throw new Failure('not_found', 'Not Found');
    request.head?.header('allow', [...allowed].sort().join(', '));
    throw new Failure('method_not_allowed', wrongMethodText(request));
  });
}
