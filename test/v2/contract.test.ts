import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { v2Operations } from '../../src/v2/operations-list.ts';
import { createTestApp } from '../support/app.ts';
import { type AnswerSchemas, contractSchemas, missingContract } from './support/answer-schemas.ts';
import { callV2, transportsOf } from './transports.ts';

/** What needs a chain is asked on one by the walk. */
describe.skipIf(missingContract !== '')(
  `examples against the reference contract of v2${missingContract}`,
  () => {
    let app: FastifyInstance;
    let schemas: AnswerSchemas;
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
