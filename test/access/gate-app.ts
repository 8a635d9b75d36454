import Fastify, { type FastifyInstance } from 'fastify';
import { createGate, type GateOptions } from '../../src/access/plugin.ts';
import { statusOf } from '../../src/http/errors.ts';

type GateAppOptions = Partial<GateOptions> &
  Pick<GateOptions, 'keys' | 'store'> & { readonly trustProxy?: boolean };

/** A small application behind a real gate: two routes, a batch, one route outside the gate, and a 404. */
export async function createGateApp({
  trustProxy = false,
  ...options
}: GateAppOptions): Promise<FastifyInstance> {
  const app = Fastify({ trustProxy });
  const gate = createGate({
    network: 'localnet',
    anonymousRps: 1,
    rateLimit: true,
    report: { refused: () => {} },
    ...options,
  });
  app.decorateRequest('keyId', null);
  app.decorateRequest('liteGroup');
  await gate.install(app);
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config?.gated !== false) await gate.admit(request, reply);
  });
  app.setErrorHandler((error, _request, reply) => {
    const { status, text, retryAfterSeconds } = statusOf(error);
    if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
    return reply.code(status).send({ ok: false, error: text, code: status });
  });
  app.get('/one', async (request) => ({ keyId: request.keyId }));
  app.get('/two', async (request) => ({ keyId: request.keyId }));
  app.get('/payer', async (request) => request.payer);
  app.get('/group', async (request) => ({ group: request.liteGroup ?? null }));
  app.get('/open', { config: { gated: false } }, async () => ({}));
  app.get<{ Params: { calls: string } }>('/batch/:calls', async (request) => {
    const outcomes = ['ok'];
    for (let call = 1; call < Number(request.params.calls); call++) {
      outcomes.push(
        await gate.charge(request).then(
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
