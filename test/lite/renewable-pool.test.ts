import { afterEach, expect, it, vi } from 'vitest';
import { createRenewablePool, type RenewablePool } from '../../src/lite/renewable-pool.ts';
import { createFakeChain, startFakeNet } from '../support/fake-chain.ts';

type Net = Awaited<ReturnType<typeof startFakeNet>>;
const nets: Net[] = [];
let pool: RenewablePool;
afterEach(async () => {
  await pool.close();
  await Promise.all(nets.splice(0).map((net) => net.close()));
});

async function openAt(seqno: number): Promise<Net['pool']> {
  const net = await startFakeNet({ chain: createFakeChain(seqno), servers: [{}] });
  nets.push(net);
  return net.pool;
}

it('a renewable pool starts over on a chain that went back, and listeners stay subscribed', async () => {
  const heads = [100, 40];
  pool = await createRenewablePool(() => openAt(heads.shift()!));
  const heard: number[] = [];
  const unlisten = pool.onHead(({ seqno }) => heard.push(seqno));
  expect((await pool.waitForSeqno(100, { timeoutMs: 120_000 })).seqno).toBe(100);
  await pool.renew();
  expect((await pool.waitForSeqno(0, { timeoutMs: 120_000 })).seqno).toBe(40);
  expect(pool.head?.seqno).toBe(40);
  expect((await pool.session()).reference.seqno).toBe(40);
  expect(heard).toEqual([100, 40]);
  unlisten();
  nets[1]!.chain.grow();
  await pool.waitForSeqno(41, { timeoutMs: 120_000 });
  expect(heard).toEqual([100, 40]);
  expect(nets[0]!.pool.servers()[0]?.state).toBe('down');
});

it('a renewable pool stays as it is when the renewal fails', async () => {
  const open = vi.fn(() => openAt(100));
  pool = await createRenewablePool(open);
  await pool.waitForSeqno(100, { timeoutMs: 120_000 });
  open.mockRejectedValueOnce(new Error('no config'));
  await expect(pool.renew()).rejects.toThrow('no config');
  expect(pool.consensusBlock().seqno).toBe(100);
  await pool.close();
  await pool.renew();
  expect(open).toHaveBeenCalledTimes(2);
});
