import { LiteClient } from 'ton-lite-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ServerTraits, startFakeNet } from '../support/fake-chain.ts';
import { createLiteEngine } from './support/lite-engine.ts';

const MASTERCHAIN = { workchain: -1, shard: '-9223372036854775808' };

describe("ton-lite-client's client on our pool", () => {
  const traits: ServerTraits[] = [{}, {}];
  let net: Awaited<ReturnType<typeof startFakeNet>>;
  beforeEach(async () => {
    net = await startFakeNet({ servers: traits });
    await net.pool.waitForSeqno(100, { timeoutMs: 120_000 });
  });
  afterEach(() => net.close());

  it('reads the newest block', async () => {
    const engine = createLiteEngine(net.pool);
    const info = await new LiteClient({ engine }).getMasterchainInfo();
    const { rootHash, fileHash } = net.chain.block(100);
    expect(info.last).toMatchObject({ ...MASTERCHAIN, seqno: 100, rootHash, fileHash });
    expect(info.init).toMatchObject({ workchain: -1, rootHash: net.chain.zeroState.rootHash });
  });

  it('looks up many blocks concurrently, with negative numbers intact', async () => {
    const client = new LiteClient({ engine: createLiteEngine(net.pool) });
    const seqnos = Array.from({ length: 50 }, (_, position) => 1 + position);
    for (let round = 0; round < 2; round += 1) {
      const found = await Promise.all(
        seqnos.map((seqno) => client.lookupBlockByID({ ...MASTERCHAIN, seqno })),
      );
      expect(found.map(({ id }) => id)).toMatchObject(
        seqnos.map((seqno) => ({ ...MASTERCHAIN, seqno, rootHash: net.chain.block(seqno).rootHash })),
      );
    }
    const engines = [createLiteEngine(net.pool), createLiteEngine(net.pool)];
    const infos = await Promise.all(engines.map((engine) => new LiteClient({ engine }).getMasterchainInfo()));
    expect(infos.map(({ last }) => last.shard)).toEqual([MASTERCHAIN.shard, MASTERCHAIN.shard]);
  });

  it("gets a server's error code and text", async () => {
    const client = new LiteClient({ engine: createLiteEngine(net.pool) });
    await expect(client.lookupBlockByID({ ...MASTERCHAIN, seqno: 5000 })).rejects.toMatchObject({
      code: 651,
      message: expect.stringMatching(
        /^LITE_SERVER_NOTREADY: cannot find block \(-1,8000000000000000\) seqno=5000: ltdb: block not found/,
      ),
    });
  });

  it('waits for a future block', async () => {
    const client = new LiteClient({ engine: createLiteEngine(net.pool) });
    const info = client.getMasterchainInfo({ awaitSeqno: 101, timeout: 1000 });
    net.chain.grow();
    expect((await info).last.seqno).toBe(101);
  });

  it('survives the death of a server', async () => {
    const client = new LiteClient({ engine: createLiteEngine(net.pool) });
    await net.servers[0]?.stop();
    for (let round = 0; round < 20; round += 1) expect(await client.getCurrentTime()).toBe(1_700_000_000);
  });

  it('can be closed without closing the pool', async () => {
    const engine = createLiteEngine(net.pool);
    expect([engine.isReady(), engine.isClosed()]).toEqual([true, false]);
    let closed = 0;
    engine.on('close', () => {
      closed += 1;
    });
    engine.close();
    engine.close();
    expect([engine.isReady(), engine.isClosed(), closed]).toEqual([false, true, 1]);
    await expect(new LiteClient({ engine }).getMasterchainInfo()).rejects.toThrow(
      'LITE_SERVER_NETWORKCancelled',
    );
    expect(await net.pool.check()).toMatch(/of 2 lite servers live/);
  });
});
