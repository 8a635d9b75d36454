import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { createProtocolDecoder } from '../actions/layouts.ts';
import type { BodyDecoder } from '../chain/messages/body-decoder.ts';
import { timeoutFailure } from '../db/errors.ts';
import { addDocs, type LocalDocs } from '../http/docs.ts';
import { addRouteErrors, startErrorReply } from '../http/errors.ts';
import { type DocumentOptions, sharedErrors } from '../http/openapi.ts';
import {
  createRouteSchemas,
  emulatorHooks,
  type InterfaceStyle,
  type Operation,
  validateWith,
} from '../http/operation.ts';
import { ClientDisconnects, untilDisconnected } from '../lib/client-disconnects.ts';
import { withTimeout } from '../lib/wait.ts';
import type { Caller } from '../live/session.ts';
import { createDecodedBodies } from './decoded-bodies.ts';
import { createEmulateTonConnect, createEmulateTrace } from './emulate.ts';
import type { EmulateCall, EmulationPort } from './emulation.ts';
import { addV3Responses, V3_VERSION } from './envelope.ts';
import type { V3Ports } from './operation.ts';
import PARAMETER_EXAMPLES from './parameter-examples.json' with { type: 'json' };
import { bodyValues, queryValues, readRequestOptions } from './parameters.ts';

interface EmulateInterfaceOptions {
  readonly ports: V3Ports;
  readonly emulation: EmulationPort;
  readonly localDocs?: LocalDocs | undefined;
}

const SIZE_LIMITS = { urlBytes: 8192, headerBytes: 65536 };
/** Four messages, each with a payload and a state of 64 kB, in base64. */
const MAX_BODY_BYTES = 768 * 1024;
/** Clients rely on a response within this time. */
const LIMIT_MS = 3000;

/** The emulation interface as a plugin; the application registers it below its prefix. */
export function createEmulateInterface(options: EmulateInterfaceOptions): FastifyPluginAsync {
  const operations = [createEmulateTrace(), createEmulateTonConnect()];
  const shared = { ...options, decoder: createProtocolDecoder(), disconnects: new ClientDisconnects() };
  return async (app) => {
    addErrors(app);
    addRouteErrors(app, () => 'Method Not Allowed');
    await addDocs(app, { ...document, local: options.localDocs });
    addV3Responses(app);
    for (const operation of operations) addOperation(app, operation, shared);
  };
}

interface Shared extends EmulateInterfaceOptions {
  readonly decoder: BodyDecoder;
  readonly disconnects: ClientDisconnects;
}

function addOperation(app: FastifyInstance, operation: Operation<EmulateCall>, shared: Shared): void {
  const { ports, emulation, decoder, disconnects } = shared;
  const handler = async (request: FastifyRequest) => {
    const { log, startedAtMs, liteGroup: group, payer, keyId } = request;
    const params = request.body as Record<string, unknown>;
    const options = readRequestOptions(request.headers, queryValues(request.query));
    emulation.admit(payer);
    const call = {
      ports,
      emulation,
      log,
      keyId,
      options,
      bodies: createDecodedBodies(decoder),
      notes: {},
      caller: { group, client: request.raw.socket, startedAtMs, payer },
      deadlineMs: startedAtMs + LIMIT_MS,
      charge: (ms: number) => {
        if (payer !== undefined) emulation.budget.take(payer).charge(ms);
      },
    };
    return withDeadline(call, disconnects, (signal) => operation.handler(params, { ...call, signal }));
  };
  app.route({
    method: 'POST',
    // Letter case does not count below this prefix: URLs arrive in lower case.
    url: `/v1/${operation.name.toLowerCase()}`,
    config: {
      operation: operation.name,
      interface: 'emulate',
      limits: SIZE_LIMITS,
      documentedUrl: `${app.prefix}/v1/${operation.name}`,
    },
    bodyLimit: MAX_BODY_BYTES,
    preHandler: emulatorHooks({ predicts: true }, ports.emulatorVersion),
    schema: createRouteSchemas(operation, style)(operation.name, 'POST'),
    validatorCompiler: validateWith('body', (body) => readFields(operation, body)),
    handler,
  });
}

/** Runs work until there is a result, the time is over or the client has disconnected; the signal then aborts it. */
export async function withDeadline<T>(
  { caller: { client }, deadlineMs }: { caller: Pick<Caller, 'client'>; deadlineMs: number },
  disconnects: ClientDisconnects,
  work: (signal: AbortSignal) => Promise<T> | T,
): Promise<T> {
  const late = new AbortController();
  return untilDisconnected(client, disconnects, (gone) =>
    withTimeout(
      deadlineMs - performance.now(),
      (async () => work(AbortSignal.any([gone, late.signal])))(),
      () => {
        const failure = timeoutFailure();
        late.abort(failure);
        return failure;
      },
    ),
  );
}

/** Reads the fields of a body in order; the error is that of the first wrong one. */
function readFields(
  { parameters }: Pick<Operation<never>, 'parameters'>,
  body: unknown,
): Record<string, unknown> {
  const { origin, values } = bodyValues(body);
  return Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [
      name,
      parameter.read({ name, values: values.get(name.toLowerCase()) ?? [], origin }),
    ]),
  );
}

const emulateErrorSchema = Type.Object({ error: Type.String() }, { title: 'Error' });

const [BAD_REQUEST, UNPROCESSABLE, SERVER_ERROR, OVERLOADED] = [400, 422, 500, 503];

/** Turns anything thrown into the error body. What is wrong with a request is 400 here, other failures are 500. */
function addErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const { status, text } = startErrorReply(error, request, reply);
    if (status === BAD_REQUEST || status === UNPROCESSABLE) {
      reply.code(BAD_REQUEST);
      return { error: `invalid request: ${text}` };
    }
    if (status > SERVER_ERROR && status !== OVERLOADED) reply.code(SERVER_ERROR);
    return { error: text };
  });
}

const { 422: _, ...others } = sharedErrors;
const errors = {
  schema: emulateErrorSchema,
  texts: {
    ...others,
    400: 'A field is missing or malformed; the text names it',
    500: 'The account does not take the message, or that could not be found out within 3 seconds',
  },
};

const style: InterfaceStyle = {
  envelope: (result) => result,
  exampleBody: (result) => result,
  errors,
  parameterExamples: PARAMETER_EXAMPLES,
};

const document: DocumentOptions = {
  title: 'tongate emulate',
  version: V3_VERSION,
  description: 'Predicts what messages would do on the TON blockchain if they were sent.',
  tags: { emulate: 'Messages that are not sent.' },
  errors,
};
