import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { type BodyDecoder, createBodyDecoder } from '../../chain/messages/body-decoder.ts';
import { HangUps } from '../../http/hang-ups.ts';
import type { Operation } from '../../http/operation.ts';
import { addDocs } from '../../http/plugins/docs.ts';
import { addRouteRefusals } from '../../http/route-refusals.ts';
import { compileSerializer } from '../../http/serializer.ts';
import { Failure } from '../../lib/failure.ts';
import type { EmulationBudget, EmulationLeave, EmulationPayer } from '../../pending/emulation-budget.ts';
import type { V3Ports } from '../call.ts';
import { createDecodedBodies } from '../decoded-bodies.ts';
import { sendV3 } from '../envelope.ts';
import { bodyValues, queryValues } from '../query.ts';
import { readRequestOptions } from '../request-options.ts';
import type { EmulateCall, EmulationPort } from './emulate-call.ts';
import { addEmulateEnvelope } from './emulate-envelope.ts';
import { createEmulateOperations, emulateDocument } from './emulate-openapi.ts';
import { inTime } from './in-time.ts';

export interface EmulateInterfaceOptions {
  readonly ports: V3Ports;
  readonly emulation: EmulationPort;
}

const MAX_BODY_BYTES = 2 * 1024 * 1024;
/** Clients rely on it that an answer comes by then, or none. */
const LIMIT_MS = 3000;

/** The interface that emulates, as a plugin; the application registers it below its prefix. */
export function createEmulateInterface(options: EmulateInterfaceOptions): FastifyPluginAsync {
  const operations = createEmulateOperations();
  const document = emulateDocument(operations);
  const shared = { ...options, decoder: createBodyDecoder(), hangUps: new HangUps() };
  return async (app) => {
    addEmulateEnvelope(app);
    addRouteRefusals(app, () => 'Method Not Allowed');
    for (const operation of operations) addOperation(app, operation, shared);
    await addDocs(app, { title: 'tongate emulate', document });
  };
}

interface Shared extends EmulateInterfaceOptions {
  readonly decoder: BodyDecoder;
  readonly hangUps: HangUps;
}

function addOperation(app: FastifyInstance, operation: Operation<EmulateCall>, shared: Shared): void {
  const { ports, emulation, decoder, hangUps } = shared;
  const serialize = compileSerializer(operation.result);
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const { log, startedAtMs, liteGroup: group, payer } = request;
    const params = readFields(operation, request.body);
    const options = readRequestOptions(request.headers, queryValues(request.query));
    const leave = askLeave(emulation.budget, payer);
    const startMs = performance.now();
    let paidMs: number | undefined;
    const call = {
      ...{ ports, emulation, log, options, bodies: createDecodedBodies(decoder), answer: {} },
      caller: { group, client: request.raw.socket, startedAtMs, payer },
      ...{ deadlineMs: startedAtMs + LIMIT_MS, mostMs: leave.mostMs },
      charge: (ms: number) => {
        paidMs = (paidMs ?? 0) + ms;
      },
    };
    try {
      const result = await inTime(call, hangUps, (signal) => operation.handler(params, { ...call, signal }));
      return sendV3(reply, serialize(result));
    } finally {
      // What came to nothing may have had the machine for all its time.
      leave.spent(paidMs ?? performance.now() - startMs);
    }
  };
  app.route({
    method: [...operation.methods],
    // Letter case does not count below this prefix: requests arrive here in lower case.
    url: `/v1/${operation.name.toLowerCase()}`,
    bodyLimit: MAX_BODY_BYTES,
    config: { operation: operation.name, interface: 'emulate' },
    handler,
  });
}

/** Where nobody counts requests, nobody counts emulations. */
function askLeave(budget: EmulationBudget, payer: EmulationPayer | undefined): EmulationLeave {
  if (payer === undefined) return { mostMs: Number.POSITIVE_INFINITY, spent: () => {} };
  const leave = budget.leave(payer);
  if (leave !== undefined) return leave;
  throw new Failure('rate_limited', 'Ratelimit exceeded: the time for emulations is spent', {
    retryAfterSeconds: budget.retrySeconds(payer),
  });
}

/** Reads the fields of a body in their order; the first that is wrong is told of. */
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
