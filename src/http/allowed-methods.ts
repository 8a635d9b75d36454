import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Remembers the routes added to `app` from now on and returns the function that says which methods a request's
 * path would have answered: what a 405 needs to know. A path without a route has none.
 */
export function trackMethods(app: FastifyInstance): (request: FastifyRequest) => readonly string[] {
  const methodsByPath = new Map<string, string[]>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = methodsByPath.get(url) ?? [];
    known.push(...(Array.isArray(method) ? method : [method]));
    methodsByPath.set(url, known);
  });
  return (request) => {
    const path = request.url.split('?', 1)[0]!;
    return methodsByPath.get(path.endsWith('/') ? path.slice(0, -1) : path) ?? [];
  };
}
