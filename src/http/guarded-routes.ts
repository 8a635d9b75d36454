import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type from 'typebox';

/** Checks a request; throws a `Failure` unless it may go on. */
export type RequestCheck = (request: FastifyRequest) => Promise<void>;

/** Checks every request for routes that are added from now on, or for some of them. Pages of other origins get no CORS headers. */
export function guardRoutes(
  app: FastifyInstance,
  check: RequestCheck,
  isGuarded: (url: string) => boolean = () => true,
): void {
  app.addHook('onRoute', (route) => {
    if (isGuarded(route.url)) route.config = { ...route.config, ownOrigin: true };
  });
  // Not `routeConfig`: the control of a local chain has these routes without the hooks of a server.
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.ownOrigin === true) await check(request);
  });
  // Other preflights are answered for every path.
  const config = { public: true, ownOrigin: true };
  const schema = { hide: true, response: { 204: Type.Null() } };
  app.options('/*', { config, schema }, (_request, reply) => reply.code(204).send());
}
