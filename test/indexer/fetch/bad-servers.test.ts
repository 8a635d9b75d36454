import { afterEach, expect, test } from 'vitest';
import { fetchSeqnos } from '../../../src/indexer/fetch/fetch-seqnos.ts';
import { openShakyGround, type ShakyGround } from '../../v2/support/shaky-ground.ts';
import { fetchAll, fetchContext } from './fetch-all.ts';

let ground: ShakyGround;
afterEach(() => ground.close());

const TIMING = { queryMs: 1000, recheckFirstMs: 50, recheckMaxMs: 200, distrustFirstMs: 100, startMs: 100 };

test('a server that lies is not believed, and another one is asked', async () => {
  ground = await openShakyGround({ servers: 3, timing: TIMING });
  await ground.mine(40);
  ground.servers[0]!.lies = true;
  const to = ground.pool.head!.seqno;
  const fetched = await fetchAll(fetchContext(ground), { from: 1, to });
  expect(fetched).toHaveLength(to);
  const { store } = ground.running.localnet;
  expect(fetched.at(-1)!.masterchain.id.rootHash).toEqual(store.head.rootHash);
});

test('servers that die and come back only cost time', async () => {
  ground = await openShakyGround({ servers: 2, timing: TIMING });
  await ground.mine(30);
  const to = ground.pool.head!.seqno;
  const seqnos: number[] = [];
  const ahead = { seqnos: 2 };
  for await (const { mcSeqno } of fetchSeqnos(fetchContext(ground), { from: 1, to }, ahead)) {
    seqnos.push(mcSeqno);
    if (mcSeqno !== 5) continue;
    for (const server of ground.servers) await server.stop();
    setTimeout(() => ground.servers.forEach((server) => void server.start()), 300);
  }
  expect(seqnos).toEqual(Array.from({ length: to }, (_, i) => i + 1));
});

test('the signal ends a wait for the next block', async () => {
  ground = await openShakyGround({ timing: TIMING });
  const ended = new AbortController();
  const context = { ...fetchContext(ground), signal: ended.signal };
  const reading = (async () => {
    for await (const _ of fetchSeqnos(context, { from: ground.pool.head!.seqno + 1 }));
  })();
  ended.abort(new Error('enough'));
  await expect(reading).rejects.toThrow('enough');
});
