import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type ControlAccess,
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

async function appWith(access: ControlAccess = 'loopback'): Promise<FastifyInstance> {
  const plugin = createLocalnetRoutes({ control, access });
  const app = await createTestApp({ overrides: { interfaces: [{ prefix: '/localnet', plugin }] } });
  open.push(app);
  return app;
}

async function ask(app: FastifyInstance, url: string, options: InjectOptions = {}) {
  const answer = await app.inject({ url: `/localnet/${url}`, headers: { host: 'localhost:1' }, ...options });
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
    ['advance', { seconds: '5' }, 400, 'seconds should be a whole number of seconds, 1 or more, not "5"'],
    ['advance', { seconds: 0 }, 400, 'seconds should be a whole number of seconds, 1 or more, not 0'],
    ['advance', { seconds: 1e9 }, 400, 'too many seconds'],
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

  it('need no key and count against no rate limit', async () => {
    const access = testAccess(async () => {
      throw new Failure('rate_limited', 'no');
    });
    const plugin = createLocalnetRoutes({ control, access: 'loopback' });
    const app = await createTestApp({ access, overrides: { interfaces: [{ prefix: '/localnet', plugin }] } });
    open.push(app);
    expect((await ask(app, 'status')).status).toBe(200);
  });
});

describe('localnet commands with LOCALNET_CONTROL=loopback and =all', () => {
  const cases: [string, InjectOptions, boolean][] = [
    ['this machine', { remoteAddress: '127.0.0.1' }, true],
    ['this machine by IPv6', { remoteAddress: '::1', headers: { host: '[::1]:8081' } }, true],
    ['this machine as IPv6 shows it', { remoteAddress: '::ffff:127.0.0.1' }, true],
    ['a page of this machine', { headers: { host: 'localhost', origin: 'http://localhost:3000' } }, true],
    ['another machine', { remoteAddress: '10.0.0.1' }, false],
    ['a page of another site', { headers: { host: 'localhost', origin: 'https://example.org' } }, false],
    ['a page of nowhere', { headers: { host: 'localhost', origin: 'null' } }, false],
    ['a name that leads here', { headers: { host: 'example.org' } }, false],
    ['a proxy here', { headers: { host: 'localhost', 'x-forwarded-for': '10.0.0.1' } }, false],
  ];
  it.each(cases)('from %s are accepted as expected', async (_, options, mayCall) => {
    expect((await ask(await appWith(), 'status', options)).status).toBe(mayCall ? 200 : 403);
    expect((await ask(await appWith('all'), 'status', options)).status).toBe(200);
  });
});
