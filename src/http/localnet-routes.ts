import { type TypeBoxTypeProvider, TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsync } from 'fastify';
import Type from 'typebox';
import { Failure } from '../lib/errors.ts';
import { startErrorReply } from './errors.ts';
import { isFromThisMachine } from './from-this-machine.ts';

/** Commands to the local chain; results go out as JSON. */
export interface LocalnetControl {
  status(): unknown;
  /** `amount` is in TON. */
  fund(address: string, amount: string): Promise<unknown>;
  advance(seconds: number): Promise<unknown>;
  snapshot(name: string): Promise<unknown>;
  restore(name: string): Promise<unknown>;
  mine(count: number): Promise<unknown>;
  /** Changes the validator set. */
  rotate(): Promise<unknown>;
}

/** Who may send commands: callers on this machine, or everybody. */
export type ControlAccess = 'loopback' | 'all';

const fundBody = Type.Object({
  address: Type.String(),
  // A number is fine where it is exact; other amounts come as text.
  amount: Type.Union([Type.String(), Type.Number()]),
});
const advanceBody = Type.Object({ seconds: Type.Number() });
const snapshotBody = Type.Object({ name: Type.String() });
const mineBody = Type.Object({ count: Type.Optional(Type.Number()) });

/** The commands to the local chain as routes: free of keys and limits, but by default only for callers on this machine. */
export function createLocalnetRoutes(control: LocalnetControl, access: ControlAccess): FastifyPluginAsync {
  return async (parent) => {
    const app = parent.withTypeProvider<TypeBoxTypeProvider>();
    app.setValidatorCompiler(TypeBoxValidatorCompiler);
    app.addHook('onRequest', async (request) => {
      if (access === 'loopback' && !isFromThisMachine(request))
        throw new Failure(
          'network_not_allowed',
          'localnet commands are accepted from this machine only; LOCALNET_CONTROL=all accepts them from others',
        );
    });
    app.addHook('preValidation', async (request) => {
      request.body ??= {};
    });
    app.setErrorHandler((error, request, reply) => {
      const { status, text } = startErrorReply(error, request, reply);
      return { ok: false, error: text, code: status };
    });

    app.get('/status', command('status'), async () => ok(control.status()));
    app.post('/fund', { ...command('fund'), schema: { body: fundBody } }, async ({ body }) =>
      ok(await control.fund(body.address, String(body.amount))),
    );
    app.post('/advance', { ...command('advance'), schema: { body: advanceBody } }, async ({ body }) =>
      ok(await control.advance(body.seconds)),
    );
    app.post('/snapshot', { ...command('snapshot'), schema: { body: snapshotBody } }, async ({ body }) =>
      ok(await control.snapshot(body.name)),
    );
    app.post('/restore', { ...command('restore'), schema: { body: snapshotBody } }, async ({ body }) =>
      ok(await control.restore(body.name)),
    );
    app.post('/rotate', command('rotate'), async () => ok(await control.rotate()));
    app.post('/mine', { ...command('mine'), schema: { body: mineBody } }, async ({ body }) =>
      ok(await control.mine(body.count ?? 1)),
    );
  };
}

function command(operation: string) {
  return { config: { public: true, interface: 'localnet', operation } };
}

function ok(result: unknown): object {
  return { ok: true, result };
}
