import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { fetchSeqnos } from '../../../src/ingest/fetch/fetch-seqnos.ts';
import type { FetchContext } from '../../../src/lite/fetch-context.ts';
import type { LiteTarget } from '../../../src/lite/session.ts';
import { decodeRequest } from '../../support/lite-server.ts';
import { type FaultyServers, openFaultyServers } from '../../v2/support/faulty-servers.ts';
import { fetchAll, fetchContext } from './fetch-all.ts';

const BLOCKS = 12;
const TIMING = {
  queryMs: 1000,
  headWaitMs: 300,
  recheckFirstMs: 50,
  recheckMaxMs: 200,
  distrustFirstMs: 100,
  startMs: 100,
};

describe('fetching from three servers', () => {
  let network: FaultyServers;
  beforeAll(async () => {
    network = await openFaultyServers({ servers: 3, timing: TIMING });
    await network.mine(BLOCKS);
  });
  afterAll(() => network.close());

  test('stops waiting for the next block on abort', async () => {
    const ended = new AbortController();
    const context = { ...fetchContext(network), signal: ended.signal };
    const reading = (async () => {
      for await (const _ of fetchSeqnos(context, { from: network.pool.head!.seqno + 1 }));
    })();
    ended.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
  });

  test('rejects a false response and uses another server', async () => {
    network.servers[0]!.lies = true;
    const to = network.pool.head!.seqno;
    const fetched = await fetchAll(fetchContext(network), { from: 1, to });
    network.servers[0]!.lies = false;
    expect(fetched).toHaveLength(to);
    const { store } = network.running.localnet;
    expect(fetched.at(-1)!.masterchain.id.rootHash).toEqual(store.head.rootHash);
  });

  test('survives servers that restart', async () => {
    const to = network.pool.head!.seqno;
    const seqnos: number[] = [];
    const ahead = { seqnos: 2 };
    for await (const { mcSeqno } of fetchSeqnos(fetchContext(network), { from: 1, to }, ahead)) {
      seqnos.push(mcSeqno);
      if (mcSeqno !== 5) continue;
      for (const server of network.servers) await server.stop();
      setTimeout(() => network.servers.forEach((server) => void server.start()), 300);
    }
    expect(seqnos).toEqual(Array.from({ length: to }, (_, i) => i + 1));
  });

  test('detects blocks of another chain by their links', async () => {
    const other = await openFaultyServers({ timing: TIMING });
    onTestFinished(() => other.close());
    await other.mine(BLOCKS);
    const { pool, log } = network;
    let lies = 3;
    // Without a proof, headers of the other chain cannot be told apart.
    const lying: FetchContext['pool'] = {
      zeroState: pool.zeroState,
      waitForSeqno: pool.waitForSeqno,
      get head() {
        return pool.head;
      },
      async session(options) {
        const session = await pool.session(options);
        return {
          ...session,
          run: (work) =>
            session.run(async (target) => {
              if (lies === 0) return work(target);
              lies -= 1;
              const foreign = await other.pool.session();
              const query: LiteTarget['query'] = (request) =>
                decodeRequest(Buffer.from(request)).method === 'lookupBlock'
                  ? foreign.query(request)
                  : target.query(request).catch(() => foreign.query(request));
              return work({ ...target, query });
            }),
        };
      },
    };
    const to = pool.head!.seqno;
    const fetched = await fetchAll(fetchContext({ pool: lying, log }), { from: 1, to });
    expect(lies).toBe(0);
    expect(fetched).toHaveLength(to);
    const { store } = network.running.localnet;
    expect(fetched.at(-1)!.masterchain.id.rootHash).toEqual(store.head.rootHash);
    for (const { masterchain } of fetched) expect(store.block(masterchain.id)).toBeDefined();
  });
});
