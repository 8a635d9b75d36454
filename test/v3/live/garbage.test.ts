import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createV3Operations } from '../../../src/v3/operations.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { arbitraryJson, arbitraryText } from '../../v2/faults/arbitrary-json.ts';
import { buildV3App, NO_INDEX } from '../support/build-app.ts';

const ADDRESS = `0:${'ab'.repeat(32)}`;
const EMPTY = 'te6cckEBAQEAAgAAAEysuc0=';
/** A valid request to each operation. */
const GOOD: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  accountStates: { address: ADDRESS, code_hash: 'ab'.repeat(32), include_boc: false },
  walletStates: { address: ADDRESS, code_hash: 'ab'.repeat(32) },
  topAccountsByBalance: { limit: 5, offset: 1, cursor: '' },
  addressInformation: { address: ADDRESS, use_v2: false },
  walletInformation: { address: ADDRESS, use_v2: true },
  runGetMethod: { address: ADDRESS, method: 'seqno', stack: [{ type: 'num', value: 1 }] },
  estimateFee: { address: ADDRESS, body: EMPTY, init_code: EMPTY, init_data: EMPTY, ignore_chksig: true },
  message: { boc: EMPTY },
};

let test: TestDatabase;
let app: FastifyInstance;
beforeAll(async () => {
  test = await createTestDatabase();
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database, liveFallback: true } });
});
afterAll(async () => {
  await app?.close();
  await test?.drop();
});

const operations = createV3Operations({ defaultLimit: 10, maxLimit: 1000 }).filter(
  ({ name }) => name in GOOD,
);

describe.each(operations.map((one) => [one.name, one] as const))('%s', (name, { methods, parameters }) => {
  const isPost = methods.includes('POST');

  async function ask(params: Readonly<Record<string, unknown>>, json?: string) {
    const query = Object.fromEntries(Object.entries(params).map(([key, value]) => [key, String(value)]));
    const payload = json ?? JSON.stringify(params);
    const answer = await app.inject({
      method: isPost ? 'POST' : 'GET',
      url: `/api/v3/${name}`,
      ...(isPost ? { payload, headers: { 'content-type': 'application/json' } } : { query }),
    });
    return { status: answer.statusCode, body: answer.json() };
  }

  it('accepts valid parameters', async () => {
    expect(Object.keys(GOOD[name]!).sort()).toEqual(Object.keys(parameters).sort());
    expect((await ask(GOOD[name]!)).status).toBe(200);
  });

  it.each(Object.keys(parameters))('rejects an invalid %s and names it', async (parameter) => {
    const { [parameter]: _, ...rest } = GOOD[name]!;
    await fc.assert(
      fc.asyncProperty(arbitraryText, arbitraryJson, async (text, json) => {
        const members = Object.entries(rest).map(
          ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`,
        );
        const whole = `{${[...members, `${JSON.stringify(parameter)}:${json}`].join()}}`;
        const { status, body } = await ask({ ...rest, [parameter]: text }, whole);
        if (status === 200) return;
        expect([status, body.code]).toEqual([422, 422]);
        expect(body.error).toMatch(new RegExp(`${parameter}|failed to parse post request`));
      }),
      { numRuns: 30 },
    );
  });
});
