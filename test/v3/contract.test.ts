import type { FastifyInstance } from 'fastify';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIXED_VALUES, fillExamples } from '../../src/http/example-values.ts';
import { requestReindex } from '../../src/index/write/reindex.ts';
import { createPayerBudget } from '../../src/lib/payer-budget.ts';
import { createV3Operations } from '../../src/v3/operations.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';

let test: TestDatabase;
let app: FastifyInstance;
beforeAll(async () => {
  test = await createTestDatabase();
  const { database } = test;
  const reindex = {
    request: (accounts: readonly Buffer[]) => requestReindex(database.primary, accounts),
    budget: createPayerBudget({ unitsPerRps: undefined, savedSeconds: 0, minSaved: 0, expected: 1 }),
  };
  app = await buildV3App({ operations, ports: { ...NO_INDEX, database, reindex } }, (app) => {
    app.addHook('onRequest', async (request) => {
      request.keyId = '1';
    });
  });
});
afterAll(async () => {
  await app.close();
  await test.drop();
});

const operations = createV3Operations({ defaultLimit: 10, maxLimit: 1000 });

function toQuery(params: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(params).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, String(each)]),
  );
  return new URLSearchParams(pairs).toString();
}

describe.each(operations.map((operation) => [operation.name, operation] as const))(
  '%s',
  (name, operation) => {
    it('has examples of success and of failure', () => {
      expect(operation.examples.some((example) => 'result' in example)).toBe(true);
      expect(operation.examples.some((example) => 'failure' in example)).toBe(true);
    });

    const runs = operation.methods.flatMap((method) =>
      operation.examples.map((example) => [method, example.title, example] as const),
    );
    it.each(runs)('%s: %s', async (method, _title, example) => {
      const url = `/api/v3/${name}`;
      const params = JSON.parse(fillExamples(JSON.stringify(example.params), FIXED_VALUES));
      const answer =
        method === 'GET'
          ? await app.inject({ url: `${url}?${toQuery(params)}` })
          : await app.inject({ method, url, payload: params });
      if ('result' in example) {
        // The index is empty here, so the subject of an example may be missing.
        if ('varies' in example && answer.statusCode === 404) {
          expect(Compile(operation.result).Check(example.result)).toBe(true);
          return;
        }
        expect(answer.statusCode).toBe(200);
        if (!('varies' in example)) expect(answer.json()).toEqual(example.result);
        expect(Compile(operation.result).Check(example.result)).toBe(true);
        expect(Compile(operation.result).Check(answer.json())).toBe(true);
        return;
      }
      const { code, text } = example.failure;
      const error = typeof text === 'string' ? text : text[method === 'GET' ? 'query' : 'body'];
      expect([answer.statusCode, answer.json()]).toEqual([code, { code, error }]);
    });
  },
);
