import { afterEach, describe, expect, it, vi } from 'vitest';
import { LiteBudgetExceeded, LiteTimeout } from '../../src/lite/errors.ts';
import { encodeRequest, LITE_METHODS } from '../../src/lite/methods/codec.ts';
import type { LiteSession } from '../../src/lite/session.ts';
import { readState, type ServerTraits, startFakeNet } from '../support/fake-chain.ts';
import type { Misbehaviour } from '../support/lite-server.ts';

let net: Awaited<ReturnType<typeof startFakeNet>>;
afterEach(() => net.close());

const eventually = <T>(check: () => T) => vi.waitFor(check, { timeout: 120_000, interval: 5 });
const states = () => net.pool.servers().map(({ state }) => state);
const everyone = (state: string) => eventually(() => expect(new Set(states())).toEqual(new Set([state])));

/** Lets a server misbehave only when it is asked for an account. */
const forAccounts = (misbehaviour: Misbehaviour) => (request: Buffer) =>
  request.readUInt32LE(0) === LITE_METHODS.getAccountState.id ? misbehaviour : undefined;

/** A session on one server, opened while the others lag; they catch up before it returns. */
async function openOn(index: number, traits: readonly ServerTraits[]): Promise<LiteSession> {
  await everyone('live');
  traits.forEach((one, position) => {
    one.lag = position === index ? 0 : 10;
  });
  net.chain.grow(10);
  await eventually(() => expect(states().filter((state) => state === 'live')).toHaveLength(1));
  const session = await net.pool.session();
  expect(session.index).toBe(index);
  for (const one of traits) one.lag = 0;
  net.chain.grow(0);
  await everyone('live');
  return session;
}

describe('a lite session', () => {
  it('waits for the first server, and uses it and its block for all queries', async () => {
    net = await startFakeNet({ servers: [{}, {}] });
    const session = await net.pool.session();
    expect(session.reference).toEqual(net.chain.block(100));
    await session.run((target) => readState(target, net.chain));
    net.chain.grow();
    await net.pool.waitForSeqno(101, { timeoutMs: 120_000 });
    for (let account = 0; account < 20; account += 1)
      await session.run((target) => {
        expect(target.reference.seqno).toBe(100);
        return readState(target, net.chain, { account });
      });
    expect(session.workers).toEqual([session.index]);
    expect((await net.pool.session()).reference.seqno).toBe(101);
  });

  it('on a server that lags by a block makes queries wait for that block', async () => {
    const traits: ServerTraits[] = [{ oldest: 50 }, { lag: 1 }];
    net = await startFakeNet({ servers: traits });
    await eventually(() =>
      expect(net.pool.servers()).toMatchObject([{ state: 'live' }, { isArchival: true }]),
    );
    await net.pool.waitForSeqno(100, { timeoutMs: 120_000 });
    // It takes a while to find out that the server holds queries.
    const session = await vi.waitFor(
      async () => {
        const opened = await net.pool.session({ archival: true });
        expect(opened.reference.seqno).toBe(100);
        return opened;
      },
      { timeout: 120_000, interval: 10 },
    );
    const answer = session.run((target) => readState(target, net.chain));
    traits[1]!.lag = 0;
    net.chain.grow(0);
    expect(await answer).toHaveLength(32);
    expect(session.workers).toEqual([1]);
  });

  it('on a server that lags by more uses the head of that server', async () => {
    net = await startFakeNet({ servers: [{ oldest: 50 }, { lag: 3 }] });
    await eventually(() =>
      expect(net.pool.servers()).toMatchObject([{ state: 'live' }, { isArchival: true }]),
    );
    await net.pool.waitForSeqno(100, { timeoutMs: 120_000 });
    const session = await net.pool.session({ archival: true });
    expect(session.reference).toEqual(net.chain.block(97));
    expect(await session.run((target) => readState(target, net.chain))).toHaveLength(32);
  });

  it('throws NoLiteServer when there is no server', async () => {
    net = await startFakeNet({ servers: [{ oldest: 50 }], timing: { startMs: 30 } });
    await everyone('live');
    await expect(net.pool.session({ archival: true })).rejects.toThrow(
      /^no workers available \(archival=1 mode=Single\)$/,
    );
    await net.servers[0]?.stop();
    await everyone('down');
    await expect(net.pool.session()).rejects.toThrow(/^no workers available \(archival=0 mode=Single\)$/);
    await expect(net.pool.session({ signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
  });
});

describe('fail-over of a lite session', () => {
  it.each<Misbehaviour>([
    { kind: 'cut' },
    { kind: 'silent' },
    { kind: 'garbage' },
    { kind: 'error', code: 652, text: 'timeout' },
    { kind: 'error', code: 0, text: 'timeout' },
  ])('goes to another server after no response: %o', async (misbehaviour) => {
    const traits = [{}, {}];
    net = await startFakeNet({ servers: traits, timing: { queryMs: 300 } });
    const session = await openOn(0, traits);
    net.servers[0]?.misbehave(forAccounts(misbehaviour));
    expect(await session.run((target) => readState(target, net.chain))).toHaveLength(32);
    expect(session.workers).toEqual([0, 1]);
    expect(session.name).toBe(net.names[1]);
  });

  it('goes to the server to which concurrent work has moved the session', async () => {
    const traits = [{}, {}];
    net = await startFakeNet({ servers: traits, timing: { queryMs: 300 } });
    const session = await openOn(0, traits);
    net.servers[0]?.misbehave(forAccounts({ kind: 'silent' }));
    const states = await Promise.all(
      [1, 2, 3].map((account) => session.run((target) => readState(target, net.chain, { account }))),
    );
    expect(states).toHaveLength(3);
    expect(session.workers).toEqual([0, 1]);
  });

  it('happens once', async () => {
    const traits = [{}, {}, {}];
    net = await startFakeNet({ servers: traits });
    const session = await openOn(0, traits);
    for (const server of net.servers) server.misbehave(forAccounts({ kind: 'cut' }));
    const work = vi.fn((target) => readState(target, net.chain));
    await expect(session.run(work)).rejects.toThrow(/^LITE_SERVER_NETWORKCancelled$/);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('goes to an archive server when data is missing', async () => {
    const traits: ServerTraits[] = [{ oldest: 90 }, { oldest: 90 }, {}];
    net = await startFakeNet({ servers: traits });
    await eventually(() => expect(net.pool.servers()[2]).toMatchObject({ isArchival: true }));
    const session = await openOn(0, traits);
    const block = net.chain.block(50);
    expect(await session.run((target) => readState(target, net.chain, { block }))).toHaveLength(32);
    expect(session.workers).toEqual([0, 2]);
    // Now the session is at the only server that has the whole chain.
    const future = net.chain.block(5000);
    await expect(session.run((target) => readState(target, net.chain, { block: future }))).rejects.toThrow(
      /^LITE_SERVER_NOTREADY: block \(-1,8000000000000000,5000\) is not in db$/,
    );
    expect(session.workers).toEqual([0, 2]);
  });

  it('does not happen for missing data without an archive server', async () => {
    const traits: ServerTraits[] = [{ oldest: 90 }, { oldest: 90 }];
    net = await startFakeNet({ servers: traits });
    const session = await openOn(0, traits);
    const block = net.chain.block(50);
    await expect(session.run((target) => readState(target, net.chain, { block }))).rejects.toThrow(
      /^LITE_SERVER_NOTREADY: block \(-1,8000000000000000,50\) is not in db$/,
    );
    expect(session.workers).toEqual([0]);
  });

  it('does not happen when every server would say the same', async () => {
    const traits = [{}, {}];
    net = await startFakeNet({ servers: traits });
    const session = await openOn(0, traits);
    net.servers[0]?.misbehave(forAccounts({ kind: 'error', code: -400, text: 'transaction hash mismatch' }));
    const work = vi.fn((target) => readState(target, net.chain));
    await expect(session.run(work)).rejects.toThrow(/^LITE_SERVER_UNKNOWN: transaction hash mismatch$/);
    await expect(session.run(() => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
    expect(work).toHaveBeenCalledTimes(1);
    expect(session.workers).toEqual([0]);
  });

  it('goes to another server after a wrong proof, and the first one is distrusted', async () => {
    const traits: ServerTraits[] = [{}, {}];
    net = await startFakeNet({ servers: traits });
    const session = await openOn(0, traits);
    traits[0]!.lies = 'state';
    expect(await session.run((target) => readState(target, net.chain))).toHaveLength(32);
    expect(session.workers).toEqual([0, 1]);
    expect(states()).toEqual(['distrusted', 'live']);
    const line = net.log.lines.find(({ text }) => /wrong response/.test(text));
    expect(line?.details).toMatchObject({
      server: net.names[0],
      index: 0,
      reason: 'VALIDATE_ACCOUNT_STATE: account state hash mismatch',
    });
  });

  it('throws the wrong proof when there is no other server', async () => {
    net = await startFakeNet({ servers: [{ lies: 'state' }] });
    const session = await net.pool.session();
    await expect(session.run((target) => readState(target, net.chain))).rejects.toThrow(
      /^VALIDATE_ACCOUNT_STATE: account state hash mismatch$/,
    );
  });
});

describe('the time limit of a lite session', () => {
  it('ends one query', async () => {
    net = await startFakeNet({ servers: [{}], timing: { queryMs: 50 } });
    const session = await net.pool.session();
    net.servers[0]?.misbehave(forAccounts({ kind: 'silent' }));
    const failure = await session.run((target) => readState(target, net.chain)).catch((error) => error);
    expect(failure).toBeInstanceOf(LiteTimeout);
    expect(failure).toMatchObject({ kind: 'timeout', message: 'LITE_SERVER_NETWORK timeout' });
  });

  it('ends the whole request', async () => {
    net = await startFakeNet({ servers: [{}] });
    await everyone('live');
    const session = await net.pool.session({ budgetMs: 50 });
    net.servers[0]?.misbehave(forAccounts({ kind: 'silent' }));
    const failure = await session.run((target) => readState(target, net.chain)).catch((error) => error);
    expect(failure).toBeInstanceOf(LiteBudgetExceeded);
    expect(failure).toMatchObject({ kind: 'timeout', message: 'Liteserver timeout' });
    await expect(session.query(encodeRequest({ method: 'getTime' }))).rejects.toThrow(LiteBudgetExceeded);
    await eventually(() => expect(net.pool.servers()[0]?.inFlight).toBe(0));
  });

  it('includes the time in the queue', async () => {
    net = await startFakeNet({ servers: [{}], maxInFlight: 1, timing: { queryMs: 200 } });
    const session = await net.pool.session();
    net.servers[0]?.misbehave(forAccounts({ kind: 'silent' }));
    const results = [1, 2, 3].map((account) =>
      session.run((target) => readState(target, net.chain, { account })).catch((error) => error.message),
    );
    await eventually(() => expect(net.pool.servers()[0]).toMatchObject({ inFlight: 1, queued: 2 }));
    expect(await Promise.all(results)).toEqual(Array(3).fill('LITE_SERVER_NETWORK timeout'));
    expect(net.pool.servers()[0]).toMatchObject({ inFlight: 0, queued: 0 });
  });

  it('ends early when the caller aborts', async () => {
    const traits = [{}, {}];
    net = await startFakeNet({ servers: traits });
    await everyone('live');
    const abort = new AbortController();
    const session = await net.pool.session({ signal: abort.signal });
    for (const server of net.servers) server.misbehave(forAccounts({ kind: 'silent' }));
    const result = session.run((target) => readState(target, net.chain));
    abort.abort(new Error('client gone'));
    await expect(result).rejects.toThrow('client gone');
    await expect(session.run((target) => readState(target, net.chain))).rejects.toThrow('client gone');
    expect(session.workers).toHaveLength(1);
    await eventually(() => expect(net.pool.servers().map(({ inFlight }) => inFlight)).toEqual([0, 0]));
  });
});
