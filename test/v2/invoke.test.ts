import { Socket } from 'node:net';
import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type CacheRule, defineOperation } from '../../src/http/operation.ts';
import { compileEnvelope } from '../../src/http/serializer.ts';
import { ClientDisconnects } from '../../src/lib/client-disconnects.ts';
import { Deadlines } from '../../src/lib/deadlines.ts';
import { Failure } from '../../src/lib/errors.ts';
import type { LiveCall, LivePorts } from '../../src/live/session.ts';
import { createResultCache } from '../../src/v2/cache.ts';
import { REST, rpcResponseSchema } from '../../src/v2/envelope.ts';
import { type Invocation, makeInvocable } from '../../src/v2/invoke.ts';
import { optionalInt32 } from '../../src/v2/parameters.ts';
import { startFakeNet } from '../support/fake-chain.ts';
import { createQuietLog } from '../support/quiet-log.ts';

const REQUEST_MS = 10_000;

let net: Awaited<ReturnType<typeof startFakeNet>>;
beforeAll(async () => {
  net = await startFakeNet({ servers: [{}] });
  await net.pool.waitForSeqno(net.chain.seqno, { timeoutMs: 120_000 });
});
afterAll(() => net.close());

/** An operation whose executions are settled by the test. */
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
    parameters: { n: optionalInt32('', {}) },
    handler: (_params, call: LiveCall) => {
      const run = { ...Promise.withResolvers<string>(), call };
      runs.push(run);
      return run.promise;
    },
  });
  const log = createQuietLog();
  const parts = {
    deadlines: new Deadlines(),
    disconnects: new ClientDisconnects(),
    cache: createResultCache(),
  };
  const ports = { pool: () => net.pool, requestMs, clock: () => 1_700_000_000 } as unknown as LivePorts;
  const { readInput, invoke } = makeInvocable(operation, { ...parts, ports });
  const serialize = compileEnvelope(rpcResponseSchema);
  const call = async (n: unknown, more: Partial<Invocation> = {}) => {
    const { status, body, etag } = await invoke(readInput({ given: { n }, origin: 'body', isRpc: false }), {
      rpc: REST,
      group: undefined,
      log,
      startedAtMs: performance.now(),
      client: new Socket(),
      ...more,
    });
    const { result, error, '@extra': extra } = JSON.parse(serialize(body));
    return { status, result, error, etag, isHit: extra.endsWith(':c') };
  };
  return { runs, log, call, readInput, ...parts };
}

async function grow(): Promise<void> {
  net.chain.grow();
  await net.pool.waitForSeqno(net.chain.seqno, { timeoutMs: 120_000 });
}

describe('equal v2 calls at the same time', () => {
  it('share one execution, and different calls do not', async () => {
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

  it('fail together, are logged once, and the next call tries again', async () => {
    const { runs, log, call } = stage('head');
    const calls = [call(1), call(1), call(1)];
    runs[0]!.reject(new TypeError('insides'));
    for (const answer of await Promise.all(calls))
      expect(answer).toMatchObject({ status: 500, error: 'internal server error' });
    expect(log.texts()).toEqual(['Unexpected error']);
    const next = call(1);
    runs[1]!.resolve('well');
    expect(await next).toMatchObject({ status: 200, isHit: false });
  });

  it('are separate executions with cache rule none', async () => {
    const { runs, call } = stage('none');
    const calls = [call(1), call(1)];
    expect(runs).toHaveLength(2);
    for (const run of runs) run.resolve('sent');
    expect(await Promise.all(calls)).toMatchObject([{ isHit: false }, { isHit: false }]);
    void call(1);
    expect(runs).toHaveLength(3);
  });

  it('are not shared across a new block', async () => {
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

  it('are not joined when half of the time is over', async () => {
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

describe('results kept by v2', () => {
  it('do not include results of a server that lags', async () => {
    const { runs, call } = stage('head');
    for (const [position, reference] of [net.chain.block(net.chain.seqno - 1), net.pool.head].entries()) {
      const answer = call(1);
      runs[position]!.call.usedServers.push({ workers: [0], reference });
      runs[position]!.resolve(`run ${position}`);
      expect(await answer).toMatchObject({ result: `run ${position}`, isHit: false });
    }
    expect(await call(1)).toMatchObject({ result: 'run 1', isHit: true });
  });

  it('expire when no block arrives', async () => {
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
  ] as const)('outlive the block with cache rule %s: %s', async (rule, lasts) => {
    const { runs, call } = stage(rule);
    const answer = call(1);
    runs[0]!.call.immutable = true;
    runs[0]!.resolve('x');
    expect((await answer).etag === undefined).toBe(!lasts);
    await grow();
    void call(1);
    expect(runs).toHaveLength(lasts ? 1 : 2);
  });

  it('do not include executions that started before a reset', async () => {
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

describe('a v2 caller that stops waiting', () => {
  it('gets 504 at its deadline, whatever the handler does', async () => {
    const { runs, call, deadlines } = stage('head', { requestMs: 200 });
    expect(await call(1)).toMatchObject({ status: 504, error: 'Liteserver timeout' });
    expect(runs[0]!.call.signal.aborted).toBe(true);
    expect(deadlines.size).toBe(0);
    expect(await call(2, { startedAtMs: performance.now() - 201 })).toMatchObject({ status: 504 });
    expect(runs).toHaveLength(1);
  });

  it('leaves others waiting; the work is aborted with the last one', async () => {
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
    await vi.waitFor(() => expect(runs[0]!.promise).rejects.toThrow(), 120_000);
    expect(log.texts()).toEqual([]);
  });

  it('starts nothing when it has disconnected already', async () => {
    const { runs, call } = stage('head');
    const client = new Socket();
    client.destroy();
    expect(await call(1, { client })).toMatchObject({ status: 499 });
    expect(runs).toHaveLength(0);
  });
});

describe('an unknown parameter', () => {
  const given = { n: 1, other: 2 };
  it.each([
    ['rejected in a body', { origin: 'body', isRpc: false }, {}, true],
    [
      'ignored in a body if the operation says so',
      { origin: 'body', isRpc: false },
      { ignoreUnknownProperties: true },
      false,
    ],
    [
      'rejected in JSON-RPC even then',
      { origin: 'body', isRpc: true },
      { ignoreUnknownProperties: true },
      true,
    ],
    ['ignored in a query string', { origin: 'query', isRpc: false }, {}, false],
  ] as const)('is %s', (_title, how, options, isRejected) => {
    const { readInput } = stage('head', options);
    const read = () => readInput({ given, ...how });
    if (isRejected) expect(read).toThrow(/Unknown property 'other'$/);
    else expect(read()).toMatchObject({ params: { n: 1 } });
  });
});

it('a Failure keeps its text', async () => {
  const { runs, call, log } = stage('head');
  const calls = [call(1), call(1)];
  runs[0]!.reject(new Failure('not_found', 'transaction was not found'));
  expect(await Promise.all(calls)).toMatchObject(
    Array(2).fill({ status: 404, error: 'transaction was not found' }),
  );
  expect(log.texts()).toEqual([]);
});
