import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import type { RequestCheck } from '../../src/http/guarded-routes.ts';
import {
  createLocalnetRoutes,
  type LocalnetControl,
  localnetOperations,
} from '../../src/http/localnet-routes.ts';
import { Failure } from '../../src/lib/errors.ts';
import { createTestApp, testAccess } from '../support/app.ts';

const open: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
});

const position = { seqno: 1, root_hash: 'c1' };
const status = localnetOperations.find(({ name }) => name === 'status')!.examples[0] as { result?: object };

/** A chain that returns the arguments of the commands. */
const control: LocalnetControl = {
  status: () => status.result,
  fund: async (address, amount) => ({ address, amount, ...position }),
  advance: async (seconds) => {
    if (seconds > 1000) throw new Failure('bad_request', 'too many seconds');
    return { time: seconds, offset_seconds: 0, hint: '', ...position };
  },
  snapshot: async (name) => ({ name, ...position }),
  restore: async () => {
    throw new Failure('not_found', 'there is no such snapshot');
  },
  mine: async (count) => ({ ...position, seqno: count }),
  rotate: async () => {
    throw new Error('insides');
  },
};

async function appWith(check?: RequestCheck): Promise<FastifyInstance> {
  const plugin = createLocalnetRoutes({ control, check });
  const app = await createTestApp({ overrides: { interfaces: [{ prefix: '/localnet', plugin }] } });
  open.push(app);
  return app;
}

async function ask(app: FastifyInstance, url: string, options: InjectOptions = {}) {
  const answer = await app.inject({ url: `/localnet/${url}`, ...options });
  return { status: answer.statusCode, body: answer.json() };
}
const post = (app: FastifyInstance, url: string, payload: object) =>
  ask(app, url, { method: 'POST', payload });

describe('localnet commands', () => {
  it('return their result', async () => {
    const app = await appWith();
    expect(await ask(app, 'status')).toEqual({ status: 200, body: { ok: true, result: status.result } });
    expect(await post(app, 'fund', { address: 'a', amount: '1.5' })).toMatchObject({
      body: { result: { address: 'a', amount: '1.5' } },
    });
    expect(await post(app, 'fund', { address: 'a', amount: 2 })).toMatchObject({
      body: { result: { amount: '2' } },
    });
    expect(await post(app, 'advance', { seconds: 5 })).toMatchObject({ body: { result: { time: 5 } } });
    expect(await post(app, 'snapshot', { name: 'x' })).toMatchObject({ body: { result: { name: 'x' } } });
    expect(await post(app, 'mine', {})).toMatchObject({ body: { result: { seqno: 1 } } });
    expect(await ask(app, 'mine', { method: 'POST' })).toMatchObject({ body: { result: { seqno: 1 } } });
  });

  it.each([
    ['fund', { amount: '1' }, 400, 'address is required: an account address'],
    [
      'fund',
      { address: 'a', amount: true },
      400,
      'amount should be a number of TON such as "12.5", not true',
    ],
    [
      'advance',
      { seconds: '5' },
      400,
      'seconds should be a whole number of seconds from 1 to 4294967295, not "5"',
    ],
    [
      'advance',
      { seconds: 0 },
      400,
      'seconds should be a whole number of seconds from 1 to 4294967295, not 0',
    ],
    ['advance', { seconds: 1e9 }, 400, 'too many seconds'],
    [
      'advance',
      { seconds: 2 ** 32 },
      400,
      'seconds should be a whole number of seconds from 1 to 4294967295, not 4294967296',
    ],
    ['mine', { count: 10_001 }, 400, 'count should be a whole number from 1 to 10000, not 10001'],
    ['mine', { count: 1.5 }, 400, 'count should be a whole number from 1 to 10000, not 1.5'],
    ['mine', { cuont: 3 }, 400, 'unknown parameter "cuont"; did you mean "count"?'],
    ['snapshot', [], 400, 'the body should be a JSON object, not []'],
    ['restore', { name: 'x' }, 404, 'there is no such snapshot'],
    ['rotate', {}, 500, 'internal server error'],
  ])('%s %j is rejected with its status and text', async (name, body, code, error) => {
    expect(await post(await appWith(), name, body)).toEqual({
      status: code,
      body: { ok: false, error, code },
    });
  });

  it.each([
    ['mine', 'DELETE', 'POST'],
    ['mine', 'QUERY', 'POST'],
    ['mine', 'GET', 'POST'],
    ['status', 'POST', 'GET, HEAD'],
  ])('%s is refused by %s with the methods that it has', async (name, method, allow) => {
    const app = await appWith();
    const answer = await app.inject({
      url: `/localnet/${name}`,
      method: method as 'DELETE',
      headers: { host: 'localhost:1' },
    });
    const body = { ok: false, error: 'Method Not Allowed', code: 405 };
    expect([answer.statusCode, answer.headers.allow, answer.json()]).toEqual([405, allow, body]);
    expect((await ask(app, 'nothing', { method: 'DELETE' })).status).toBe(404);
  });

  it('count against no rate limit', async () => {
    const access = testAccess(async () => {
      throw new Failure('rate_limited', 'no');
    });
    const plugin = createLocalnetRoutes({ control });
    const app = await createTestApp({ access, overrides: { interfaces: [{ prefix: '/localnet', plugin }] } });
    open.push(app);
    expect((await ask(app, 'status')).status).toBe(200);
  });
});

describe('localnet commands with a check', () => {
  it('are for those who pass it, and without one for everybody', async () => {
    const refuse: RequestCheck = async () => {
      throw new Failure('unknown_key', 'no key');
    };
    const refused = { status: 401, body: { ok: false, error: 'no key', code: 401 } };
    for (const url of ['status', 'fund'])
      expect(await ask(await appWith(refuse), url, { method: url === 'fund' ? 'POST' : 'GET' })).toEqual(
        refused,
      );
    const elsewhere = {
      headers: { host: 'example.org', origin: 'https://example.org' },
      remoteAddress: '10.0.0.1',
    };
    expect((await ask(await appWith(), 'status', elsewhere)).status).toBe(200);
  });
});
