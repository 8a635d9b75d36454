import Ajv from 'ajv';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLAIN_FORMAT } from '../../src/http/serializer.ts';
import { v2Operations } from '../../src/v2/operations.ts';
import { createTestApp } from '../support/app.ts';
import { contractSchemas, missingContract, type ResponseSchemas } from './support/response-schemas.ts';
import { callV2, transportsOf } from './support/transports.ts';

/** Examples that vary need a chain and are sent in walk.test.ts; here only their form is checked. */
describe('examples of v2 operations', () => {
  let app: FastifyInstance;
  const ajv = new Ajv.default({ strict: false, formats: { [PLAIN_FORMAT]: true } });
  beforeAll(async () => {
    app = await createTestApp();
  });
  afterAll(() => app.close());

  for (const operation of v2Operations) {
    it(`${operation.name} has a successful example`, () => {
      expect(operation.examples.some((example) => 'result' in example)).toBe(true);
    });
    const names = [operation.name, ...(operation.aliases ?? [])];
    for (const example of operation.examples) {
      if ('result' in example) {
        it(`${operation.name}, ${example.title}: the result matches the schema`, () => {
          expect(ajv.validate(operation.result, example.result), ajv.errorsText()).toBe(true);
        });
      }
      if ('varies' in example) continue;
      for (const transport of transportsOf(operation)) {
        it.each(names)(`%s, ${example.title}, by ${transport}`, async (name) => {
          const { status, body } = await callV2(app, transport, name, example.params);
          const rpc = transport === 'rpc' ? { jsonrpc: '2.0', id: '1' } : {};
          if ('result' in example) {
            const extra = expect.stringMatching(/^\d{10}:(_|\d+(,\d+)*):\d+(\.\d+)?(:c)?$/);
            expect(body).toEqual({ ok: true, result: example.result, '@extra': extra, ...rpc });
            expect(status).toBe(200);
          } else {
            const { code, text } = example.failure;
            const error = typeof text === 'string' ? text : text[transport === 'get' ? 'query' : 'body'];
            expect(body).toEqual({ ok: false, error, code, '@extra': expect.any(String), ...rpc });
            expect(status).toBe(code);
          }
        });
      }
    }
  }
});

/** Examples that vary need a chain and are sent in walk.test.ts. */
describe.skipIf(missingContract !== '')(
  `examples against the reference contract of v2${missingContract}`,
  () => {
    let app: FastifyInstance;
    let schemas: ResponseSchemas;
    beforeAll(async () => {
      app = await createTestApp();
      schemas = contractSchemas();
    });
    afterAll(() => app.close());

    for (const operation of v2Operations) {
      for (const example of operation.examples) {
        if ('varies' in example) continue;
        it.each(transportsOf(operation))(`${operation.name}, ${example.title}, by %s`, async (transport) => {
          const { status, body } = await callV2(app, transport, operation.name, example.params);
          const name = transport === 'rpc' ? 'jsonRPC' : operation.name;
          expect(schemas.faults(name, transport === 'get' ? 'get' : 'post', status, body)).toBe('');
        });
      }
    }
  },
);
