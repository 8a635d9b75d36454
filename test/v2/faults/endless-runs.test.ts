import { once } from 'node:events';
import { connect } from 'node:net';
import { beginCell } from '@ton/core';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLiveCaches } from '../../../src/live/caches.ts';
import { createLiveChain } from '../../../src/live/chain.ts';
import { createVm, createVmBudget, type Vm } from '../../../src/vm/vm.ts';
import { createTestApp, NO_CHAIN } from '../../support/app.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { codeOf, deployCodes } from '../support/deploy.ts';
import { openLocalnetApp } from '../support/v2-app.ts';

/** Time limit of a run; using up all gas takes longer on any machine. */
const RUN_MS = 300;
const WAITING = 3;
const TOO_LONG = `the run took more than ${RUN_MS} ms`;
const TOO_MANY = 'too many runs wait for the virtual machine';

const CODES = {
  // Empty: arguments and method id stay on the stack.
  echo: codeOf(''),
  // CONT { }, AGAIN: an endless loop with the cheapest steps.
  endless: codeOf('90EA'),
};

let context: Awaited<ReturnType<typeof openLocalnetApp>>;
let at: Record<keyof typeof CODES, string>;
let vm: Vm;
let port: number;
let turn = 0;
beforeAll(async () => {
  vm = createVm({ log: createQuietLog(), threads: 1, runLimitMs: RUN_MS, queueLimit: WAITING });
  context = await openLocalnetApp({ ports: { vm, requestMs: 30_000 } });
  // The first run of a thread takes longer than the limit on a busy machine.
  at = await vi.waitFor(() => deployCodes(context, CODES), 120_000);
  port = Number(new URL(await context.app.listen({ host: '127.0.0.1', port: 0 })).port);
});
afterAll(async () => {
  await context?.close();
  await vm?.close();
});

/** A new request, so that the result is not cached. */
const questionTo = (contract: keyof typeof CODES) => ({
  address: at[contract],
  method: 'seqno',
  stack: [['num', turn++]],
});
const run = (contract: keyof typeof CODES) => context.call('runGetMethod', questionTo(contract));
const isFree = () => vi.waitFor(() => expect(vm.state()).toMatchObject({ busy: 0, queued: 0 }), 120_000);

/** The stopped thread is replaced; a busy machine may need several attempts to run even an empty method in time. */
const echoes = () =>
  vi.waitFor(
    async () => expect(await run('echo')).toMatchObject({ status: 200, body: { ok: true } }),
    300_000,
  );

describe('v2 with a get-method that never ends', () => {
  it('answers 504 and can use the thread again', async () => {
    expect(await run('endless')).toMatchObject({
      status: 504,
      body: { ok: false, code: 504, error: TOO_LONG },
    });
    await echoes();
    await isFree();
  });

  it('does not recognise the contract as a token', async () => {
    const { status, body } = await context.call('getTokenData', { address: at.endless });
    expect({ status, error: body.error }).toEqual({ status: 504, error: TOO_LONG });
    await echoes();
  });

  it('answers 503 with Retry-After when the queue is full', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => run('endless')));
    const texts = answers.map(({ status, body }) => `${status} ${body.error}`);
    expect(new Set(texts)).toEqual(new Set([`504 ${TOO_LONG}`, `503 ${TOO_MANY}`]));
    expect(texts.filter((text) => text.startsWith('504')).length).toBeLessThanOrEqual(1 + WAITING);
    await echoes();
    await isFree();
  });

  it('frees the thread when the client disconnected', async () => {
    const body = JSON.stringify(questionTo('endless'));
    const clients = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const socket = connect(port, '127.0.0.1');
        await once(socket, 'connect');
        socket.write(
          `POST /api/v2/runGetMethod HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        );
        return socket;
      }),
    );
    await vi.waitFor(() => expect(vm.state().busy).toBe(1), 120_000);
    for (const client of clients) client.destroy();
    await isFree();
    await echoes();
  });
});

describe('a result that explodes', () => {
  it('is refused with the limit', async () => {
    // Ten cells, each of which refers four times to the next: a million in JSON.
    let cell = beginCell().endCell();
    for (let depth = 0; depth < 10; depth++)
      cell = [1, 2, 3, 4].reduce((builder) => builder.storeRef(cell), beginCell()).endCell();
    const stack = [['tvm.Cell', cell.toBoc().toString('base64')]];
    const { status, body } = await context.call('runGetMethod', { ...questionTo('echo'), stack });
    expect([status, body.error]).toEqual([
      500,
      'TVM stack size exceeds limit: cells of more than 4194304 characters',
    ]);
  });
});

describe('TVM time', () => {
  const ELECTOR = `-1:${'33'.repeat(32)}`;
  const CONFIG = `-1:${'55'.repeat(32)}`;
  const RATELIMIT = 'Ratelimit exceeded: the TVM time of this caller is used up';
  const budget = createVmBudget({ msPerRps: 1 });
  const code = (hex: string) => codeOf(hex).toBoc().toString('base64');
  const EMPTY = beginCell().endCell().toBoc().toString('base64');
  let fair: Vm;
  let app: FastifyInstance;
  beforeAll(async () => {
    fair = createVm({
      log: createQuietLog(),
      threads: 1,
      heavyThreads: 1,
      runLimitMs: 60_000,
      timeoutMs: 60_000,
      budget,
    });
    const { pool } = context;
    const ports = { pool: () => pool, vm: fair, caches: createLiveCaches(), requestMs: 60_000 };
    app = await createTestApp({
      access: fp(async (scope) => {
        scope.decorateRequest('charge', async () => {});
        scope.decorateRequest('payer', {
          getter() {
            return { id: String(this.headers['x-api-key']), rps: 1 };
          },
        });
      }),
      ports,
      v3: { live: createLiveChain({ ...NO_CHAIN, ...ports }) },
    });
  });
  afterAll(async () => {
    await fair?.close();
    await app?.close();
  });

  async function post(payer: string, url: string, payload: object) {
    const headers = { 'x-api-key': payer };
    const response = await app.inject({ method: 'POST', url: `/api/${url}`, payload, headers });
    const { statusCode: status } = response;
    return { status, body: response.json(), retryAfter: Number(response.headers['retry-after']) };
  }

  it('of an estimate for a special account is bounded as for others', async () => {
    // ACCEPT, CONT { NOP }, AGAIN. Special accounts may use 70 million gas, which takes half a minute.
    const message = { body: EMPTY, init_code: code('F8009100EA'), init_data: EMPTY };
    const [elector, config] = await Promise.all(
      [ELECTOR, CONFIG].map((address) => post(address, 'v2/estimateFee', { address, ...message })),
    );
    // A million gas of the masterchain.
    expect(elector).toMatchObject({
      status: 200,
      body: { result: { source_fees: { gas_fee: 10_000_000_000 } } },
    });
    // The config contract has too little for that here, and then the emulator fails.
    expect(config!.body.result?.source_fees.gas_fee ?? 0).toBeLessThanOrEqual(10_000_000_000);
  });

  it('does not make others wait who need little', async () => {
    let isOver = false;
    void post('attacker', 'v2/runGetMethod', questionTo('endless')).then(() => {
      isOver = true;
    });
    await vi.waitFor(() => expect(fair.state()).toMatchObject({ threads: 2, busy: 1 }), 120_000);
    const answers = [
      await post('victim', 'v2/runGetMethod', questionTo('echo')),
      await post('victim', 'v2/estimateFee', {
        address: context.running.wallets.basechain.address.toRawString(),
        body: EMPTY,
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(isOver).toBe(false);
  });

  it('that is used up is refused in the form of the interface, with Retry-After', async () => {
    const question = questionTo('echo');
    const { address } = question;
    budget.take({ id: 'attacker', rps: 1 }).charge(20_000);
    // What is known costs nothing; on a busy machine a result may expire between the two calls.
    await vi.waitFor(async () => {
      expect((await post('victim', 'v2/runGetMethod', question)).status).toBe(200);
      expect((await post('attacker', 'v2/runGetMethod', question)).status).toBe(200);
    }, 120_000);
    const calls: [string, object][] = [
      ['v2/runGetMethod', questionTo('echo')],
      ['v2/runGetMethodStd', { ...questionTo('echo'), stack: [] }],
      ['v2/estimateFee', { address, body: EMPTY }],
      ['v2/estimateFeeSimple', { address, body: { data: { b64: '', len: 0 }, refs: [] } }],
      ['v2/jsonRPC', { id: 1, jsonrpc: '2.0', method: 'runGetMethod', params: questionTo('echo') }],
    ];
    for (const [url, payload] of calls) {
      const { status, body, retryAfter } = await post('attacker', url, payload);
      expect([url, status]).toEqual([url, 429]);
      expect(body).toMatchObject({ ok: false, code: 429, error: RATELIMIT });
      expect(retryAfter).toBeGreaterThan(1000);
    }
    for (const url of [`getTokenData?address=${address}`, `dnsResolve?address=${address}&name=a.ton`]) {
      const answer = await app.inject({ url: `/api/v2/${url}`, headers: { 'x-api-key': 'attacker' } });
      expect([url, answer.statusCode]).toEqual([url, 429]);
    }
    for (const [url, payload] of [
      ['v3/runGetMethod', { address, method: 'seqno', stack: [] }],
      ['v3/estimateFee', { address, body: EMPTY }],
    ] as const) {
      const { status, body, retryAfter } = await post('attacker', url, payload);
      expect([url, status, body]).toEqual([url, 429, { code: 429, error: RATELIMIT }]);
      expect(retryAfter).toBeGreaterThan(1000);
    }
    // Others, and operations without TVM, go on.
    expect((await post('victim', 'v2/runGetMethod', questionTo('echo'))).status).toBe(200);
    const state = { url: `/api/v2/getAddressState?address=${address}`, headers: { 'x-api-key': 'attacker' } };
    expect((await app.inject(state)).statusCode).toBe(200);
  });
});
