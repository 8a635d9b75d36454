import { afterEach, describe, expect, it, vi } from 'vitest';
import { decodeResponse, encodeRequest, LITE_METHODS } from '../../src/lite/methods/codec.ts';
import { readState, startFakeNet } from '../support/fake-chain.ts';
import type { Misbehaviour } from '../support/lite-server.ts';

let net: Awaited<ReturnType<typeof startFakeNet>>;
afterEach(() => net.close());

const eventually = <T>(check: () => T) => vi.waitFor(check, { timeout: 120_000, interval: 5 });

/** Counts what a server is asked about accounts, and lets it misbehave then. */
function watchAccounts(index: number, misbehaviour: Misbehaviour | undefined): () => number {
  let asked = 0;
  net.servers[index]?.misbehave((request) => {
    if (request.readUInt32LE(0) !== LITE_METHODS.getAccountState.id) return undefined;
    asked += 1;
    return misbehaviour;
  });
  return () => asked;
}

/** One session on each of two servers, at the same block. */
async function openOnBoth() {
  await eventually(() => expect(net.pool.servers()).toMatchObject([{ state: 'live' }, { state: 'live' }]));
  const open = async (index: number) => {
    for (let account = 100; ; account += 1) {
      const session = await net.pool.session();
      if (session.index === index) return session;
      // Its load makes the other one the better choice.
      void readState(session, net.chain, { account }).catch(() => {});
    }
  };
  return [await open(0), await open(1)] as const;
}

describe('equal concurrent queries', () => {
  it('are sent once, whichever servers the sessions have', async () => {
    net = await startFakeNet({ servers: [{}, {}] });
    await net.pool.waitForSeqno(100, { timeoutMs: 120_000 });
    const asked = [0, 1].map((index) => watchAccounts(index, { kind: 'slow', delayMs: 30 }));
    const sessions = await Promise.all(Array.from({ length: 50 }, () => net.pool.session()));
    const answers = await Promise.all(
      sessions.map((session) => session.run((at) => readState(at, net.chain))),
    );
    expect(new Set(answers.map((answer) => answer.toString('hex'))).size).toBe(1);
    expect(asked.reduce((sum, count) => sum + count(), 0)).toBe(1);
    await sessions[0]?.run((at) => readState(at, net.chain, { account: 8 }));
    expect(asked.reduce((sum, count) => sum + count(), 0)).toBe(2);
  });

  it('continue when the first caller gives up', async () => {
    net = await startFakeNet({ servers: [{}] });
    const abort = new AbortController();
    const leader = await net.pool.session({ signal: abort.signal });
    const follower = await net.pool.session();
    const asked = watchAccounts(0, { kind: 'slow', delayMs: 50 });
    const first = leader.run((at) => readState(at, net.chain));
    const second = follower.run((at) => readState(at, net.chain));
    abort.abort(new Error('client gone'));
    await expect(first).rejects.toThrow('client gone');
    expect(await second).toHaveLength(32);
    expect(asked()).toBe(1);
  });

  it('that fail at one server are sent to the other, which is not distrusted', async () => {
    net = await startFakeNet({ servers: [{}, {}] });
    const [first, second] = await openOnBoth();
    watchAccounts(0, { kind: 'cut' });
    const results = [first, second].map((session) => session.run((at) => readState(at, net.chain)));
    expect(await Promise.all(results)).toHaveLength(2);
    expect(first.workers).toEqual([0, 1]);
    expect(second.workers).toEqual([1]);
  });

  it('with a wrong response make the pool distrust the server that sent it', async () => {
    net = await startFakeNet({ servers: [{ lies: 'state' }, {}] });
    const [first, second] = await openOnBoth();
    watchAccounts(0, { kind: 'slow', delayMs: 30 });
    const results = [first, second].map((session) => session.run((at) => readState(at, net.chain)));
    expect(await Promise.all(results)).toHaveLength(2);
    expect(second.workers).toEqual([1]);
    expect(net.pool.servers()).toMatchObject([{ state: 'distrusted' }, { state: 'live' }]);
  });
});

describe('a broadcast', () => {
  const request = encodeRequest({ method: 'sendMessage', body: Buffer.from('message') });

  it('is sent to several servers, and the first response is returned', async () => {
    net = await startFakeNet({ servers: [{}, {}, {}, {}, {}, {}] });
    await eventually(() => expect(net.pool.servers().every(({ state }) => state === 'live')).toBe(true));
    const refused: Misbehaviour = { kind: 'error', code: -701, text: 'cannot apply external message' };
    for (const server of net.servers.slice(0, 4)) server.misbehave(refused);
    const { response, workers } = await net.pool.broadcast(request);
    expect(decodeResponse('sendMessage', response).status).toBe(1);
    expect(new Set(workers).size).toBe(5);
    expect((await net.pool.broadcast(request, 10)).workers).toHaveLength(6);
  });

  it('that all servers refuse fails with the text of a server', async () => {
    net = await startFakeNet({ servers: [{}, {}], timing: { queryMs: 300 } });
    await eventually(() => expect(net.pool.servers().every(({ state }) => state === 'live')).toBe(true));
    net.servers[0]?.misbehave({ kind: 'error', code: -701, text: 'cannot apply external message' });
    net.servers[1]?.misbehave({ kind: 'silent' });
    await expect(net.pool.broadcast(request)).rejects.toThrow(
      /^LITE_SERVER_UNKNOWN: cannot apply external message$/,
    );
  });

  it('fails without a live server', async () => {
    net = await startFakeNet({ servers: [{}] });
    await net.servers[0]?.stop();
    await expect(net.pool.broadcast(request)).rejects.toThrow(
      /^no workers available \(archival=0 clients_number=5 mode=Multiple\)$/,
    );
  });
});
