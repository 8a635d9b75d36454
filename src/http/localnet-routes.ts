import type { FastifyPluginAsync } from 'fastify';
import Type, { type TSchema } from 'typebox';
import { addDocs, type LocalDocs } from './docs.ts';
import { addRouteErrors, startErrorReply } from './errors.ts';
import { guardRoutes, type RequestCheck } from './guarded-routes.ts';
import EXAMPLES from './localnet-examples.json' with { type: 'json' };
import { type DocumentOptions, securitySchemes } from './openapi.ts';
import {
  createRouteSchemas,
  defineOperation,
  type InterfaceStyle,
  type Operation,
  type OperationDefinition,
  type OperationExample,
  type Parameter,
  type ParameterSet,
  validateWith,
} from './operation.ts';
import { objectIn, readValues, wrongParameter } from './rest-routes.ts';

interface LocalnetRoutesOptions {
  readonly control: LocalnetControl;
  /** Who may send commands; everybody if it is left out. */
  readonly check?: RequestCheck | undefined;
  /** Absent where there is no docs page. */
  readonly docs?: LocalDocs | undefined;
}

const [BAD_REQUEST, UNPROCESSABLE] = [400, 422];
/** Of one command: more take minutes. */
const MAX_BLOCKS = 10_000;
/** Unix seconds in a block are 32 bits. */
const MAX_SECONDS = 2 ** 32 - 1;

/** The commands to the local chain as routes, free of limits. */
export function createLocalnetRoutes({ control, check, docs }: LocalnetRoutesOptions): FastifyPluginAsync {
  return async (app) => {
    app.setErrorHandler((error, request, reply) => {
      const { status, text } = startErrorReply(error, request, reply);
      const code = status === UNPROCESSABLE ? BAD_REQUEST : status;
      reply.code(code);
      return { ok: false, error: text, code };
    });
    addRouteErrors(app, () => 'Method Not Allowed');
    if (docs !== undefined) await addDocs(app, { ...document, local: docs });
    if (check !== undefined) guardRoutes(app, check);
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
    401: 'The key of the chain is missing or wrong',
    403: 'The host is not a name of this server, or the request is from a page of another origin',
    413: 'The body is larger than the text says',
    429: 'Too many wrong administration keys; see Retry-After',
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
    'Commands to the local chain. They need its API key, which the start prints, in the header `X-API-Key`, unless `LOCALNET_CONTROL=all`.',
  errors,
  tags: { localnet: 'Commands to the local chain.' },
  securitySchemes: { APIKeyHeader: securitySchemes.APIKeyHeader },
};

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

export const CHAIN_COMMANDS = [
  'status',
  'fund',
  'advance',
  'snapshot',
  'restore',
  'mine',
  'rotate',
] as const satisfies readonly (keyof LocalnetControl)[];

type Definition<P extends ParameterSet, R extends TSchema> = OperationDefinition<LocalnetControl, P, R>;

/** Declares a command, a POST unless it says otherwise, with its examples. */
function defineCommand<P extends ParameterSet, R extends TSchema>(
  definition: Omit<Definition<P, R>, 'name' | 'methods' | 'tag' | 'cache' | 'examples'> &
    Partial<Pick<Definition<P, R>, 'methods'>> & { readonly name: keyof typeof EXAMPLES },
): Operation<LocalnetControl> {
  const examples = EXAMPLES[definition.name] as readonly OperationExample<never>[];
  return defineOperation({ methods: ['POST'], ...definition, tag: 'localnet', cache: 'none', examples });
}

const position = {
  seqno: Type.Integer({ description: 'Seqno of the newest masterchain block.' }),
  root_hash: Type.String({ description: 'Its root hash in hex.' }),
};

const status = defineCommand({
  name: 'status',
  methods: ['GET'],
  summary: 'Get the state of the chain',
  description: 'The newest block, the clock, shards, snapshots, the lite server and the faucet.',
  parameters: {},
  result: Type.Object({
    ...position,
    block_time: Type.Integer({ description: 'Unix time of that block.' }),
    time: Type.Integer({ description: 'Clock of the chain, unix seconds.' }),
    offset_seconds: Type.Integer({ description: 'How far that clock is ahead of the machine.' }),
    shards: Type.Integer({ description: 'Shards of the basechain.' }),
    mine: Type.String({ description: 'When blocks are made: `interval` or `message`.' }),
    block_ms: Type.Integer({ description: 'Time between blocks.' }),
    waiting_messages: Type.Integer({ description: 'Messages that are not in a block yet.' }),
    snapshots: Type.Array(Type.String()),
    fault: Type.Optional(Type.String({ description: 'Why no more blocks are made.' })),
    lite_server: Type.Object({
      host: Type.String(),
      port: Type.Integer(),
      public_key: Type.String({ description: 'Base64.' }),
      config: Type.String({ description: 'Path of the global config for lite clients.' }),
    }),
    faucet: Type.Object({
      address: Type.String(),
      mnemonic: Type.String({ description: 'Public: never send anything of value to this wallet.' }),
    }),
  }),
  handler: (_params, control) => control.status() as never,
});

const fund = defineCommand({
  name: 'fund',
  summary: 'Send TON from the faucet',
  description: 'Responds when the money has arrived.',
  parameters: {
    address: requiredText('An account address in any form.', 'an account address'),
    amount: amount(),
  },
  result: Type.Object({
    address: Type.String({ description: 'Raw form.' }),
    amount: Type.String({ description: 'TON.' }),
    ...position,
  }),
  errors: [{ code: 409, when: 'The faucet does not have that much' }],
  handler: ({ address, amount }, control) => control.fund(address, amount) as never,
});

const advance = defineCommand({
  name: 'advance',
  summary: "Move the chain's clock forward",
  description:
    'Messages that are valid until an earlier time are not accepted any more: wallets must compute that time from the clock of the chain.',
  parameters: { seconds: wholeNumber('Seconds.', 'a whole number of seconds', MAX_SECONDS) },
  result: Type.Object({
    time: Type.Integer({ description: 'Clock of the chain, unix seconds.' }),
    offset_seconds: Type.Integer({ description: 'How far that clock is ahead of the machine.' }),
    hint: Type.String({ description: 'How wallets work on a chain whose clock is ahead.' }),
    ...position,
  }),
  handler: ({ seconds }, control) => control.advance(seconds) as never,
});

const mine = defineCommand({
  name: 'mine',
  summary: 'Make blocks at once',
  description:
    'They are made at once, whatever the block interval; queued messages go into the first of them.',
  parameters: { count: wholeNumber('Masterchain blocks to make.', 'a whole number', MAX_BLOCKS, 1) },
  result: Type.Object(position),
  handler: ({ count }, control) => control.mine(count) as never,
});

const rotate = defineCommand({
  name: 'rotate',
  summary: 'Put a new validator in the place of the present one',
  description: 'The new validator set is active from a key block on.',
  parameters: {},
  result: Type.Object({
    validator_set: Type.Integer({ description: 'Number of the set.' }),
    ...position,
  }),
  errors: [{ code: 409, when: 'The validator of the chain is not one of its own' }],
  handler: (_params, control) => control.rotate() as never,
});

const snapshotResult = Type.Object({ name: Type.String(), ...position });
const snapshotParameters = {
  name: requiredText('Name of the snapshot: letters, digits, `.`, `_` and `-`.', 'the name of a snapshot'),
};

const snapshot = defineCommand({
  name: 'snapshot',
  summary: 'Keep the chain as it is now',
  description: 'A snapshot of the same name is replaced.',
  parameters: snapshotParameters,
  result: snapshotResult,
  handler: ({ name }, control) => control.snapshot(name) as never,
});

const restore = defineCommand({
  name: 'restore',
  summary: 'Put the chain back to a snapshot',
  description:
    'The response comes when v2 and v3 of this process agree with the restored chain, or says why v3 does not.',
  parameters: snapshotParameters,
  result: Type.Object({
    name: Type.String(),
    ...position,
    index: Type.Optional(
      Type.Object(
        {
          agrees: Type.Boolean({
            description:
              'Whether the newest indexed block is one of the chain, and not before the restored one.',
          }),
          seqno: Type.Union([Type.Integer(), Type.Null()], {
            description: 'The newest indexed masterchain block; null while nothing is indexed.',
          }),
          reason: Type.Optional(Type.String({ description: 'Why it does not agree.' })),
        },
        { description: 'The index; left out where there is none.' },
      ),
    ),
  }),
  errors: [{ code: 404, when: 'There is no snapshot of that name' }],
  handler: ({ name }, control) => control.restore(name) as never,
});

/** All commands, in the order of the docs page. */
export const localnetOperations: readonly Operation<LocalnetControl>[] = [
  status,
  fund,
  advance,
  mine,
  rotate,
  snapshot,
  restore,
];

function requiredText(description: string, form: string): Parameter<string> {
  return {
    schema: Type.String(),
    description,
    required: true,
    read: ({ name, values: [value] }) => {
      if (typeof value !== 'string' || value === '') throw wrongParameter(name, form, value);
      return value;
    },
  };
}

/** A number is fine where it is exact; other amounts come as text. */
function amount(): Parameter<string> {
  return {
    schema: Type.Union([Type.String(), Type.Number()]),
    description: 'TON, with up to 9 digits after the point.',
    required: true,
    read: ({ name, values: [value] }) => {
      if (typeof value !== 'string' && typeof value !== 'number')
        throw wrongParameter(name, 'a number of TON such as "12.5"', value);
      return String(value);
    },
  };
}

/** A number from 1 to a maximum. */
function wholeNumber(
  description: string,
  form: string,
  maximum: number,
  fallback?: number,
): Parameter<number> {
  return {
    schema: Type.Integer({ minimum: 1, maximum, ...(fallback !== undefined && { default: fallback }) }),
    description,
    required: fallback === undefined,
    read: ({ name, values: [value = fallback] }) => {
      if (!Number.isInteger(value) || Number(value) < 1 || Number(value) > maximum)
        throw wrongParameter(name, `${form} from 1 to ${maximum}`, value);
      return Number(value);
    },
  };
}
