import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIXED_VALUES, fillExamples } from '../../src/http/example-values.ts';
import { createLocalnetRoutes, localnetOperations } from '../../src/http/localnet-routes.ts';
import type { Operation } from '../../src/http/operation.ts';
import { createV2Interface } from '../../src/v2/interface.ts';
import { v2Operations } from '../../src/v2/operations.ts';
import { createEmulateTonConnect, createEmulateTrace } from '../../src/v3/emulate.ts';
import { createEmulateInterface } from '../../src/v3/emulate-interface.ts';
import { createV3Interface } from '../../src/v3/interface.ts';
import { createV3Operations } from '../../src/v3/operations.ts';
import { createTestApp, NO_CHAIN } from '../support/app.ts';
import { NO_INDEX } from '../v3/support/build-app.ts';
import { queryOf } from '../v3/support/walk-app.ts';

const limits = { defaultLimit: 10, maxLimit: 1000 };
const BAD = 'b@d value';

// biome-ignore lint/suspicious/noExplicitAny: parameters are read before a call is made
type AnyOperation = Operation<any>;

const INTERFACES: readonly (readonly [string, readonly AnyOperation[]])[] = [
  ['/api/v2', v2Operations],
  ['/api/v3', createV3Operations(limits)],
  ['/api/emulate/v1', [createEmulateTrace(), createEmulateTonConnect()]],
  ['/localnet', localnetOperations],
];

/**
 * Parameters by name or by `operation.name` that take any text, whose faults are found by the handler (a cursor, an
 * address and an amount of the faucet), or that tonlib refuses with a status of its own (cells and stacks of v2).
 */
const ANY_TEXT: ReadonlySet<string> = new Set([
  'name',
  'method',
  'category',
  'domain',
  'bodies',
  'supported_action_types',
  'addressBook.address',
  'metadata.address',
  'cursor',
  'staking/nominatorPools/validatorEvents.type',
  'fund.address',
  'fund.amount',
  'stack',
  'body',
  'init_code',
  'init_data',
]);

/** Texts that the contracts of v2 and v3 fix; they name the parameter, or what is wrong with it. */
const FIXED_TEXTS = [
  /^failed to parse (?:get|post) request: /,
  /^(?:invalid request: )?failed to decode: schema: error converting value for (?:index \d+ of )?"\w+"/,
  /^failed to validate request: /,
  /^wrong value for sort parameter$/,
  /^\w+ should be one of: /,
  /^index should contain digits only$/,
  /^(?:exclude_)?action_type contains invalid characters$/,
  /^Error while parsing cell/,
  /^invalid opcode format at index 0: b@d value$/,
  /^\w+ must be one of: /,
  /^invalid after cursor$/,
  /^\w+ must be a 32-byte value in hex, base64 or base64url format$/,
];

describe('texts that refuse a value', () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    const control = {} as never;
    app = await createTestApp({
      overrides: {
        interfaces: [
          { prefix: '/api/v2', plugin: createV2Interface({ ports: NO_CHAIN, maxBatch: 100 }) },
          { prefix: '/api/v3', plugin: createV3Interface({ ports: NO_INDEX, limits }) },
          { prefix: '/api/emulate', plugin: createEmulateInterface({ ports: NO_INDEX, emulation: control }) },
          { prefix: '/localnet', plugin: createLocalnetRoutes({ control }) },
        ],
      },
    });
  });
  afterAll(() => app?.close());

  const cases = INTERFACES.flatMap(([prefix, operations]) =>
    operations.flatMap((operation) =>
      Object.keys(operation.parameters)
        .filter((name) => !ANY_TEXT.has(name) && !ANY_TEXT.has(`${operation.name}.${name}`))
        .map((name) => [`${prefix}/${operation.name}`, name, operation] as const),
    ),
  );

  it.each(cases)('%s: %s is named, with the value that was given', async (url, name, operation) => {
    const shown = operation.examples.find((example) => 'result' in example)?.params ?? {};
    const params = { ...JSON.parse(fillExamples(JSON.stringify(shown), FIXED_VALUES)), [name]: BAD };
    const request: InjectOptions = operation.methods.includes('POST')
      ? { method: 'POST', url, payload: params }
      : { method: 'GET', url: `${url}?${queryOf(params)}` };
    const response = await app.inject(request);
    const { error } = response.json();
    expect([400, 422], error).toContain(response.statusCode);
    if (FIXED_TEXTS.some((text) => text.test(error))) return;
    expect(error).toContain(name);
    expect(error).toContain(BAD);
  });
});
