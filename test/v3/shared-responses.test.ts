import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createV3Interface } from '../../src/v3/interface.ts';
import { createTestApp, testAccess } from '../support/app.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { NO_INDEX } from './support/build-app.ts';

const INFO = '/api/v3/masterchainInfo';
const BLOCKS = '/api/v3/blocks';

let test: TestDatabase;
let app: FastifyInstance;
let reads = 0;
beforeAll(async () => {
  test = await createTestDatabase();
  const v3 = createV3Interface({
    ports: {
      ...NO_INDEX,
      database: {
        read(work) {
          reads++;
          return test.database.read(work);
        },
      },
    },
    limits: { defaultLimit: 10, maxLimit: 1000 },
    // On a busy machine all are slow, and one without a turn would be read again.
    reads: { slowReads: 100 },
  });
  app = await createTestApp({
    access: testAccess(async (request) => {
      Object.assign(request, { payer: { id: String(request.headers['x-caller']), rps: 1000 } });
    }),
    overrides: { interfaces: [{ prefix: '/api/v3', plugin: v3 }] },
  });
});
afterAll(async () => {
  await app.close();
  await test.drop();
});

interface Sent {
  readonly url: string;
  readonly caller?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends requests at the same time; returns how many reads of the index they took, and the statuses. */
async function sendTogether(requests: readonly Sent[]) {
  reads = 0;
  const responses = await Promise.all(
    requests.map(({ url, caller = 'a', headers }) =>
      app.inject({ url, headers: { 'x-caller': caller, ...headers } }),
    ),
  );
  return { reads, responses };
}

describe('equal requests that arrive together', () => {
  it('are answered by the read of the first one and one for all others', async () => {
    const { reads, responses } = await sendTogether(Array.from({ length: 10 }, () => ({ url: BLOCKS })));
    expect(reads).toBe(2);
    expect(new Set(responses.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
    expect(responses[0]!.statusCode).toBe(200);
    const told = responses.map(({ headers }) => [headers.etag, headers['x-tongate-seqno']]);
    expect(new Set(told.map(String))).toEqual(new Set([`${responses[0]!.headers.etag},0`]));
  });

  it('are read one by one if they differ in parameters, options, or who pays', async () => {
    const different: Sent[] = [
      { url: BLOCKS },
      { url: `${BLOCKS}?limit=1` },
      { url: BLOCKS, caller: 'b' },
      { url: BLOCKS, headers: { 'x-timeout': '2000' } },
      { url: BLOCKS, headers: { 'x-no-address-book': 'true' } },
    ];
    expect((await sendTogether(different)).reads).toBe(different.length);
  });

  it('are refused one by one', async () => {
    const { responses } = await sendTogether(Array.from({ length: 4 }, () => ({ url: INFO })));
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404]);
    expect(responses.map(({ headers }) => headers['x-tongate-seqno'])).toEqual(
      ['0', '0', '0', '0'].map(String),
    );
  });
});
