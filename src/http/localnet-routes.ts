import type { FastifyPluginAsync } from 'fastify';
import Type from 'typebox';
import { Failure } from '../lib/errors.ts';
import { addDocs, type LocalDocs } from './docs.ts';
import { startErrorReply } from './errors.ts';
import { isFromThisMachine } from './from-this-machine.ts';
import { type LocalnetControl, localnetOperations } from './localnet-operations.ts';
import type { DocumentOptions } from './openapi.ts';
import { validateWith } from './operation.ts';
import { createRouteSchemas, type InterfaceStyle } from './operation-schemas.ts';
import { objectIn, readValues } from './rest-routes.ts';

/** Who may send commands: callers on this machine, or everybody. */
export type ControlAccess = 'loopback' | 'all';

interface LocalnetRoutesOptions {
  readonly control: LocalnetControl;
  readonly access: ControlAccess;
  /** Absent where there is no docs page. */
  readonly docs?: LocalDocs | undefined;
}

const [BAD_REQUEST, UNPROCESSABLE] = [400, 422];

/** The commands to the local chain as routes: free of keys and limits, but by default only for callers on this machine. */
export function createLocalnetRoutes({ control, access, docs }: LocalnetRoutesOptions): FastifyPluginAsync {
  return async (app) => {
    app.setErrorHandler((error, request, reply) => {
      const { status, text } = startErrorReply(error, request, reply);
      const code = status === UNPROCESSABLE ? BAD_REQUEST : status;
      reply.code(code);
      return { ok: false, error: text, code };
    });
    if (docs !== undefined) await addDocs(app, { ...document, local: docs });
    app.addHook('onRequest', async (request) => {
      if (access === 'loopback' && !isFromThisMachine(request))
        throw new Failure(
          'network_not_allowed',
          'localnet commands are accepted from this machine only; LOCALNET_CONTROL=all accepts them from others',
        );
    });
    for (const operation of localnetOperations) {
      const [method] = operation.methods;
      app.route({
        method: method!,
        url: `/${operation.name}`,
        config: { public: true, unlimited: true, interface: 'localnet', operation: operation.name },
        schema: createRouteSchemas(operation, style)(operation.name, method!),
        validatorCompiler: validateWith('body', (body) => readValues(operation, objectIn(body), 'body')),
        handler: async ({ body }) => {
          const params = method === 'POST' ? (body as Record<string, unknown>) : {};
          return { ok: true, result: await operation.handler(params, control) };
        },
      });
    }
  };
}

const errors = {
  schema: Type.Object(
    { ok: Type.Literal(false), error: Type.String(), code: Type.Integer() },
    { title: 'Error' },
  ),
  texts: {
    400: 'A parameter is missing, malformed or unknown; the text names it',
    403: 'The request is not from this machine',
    413: 'The body is larger than the text says',
    500: 'Unexpected error',
    503: 'The chain is stopped or overloaded',
  },
};

const style: InterfaceStyle = {
  envelope: (result, title) => Type.Object({ ok: Type.Literal(true), result }, { title }),
  exampleBody: (result) => ({ ok: true, result }),
  errors,
  parameterExamples: {},
};

const document: DocumentOptions = {
  title: 'tongate localnet',
  version: '1.0.0',
  description:
    'Commands to the local chain. They need no API key and are accepted from this machine only, unless `LOCALNET_CONTROL=all`.',
  errors,
  tags: { localnet: 'Commands to the local chain.' },
  isPublic: true,
};
