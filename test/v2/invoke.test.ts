import { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type CacheRule, defineOperation } from '../../src/http/operation.ts';
import { Deadlines } from '../../src/lib/deadlines.ts';
import { Failure } from '../../src/lib/errors.ts';
import { HangUps } from '../../src/lib/hang-ups.ts';
import type { LiveCall, LivePorts } from '../../src/live/session.ts';
import { createAnswerCache } from '../../src/v2/cache.ts';
import { type Invocation, makeInvocable } from '../../src/v2/invoke.ts';
import { optionalInt32 } from '../../src/v2/parameters.ts';
import { startFakeNet } from '../support/fake-chain.ts';
import { createQuietLog } from '../support/quiet-log.ts';

const REQUEST_MS = 10_000;

let net: Awaited<ReturnType<typeof startFakeNet>>;
beforeAll(async () => {
  net = await startFakeNet({ servers: [{}] });
  await net.pool.waitForSeqno(net.chain.seqno, { timeoutMs: 5000 });
});
afterAll(() => net.close());

/** An operation whose runs the test ends itself. */
function stage(cache: CacheRule, { requestMs = REQUEST_MS, ignoreUnknownProperties = false } = {}) {
  const runs: (PromiseWithResolvers<string> & { call: LiveCall })[] = [];
  const operation = defineOperation({
    name: 'wait',
    methods: ['GET', 'POST'],
    tag: 'test',
    summary: '',
    examples: [],
    result: Type.String(),
    cache,
    ignoreUnknownProperties,
    parameters: { n: optionalInt32({ description: '' }) },
    handler: (_params, call: LiveCall) => {
      const run = { ...Promise.withResolvers<string>(), call };
      runs.push(run);
      return run.promise;
    },
  });
  const log = createQuietLog();
  const parts = { deadlines: new Deadlines(), hangUps: new HangUps(), cache: createAnswerCache() };
  const ports = { pool: () => net.pool, requestMs, clock: () => 1_700_000_000 } as unknown as LivePorts;
  const { invoke } = makeInvocable(operation, { ...parts, ports });
  const call = async (n: unknown, more: Partial<Invocation> = {}) => {
    const { status, body, etag } = await invoke({
      given: { n },
      origin: 'body',
      isRpc: false,
      rpc: '',
      group: undefined,
      log: log as unknown as FastifyBaseLogger,
      startedAtMs: performance.now(),
      client: new Socket(),
      ...more,
    });
    const { result, error, '@extra': extra } = JSON.parse(body);
    return { status, result, error, etag, isHit: extra.endsWith(':c') };
  };
  return { runs, log, call, ...parts };
}

async function grow(): Promise<void> {
  net.chain.grow();
  await net.pool.waitForSeqno(net.chain.seqno, { timeoutMs: 5000 });
}

describe('equal calls at the same time', () => {
  it('are one run, and calls that differ are not', async () => {
    const { runs, call } = stage('head');
    const calls = [call(1), call('1'), call(1n), call(2)];
    expect(runs).toHaveLength(2);
    runs[0]!.resolve('one');
    runs[1]!.resolve('two');
    expect(await Promise.all(calls)).toEqual(
      ['one', 'one', 'one', 'two'].map((result) => ({ status: 200, result, isHit: false })),
    );
    expect(await call('1')).toEqual({ status: 200, result: 'one', isHit: true });
  });

  it('fail together, are logged once, and the next one tries again', async () => {
    const { runs, log, call } = stage('head');
    const calls = [call(1), call(1), call(1)];
    runs[0]!.reject(new TypeError('insides'));
    for (const answer of await Promise.all(calls))
      expect(answer).toMatchObject({ status: 500, error: 'internal server error' });
    expect(log.texts()).toEqual(['unexpected error']);
    const next = call(1);
    runs[1]!.resolve('well');
    expect(await next).toMatchObject({ status: 200, isHit: false });
  });

  it('are runs of their own where nothing may be shared', async () => {
    const { runs, call } = stage('none');
    const calls = [call(1), call(1)];
    expect(runs).toHaveLength(2);
    for (const run of runs) run.resolve('sent');
    expect(await Promise.all(calls)).toMatchObject([{ isHit: false }, { isHit: false }]);
    void call(1);
    expect(runs).toHaveLength(3);
  });

  it('do not meet across a block, and what was read before it is not given after it', async () => {
    const { runs, call } = stage('head');
    const early = call(1);
    await grow();
    const late = call(1);
    expect(runs).toHaveLength(2);
    runs[0]!.resolve('old');
    runs[1]!.resolve('new');
    expect(await early).toMatchObject({ result: 'old' });
    expect(await late).toMatchObject({ result: 'new' });
    expect(await call(1)).toMatchObject({ result: 'new', isHit: true });
  });

  it('are not joined any more when half of the time is over', async () => {
    const { runs, call } = stage('head');
    const first = call(1, { startedAtMs: performance.now() - REQUEST_MS / 2 - 1 });
    const second = call(1);
    expect(runs).toHaveLength(2);
    const third = call(1);
    expect(runs).toHaveLength(2);
    runs[1]!.resolve('second');
    runs[0]!.resolve('first');
    expect([await first, await second, await third].map(({ result }) => result)).toEqual([
      'first',
      'second',
      'second',
    ]);
  });
});

describe('what is kept', () => {
  it('is not what a server that lags has said', async () => {
    const { runs, call } = stage('head');
    for (const [position, reference] of [net.chain.block(net.chain.seqno - 1), net.pool.head].entries()) {
      const answer = call(1);
      runs[position]!.call.usedServers.push({ workers: [0], reference });
      runs[position]!.resolve(`run ${position}`);
      expect(await answer).toMatchObject({ result: `run ${position}`, isHit: false });
    }
    expect(await call(1)).toMatchObject({ result: 'run 1', isHit: true });
  });

  it('is not given for ever when no block comes', async () => {
    const { runs, call } = stage('head');
    const answer = call(1);
    runs[0]!.resolve('first');
    await answer;
    expect(await call(1, { startedAtMs: performance.now() + 9000 })).toMatchObject({ isHit: true });
    void call(1, { startedAtMs: performance.now() + 11_000 });
    expect(runs).toHaveLength(2);
  });

  it.each([
    ['immutable', true],
    ['head', false],
  ] as const)('lasts beyond the block where the rule is %s: %s', async (rule, lasts) => {
    const { runs, call } = stage(rule);
    const answer = call(1);
    runs[0]!.call.immutable = true;
    runs[0]!.resolve('x');
    expect((await answer).etag === undefined).toBe(!lasts);
    await grow();
    void call(1);
    expect(runs).toHaveLength(lasts ? 1 : 2);
  });

  it('is nothing of a run that began before everything was cleared', async () => {
    const { runs, call, cache } = stage('immutable');
    const answer = call(1);
    cache.clear();
    runs[0]!.call.immutable = true;
    runs[0]!.resolve('of the chain before');
    await answer;
    void call(1);
    expect(runs).toHaveLength(2);
  });
});

describe('who does not wait any longer', () => {
  it('gets 504 when the time is over, whatever the handler does', async () => {
    const { runs, call, deadlines } = stage('head', { requestMs: 200 });
    expect(await call(1)).toMatchObject({ status: 504, error: 'Liteserver timeout' });
    expect(runs[0]!.call.signal.aborted).toBe(true);
    expect(deadlines.size).toBe(0);
    expect(await call(2, { startedAtMs: performance.now() - 201 })).toMatchObject({ status: 504 });
    expect(runs).toHaveLength(1);
  });

  it('leaves alone; the work ends with the last one', async () => {
    const { runs, log, call, deadlines } = stage('head');
    const clients = [new Socket(), new Socket(), new Socket()];
    const calls = clients.map((client) => call(1, { client }));
    const { signal } = runs[0]!.call;
    clients[0]!.destroy();
    clients[1]!.destroy();
    expect(await Promise.all([calls[0], calls[1]])).toMatchObject([{ status: 499 }, { status: 499 }]);
    expect(signal.aborted).toBe(false);
    clients[2]!.destroy();
    expect(await calls[2]).toMatchObject({ status: 499 });
    expect(signal.aborted).toBe(true);
    expect(deadlines.size).toBe(0);

    void call(1);
    expect(runs).toHaveLength(2);
    runs[0]!.reject(new TypeError('of no interest any more'));
    await vi.waitFor(() => expect(runs[0]!.promise).rejects.toThrow(), 20_000);
    expect(log.texts()).toEqual([]);
  });

  it('starts nothing when it is gone already', async () => {
    const { runs, call } = stage('head');
    const client = new Socket();
    client.destroy();
    expect(await call(1, { client })).toMatchObject({ status: 499 });
    expect(runs).toHaveLength(0);
  });
});

describe('names that an operation does not know', () => {
  const sent = { given: { n: 1, other: 2 } };
  it.each([
    ['refused in a body', { isRpc: false }, {}, true],
    [
      'ignored in a body where the operation says so',
      { isRpc: false },
      { ignoreUnknownProperties: true },
      false,
    ],
    ['refused in JSON-RPC even then', { isRpc: true }, { ignoreUnknownProperties: true }, true],
    ['ignored in a query string', { origin: 'query', isRpc: false }, {}, false],
  ] as const)('are %s', async (_title, how, options, refused) => {
    const { runs, call } = stage('head', options);
    const answer = call(1, { ...sent, ...how });
    runs[0]?.resolve('read');
    expect(await answer).toMatchObject(
      refused
        ? { status: 422, error: expect.stringMatching(/Unknown property 'other'$/) }
        : { result: 'read' },
    );
  });
});

it('keeps the text of a planned failure', async () => {
  const { runs, call, log } = stage('head');
  const calls = [call(1), call(1)];
  runs[0]!.reject(new Failure('not_found', 'transaction was not found'));
  expect(await Promise.all(calls)).toMatchObject(
    Array(2).fill({ status: 404, error: 'transaction was not found' }),
  );
  expect(log.texts()).toEqual([]);
});
