import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLiveChain } from '../../../src/live/chain.ts';
import { openDemoWallets } from '../../../src/localnet/demo/demo-wallets.ts';
import { createCall } from '../../live/support/make-call.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type FaultyServers, openFaultyServers } from '../../v2/support/faulty-servers.ts';
import { buildV3App, NO_INDEX } from '../support/build-app.ts';

const ALICE = openDemoWallets().alice.address.toRawString();
const OPERATIONS = ['accountStates', 'walletStates', 'addressInformation', 'walletInformation'];

let context: FaultyServers;
let empty: TestDatabase;
/** With live fallback, and without it. */
let app: FastifyInstance;
let closed: FastifyInstance;

beforeAll(async () => {
  [context, empty] = await Promise.all([openFaultyServers({ demo: true, servers: 1 }), createTestDatabase()]);
  const { pool, log } = context;
  // No test here runs a contract.
  const live = createLiveChain(createCall({ pool, log, vm: undefined as never }, { requestMs: 1000 }).ports);
  const ports = { ...NO_INDEX, database: empty.database, live };
  app = await buildV3App({ ports: { ...ports, liveFallback: true } });
  closed = await buildV3App({ ports });
});
afterEach(() => {
  context.servers[0]!.misbehave(undefined);
  context.servers[0]!.lies = false;
});
afterAll(async () => {
  await app?.close();
  await closed?.close();
  await context?.close();
  await empty?.drop();
});

async function ask(on: FastifyInstance, url: string, headers = {}) {
  const answer = await on.inject({ url: `/api/v3/${url}`, headers });
  return { status: answer.statusCode, body: answer.json(), source: answer.headers['x-tongate-source'] };
}

describe('v3 with a failing lite server', () => {
  async function expectUnknown(): Promise<void> {
    const answers = (on: FastifyInstance, headers: object) =>
      Promise.all(OPERATIONS.map((name) => ask(on, `${name}?address=${ALICE}`, headers)));
    expect(await answers(app, { 'x-timeout': '400' })).toEqual(await answers(closed, {}));
  }

  it('leaves out accounts that the server cannot return', async () => {
    context.servers[0]!.misbehave({ kind: 'error', code: 651, text: 'not ready' });
    await expectUnknown();
    for (const name of ['addressInformation', 'walletInformation'])
      expect((await ask(app, `${name}?address=${ALICE}&use_v2=true`)).body).toEqual({
        code: 500,
        error: expect.stringContaining('not ready'),
      });
  });

  it('leaves out accounts when the server does not respond, within the time of the caller', async () => {
    context.servers[0]!.misbehave({ kind: 'silent' });
    const startedAt = performance.now();
    await expectUnknown();
    expect(performance.now() - startedAt).toBeLessThan(5000);
    expect((await ask(app, `addressInformation?address=${ALICE}&use_v2=true`)).body).toEqual({
      code: 504,
      error: expect.any(String),
    });
  });

  it('leaves out accounts whose responses fail verification', async () => {
    context.servers[0]!.lies = true;
    await expectUnknown();
  });

  it('answers 500 or 504 when no server is live', async () => {
    await context.servers[0]!.stop();
    await expectUnknown();
    const sent = { method: 'POST' as const, url: '/api/v3/runGetMethod' };
    const [run, ...answers] = await Promise.all([
      app.inject({ ...sent, payload: { address: ALICE, method: 'seqno' } }),
      ...['addressInformation', 'walletInformation'].map((name) =>
        ask(app, `${name}?address=${ALICE}&use_v2=true`),
      ),
    ]);
    for (const { status, body } of answers) {
      expect([500, 504]).toContain(status);
      expect(body).toEqual({ code: status, error: expect.any(String) });
    }
    expect([500, 504]).toContain(run.statusCode);
    await context.servers[0]!.start();
  });
});
