import Fastify, { type FastifyInstance } from 'fastify';
import { type AccessOptions, createAccess } from '../../src/access/plugin.ts';
import { publicErrorOf } from '../../src/http/errors.ts';
import { requestBasics } from '../../src/http/request.ts';

type AccessAppOptions = Partial<AccessOptions> &
  Pick<AccessOptions, 'keys' | 'store'> & { readonly trustProxy?: boolean };

/** A small application with real access control: two routes, a batch, a public route, and a 404. */
export async function createAccessApp({
  trustProxy = false,
  ...options
}: AccessAppOptions): Promise<FastifyInstance> {
  const app = Fastify({ trustProxy });
  await app.register(requestBasics);
  await app.register(
    createAccess({
      network: 'localnet',
      anonymousRps: 1,
      rateLimit: true,
      onRefused: () => {},
      ...options,
    }),
  );
  app.setErrorHandler((error, _request, reply) => {
    const { status, text, retryAfterSeconds } = publicErrorOf(error);
    if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
    return reply.code(status).send({ ok: false, error: text, code: status });
  });
  app.get('/one', async (request) => ({ keyId: request.keyId }));
  app.get('/two', async (request) => ({ keyId: request.keyId }));
  app.get('/payer', async (request) => request.payer);
  app.get('/group', async (request) => ({ group: request.liteGroup ?? null }));
  app.get('/open', { config: { public: true } }, async () => ({}));
  app.get<{ Params: { calls: string } }>('/batch/:calls', async (request) => {
    const outcomes = ['ok'];
    for (let call = 1; call < Number(request.params.calls); call++) {
      outcomes.push(
        await request.charge().then(
          () => 'ok',
          (error: Error) => error.message,
        ),
      );
    }
    return outcomes;
  });
  return app;
}

/** An address that no other test uses. */
export function freshAddress(): string {
  const byte = () => Math.floor(Math.random() * 256);
  return `10.${byte()}.${byte()}.${byte()}`;
}
