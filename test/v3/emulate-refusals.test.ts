import { Socket } from 'node:net';
import { beginCell } from '@ton/core';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClientDisconnects } from '../../src/lib/client-disconnects.ts';
import { Failure } from '../../src/lib/errors.ts';
import { createEmulateInterface, withDeadline } from '../../src/v3/emulate-interface.ts';
import type { EmulationPort } from '../../src/v3/emulation.ts';
import { checkVmBudget, createVmBudget } from '../../src/vm/vm.ts';
import { createTestApp } from '../support/app.ts';
import { NO_INDEX } from './support/build-app.ts';

const CALLER = { id: 'somebody', rps: 1 };
const budget = createVmBudget({ msPerRps: 1 });
const nothing = (): never => {
  throw new Failure('no_lite_server', 'there is no chain behind this');
};
const emulation: EmulationPort = {
  context: { open: nothing },
  emulator: { emulate: nothing },
  classify: nothing,
  tokens: nothing,
  admit: (payer) => checkVmBudget(budget, payer),
  budget,
};

let app: FastifyInstance;
beforeAll(async () => {
  const emulate = createEmulateInterface({ ports: NO_INDEX, emulation });
  app = await createTestApp({
    overrides: {
      cors: false,
      interfaces: [
        {
          prefix: '/api/emulate',
          plugin: async (scope) => {
            scope.decorateRequest('payer', { getter: () => CALLER });
            await emulate(scope, {});
          },
        },
      ],
    },
  });
});
afterAll(() => app.close());

async function post(name: string, body: unknown, headers = {}) {
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await app.inject({
    method: 'POST',
    url: `/api/emulate/v1/${name}`,
    payload,
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
}

const ADDRESS = `0:${'ab'.repeat(32)}`;
const BOC = beginCell().endCell().toBoc().toString('base64');
const MESSAGE = { address: ADDRESS, amount: '1' };
const TRACE = { boc: BOC };
const CONNECT = { from: ADDRESS, messages: [MESSAGE] };
const NOT_BOCS = ['x', 'te6', '????', `${BOC}AAAA`, 'AAAA', 7, {}, ['x'], true];

/** A request that is refused, and the error text. */
type Case = readonly [name: string, body: unknown, text: string];

const withMessage = (message: unknown) => ({ ...CONNECT, messages: [MESSAGE, message] });
const CASES: readonly Case[] = [
  ['emulateTrace', {}, 'boc is required'],
  ['emulateTrace', { boc: '' }, 'boc is required'],
  ['emulateTrace', { boc: null }, 'boc is required'],
  ...NOT_BOCS.map((boc): Case => ['emulateTrace', { boc }, 'invalid boc: ']),
  ['emulateTonConnect', {}, 'from address is required for emulation'],
  ['emulateTonConnect', { ...CONNECT, from: '' }, 'from address is required for emulation'],
  ...['x', 'ab'.repeat(32), `500:${'ab'.repeat(32)}`, 7, {}, []].map(
    (from): Case => ['emulateTonConnect', { ...CONNECT, from }, 'invalid from address: '],
  ),
  ['emulateTonConnect', { from: ADDRESS }, 'messages array cannot be empty'],
  ['emulateTonConnect', { from: ADDRESS, messages: [] }, 'messages array cannot be empty'],
  ['emulateTonConnect', { from: ADDRESS, messages: 'x' }, 'messages must be an array'],
  [
    'emulateTonConnect',
    { from: ADDRESS, messages: Array(5).fill(MESSAGE) },
    'messages array cannot contain more than 4 messages',
  ],
  ...[null, {}, 7, 'x', [], { amount: '1' }, { ...MESSAGE, address: '' }].map(
    (message): Case => ['emulateTonConnect', withMessage(message), 'message at index 1 cannot be empty'],
  ),
  ...['x', 'ab'.repeat(32), 7].map(
    (address): Case => [
      ...(['emulateTonConnect', withMessage({ ...MESSAGE, address })] as const),
      'invalid address in message at index 1: ',
    ],
  ),
  ...[undefined, '', null].map(
    (amount): Case => [
      ...(['emulateTonConnect', withMessage({ ...MESSAGE, amount })] as const),
      'amount in message at index 1 cannot be empty',
    ],
  ),
  ...['x', '-1', '1.5', '1e3', '0x1', `${2n ** 64n}`, 5, {}].map(
    (amount): Case => [
      ...(['emulateTonConnect', withMessage({ ...MESSAGE, amount })] as const),
      'invalid amount in message at index 1: ',
    ],
  ),
  ...NOT_BOCS.flatMap((boc): Case[] => [
    ['emulateTonConnect', withMessage({ ...MESSAGE, payload: boc }), 'invalid message payload at index 1: '],
    [
      'emulateTonConnect',
      withMessage({ ...MESSAGE, stateInit: boc }),
      'invalid message stateInit at index 1: ',
    ],
  ]),
  ...[-1, 1.5, '-1', 'x', {}, [], `${2n ** 64n}`].map(
    (time): Case => ['emulateTonConnect', { ...CONNECT, valid_until: time }, '"valid_until"'],
  ),
];
const BOTH: readonly (readonly [string, object])[] = [
  ['emulateTrace', TRACE],
  ['emulateTonConnect', CONNECT],
];
const FLAGS = ['with_actions', 'include_code_data', 'include_address_book', 'include_metadata'];

describe('refusals of /api/emulate', () => {
  it.each(CASES)('%s %j', async (name, body, text) => {
    const answer = await post(name, body);
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining(text) } });
    expect(answer.body.error).toMatch(/^invalid request: /);
    expect(Object.keys(answer.body)).toEqual(['error']);
  });

  it.each(BOTH)('%s names malformed flags and seqnos', async (name, body) => {
    const wrong = [...FLAGS, ...(name === 'emulateTrace' ? ['ignore_chksig'] : [])].flatMap((flag) =>
      ['x', 'yes', 1, {}, [true]].map((value) => [flag, value] as const),
    );
    for (const value of [-1, 1.5, 'x', 2 ** 31, {}, [1], true]) wrong.push(['mc_block_seqno', value]);
    for (const [field, value] of wrong) {
      const { status, body: answer } = await post(name, { ...body, [field]: value });
      expect([field, value, status]).toEqual([field, value, 400]);
      expect(answer.error).toContain(`"${field}"`);
    }
  });

  it.each(BOTH)('%s answers 400 to bodies of any other form', async (name) => {
    for (const body of ['', '[]', '7', '"x"', 'null', '{', '{"boc":', '\u0000', '['.repeat(5000)])
      expect([body, (await post(name, body)).status]).toEqual([body, 400]);
    const form = await post(name, 'boc=x', { 'content-type': 'application/x-www-form-urlencoded' });
    expect(form.status).toBe(400);
  });

  it('has its own error format, also for unknown paths', async () => {
    const get = await app.inject({ url: '/api/emulate/v1/emulateTrace' });
    expect([get.statusCode, get.headers.allow, get.json()]).toEqual([
      405,
      'POST',
      { error: 'Method Not Allowed' },
    ]);
    expect((await post('emulateNothing', {})).body).toEqual({ error: 'Not Found' });
    const none = await post('EMULATETRACE', TRACE);
    expect([none.status, none.body]).toEqual([500, { error: 'there is no chain behind this' }]);
    expect(none.headers['server-timing']).toMatch(/^app;dur=[0-9]+\.[0-9]{3}$/);
    const page = await app.inject({ url: '/api/emulate/' });
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, expect.stringMatching(/html/)]);
    const { paths } = (await app.inject({ url: '/api/emulate/openapi.json' })).json();
    expect(Object.keys(paths)).toEqual(BOTH.map(([name]) => `/api/emulate/v1/${name}`));
  });

  it('answers 429 with Retry-After when the emulation budget of the caller is used up', async () => {
    budget.acquire(CALLER)!.charge(60_000);
    const { status, body, headers } = await post('emulateTrace', TRACE);
    expect([status, body]).toEqual([429, { error: expect.stringMatching(/^Ratelimit exceeded/) }]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('the time limit of an emulation', () => {
  const waiting = (signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

  it('ends the emulation with an error', async () => {
    const client = new Socket();
    const late = withDeadline(
      { caller: { client }, deadlineMs: performance.now() + 5 },
      new ClientDisconnects(),
      waiting,
    );
    await expect(late).rejects.toMatchObject({
      kind: 'timeout',
      message: 'timeout: context deadline exceeded',
    });
  });

  it('ends the emulation when the client disconnects', async () => {
    const gone = new Socket().destroy();
    const far = performance.now() + 60_000;
    const early = withDeadline(
      { caller: { client: gone }, deadlineMs: far },
      new ClientDisconnects(),
      waiting,
    );
    await expect(early).rejects.toMatchObject({ kind: 'client_gone' });
  });
});
