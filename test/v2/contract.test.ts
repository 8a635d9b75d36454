import { existsSync, readFileSync } from 'node:fs';
import Ajv from 'ajv';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { v2Operations } from '../../src/v2/operations-list.ts';
import { createTestApp } from '../support/app.ts';
import { callV2, TRANSPORTS } from './transports.ts';

const CONTRACT = new URL('../../../shared/spec/v2.contract.json', import.meta.url);
const missing = existsSync(CONTRACT) ? '' : ' (skipped: the reference contract is not beside this checkout)';

/** The contract's schemas are closed: an answer with a key too many fails as well. */
describe.skipIf(missing !== '')(`answers against the reference contract of v2${missing}`, () => {
  let app: FastifyInstance;
  const ajv = new Ajv.default({ strict: false, validateFormats: false });
  beforeAll(async () => {
    app = await createTestApp();
    ajv.addSchema(JSON.parse(readFileSync(CONTRACT, 'utf8')), 'contract');
  });
  afterAll(() => app.close());

  for (const operation of v2Operations) {
    for (const example of operation.examples) {
      it.each(TRANSPORTS)(`${operation.name}, ${example.title}, by %s`, async (transport) => {
        const { status, body } = await callV2(app, transport, operation.name, example.params);
        const path = transport === 'rpc' ? 'jsonRPC' : operation.name;
        const answer = `paths/~1api~1v2~1${path}/${transport === 'get' ? 'get' : 'post'}/responses/200`;
        const schema = status === 200 ? answer : 'components/responses/default';
        const found = ajv.getSchema(`contract#/${schema}/content/application~1json/schema`);
        expect(found, schema).toBeDefined();
        expect(found!(body), ajv.errorsText(found!.errors)).toBe(true);
      });
    }
  }
});
