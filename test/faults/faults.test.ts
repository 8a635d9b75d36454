import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { databaseProcesses, signalAll, startLocalnetProcess } from '../support/fault-tools.ts';
import { isLongRun } from '../support/long-run.ts';
import { noOwnRedis, type OwnRedis, startRedis } from '../support/redis.ts';
import {
  makeDataDir,
  plainEnvironment,
  postmastersBelow,
  runTongateHere,
  startTongate,
  type TongateProcess,
} from '../support/tongate-process.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const SOMEBODY = `0:${'11'.repeat(32)}`;
const POLL = { interval: 200, timeout: 120_000 };

const skipped = [
  ...(isLongRun ? [] : ['only in long runs']),
  ...(noOwnRedis === undefined ? [] : [noOwnRedis]),
].join(', ');

/**
 * One server with its embedded PostgreSQL, a Redis and the lite server of a chain in another process, through everything
 * that can happen to them.
 */
describe.skipIf(skipped !== '')(`faults${skipped && ` (skipped: ${skipped})`}`, () => {
  const chainDir = makeDataDir();
  const dataDir = makeDataDir();
  let isSmallDisk = false;
  let chain: ChildProcess;
  let redis: OwnRedis;
  let server: TongateProcess;
  let key = '';
  let env: Record<string, string> = {};

  async function startChain(): Promise<void> {
    chain = await startLocalnetProcess({
      ...plainEnvironment(),
      DATA_DIR: chainDir.path,
      LOCALNET_BLOCK_MS: '300',
      LOCALNET_DEMO: 'off',
      LOG_LEVEL: 'warn',
    });
  }

  beforeAll(async () => {
    // A small disk of its own can be filled; where it cannot be mounted, that test is skipped.
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=600m,mode=755', 'tmpfs', dataDir.path]);
    isSmallDisk = mounted.status === 0;
    await startChain();
    redis = await startRedis();
    env = {
      NETWORK: 'custom',
      TON_CONFIG: join(chainDir.path, 'localnet/global.config.json'),
      DATA_DIR: dataDir.path,
      REDIS_URL: redis.url,
    };
    server = await startTongate(env);
    const created = await runTongateHere(['keys', 'create', '--name', 'faults', '--rps', '1000'], env);
    key = /tg_[\w-]+/.exec(created.output)![0];
  });
  afterAll(async () => {
    await server?.end('SIGTERM');
    await redis?.kill();
    if (chain?.exitCode === null) {
      chain.kill('SIGTERM');
      await once(chain, 'exit');
    }
    if (isSmallDisk) execFileSync('umount', ['-l', dataDir.path]);
    await dataDir.remove();
    await chainDir.remove();
  });

  async function statusOf(path: string, apiKey = key): Promise<number> {
    const response = await fetch(server.url + path, { headers: { 'x-api-key': apiKey } });
    // Every failure is an answer in the envelope of its interface.
    expect(await response.json()).toBeTypeOf('object');
    return response.status;
  }
  const v2 = (call: string): Promise<number> => statusOf(`/api/v2/${call}`);
  const v3 = (call: string): Promise<number> => statusOf(`/api/v3/${call}`);
  const readChain = (): Promise<number> => v2(`getAddressInformation?address=${SOMEBODY}`);

  async function indexedSeqno(): Promise<number> {
    const response = await fetch(`${server.url}/api/v3/masterchainInfo`, { headers: { 'x-api-key': key } });
    if (response.status !== 200) return 0;
    const { last } = (await response.json()) as { last: { seqno: number } };
    return last.seqno;
  }

  /** New blocks reach the index. */
  async function expectToGoOn(): Promise<void> {
    const funded = await runTongateHere(['localnet', 'fund', SOMEBODY, '1'], { DATA_DIR: chainDir.path });
    expect(funded).toMatchObject({ code: 0 });
    await expect.poll(readChain, POLL).toBe(200);
    await expect.poll(() => v3('transactions?limit=1'), POLL).toBe(200);
    const before = await indexedSeqno();
    await expect.poll(indexedSeqno, POLL).toBeGreaterThan(before + 3);
    expect(server.child.exitCode).toBeNull();
  }

  function postmaster(): number {
    return postmastersBelow(dataDir.path)[0]!;
  }

  it('follows the chain', expectToGoOn);

  it('a PostgreSQL that hangs does not stop v2 for known keys', async () => {
    expect(await v2('getMasterchainInfo')).toBe(200);
    const stopped = databaseProcesses(postmaster());
    signalAll(stopped, 'SIGSTOP');
    try {
      const unknown = statusOf('/api/v2/getMasterchainInfo', 'tg_unknown');
      const index = v3('transactions?limit=1');
      for (let i = 0; i < 10; i++) expect(await readChain()).toBe(200);
      expect(await unknown).toBe(503);
      expect([503, 504]).toContain(await index);
      expect(await v2('getMasterchainInfo')).toBe(200);
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
      expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
    } finally {
      signalAll(stopped, 'SIGCONT');
    }
    await expectToGoOn();
  });

  it('a PostgreSQL that is killed comes back', async () => {
    const killed = postmaster();
    process.kill(killed, 'SIGKILL');
    for (let i = 0; i < 10; i++) {
      expect(await readChain()).toBe(200);
      expect([200, 503, 504]).toContain(await v3('transactions?limit=1'));
    }
    await expectToGoOn();
    expect(postmaster()).not.toBe(killed);
  });

  it('a Redis that hangs or is killed stops nobody', async () => {
    redis.pause();
    for (let i = 0; i < 5; i++) expect(await readChain()).toBe(200);
    redis.resume();
    await redis.kill();
    for (let i = 0; i < 5; i++) expect(await readChain()).toBe(200);
    expect([200, 503]).toContain(await v3(`pendingTraces?account=${SOMEBODY}`));
    await redis.start();
    await expectToGoOn();
  });

  it('a lite server that hangs or is killed is told, and v3 goes on', async () => {
    chain.kill('SIGSTOP');
    await expect
      .poll(() => v2('getBlockHeader?workchain=-1&shard=8000000000000000&seqno=1'), POLL)
      .toBeGreaterThanOrEqual(500);
    expect(await v3('transactions?limit=1')).toBe(200);
    chain.kill('SIGCONT');
    await expectToGoOn();
    chain.kill('SIGKILL');
    await once(chain, 'exit');
    await expect
      .poll(() => v2('getBlockHeader?workchain=-1&shard=8000000000000000&seqno=2'), POLL)
      .toBeGreaterThanOrEqual(500);
    expect(await v3('transactions?limit=1')).toBe(200);
    await startChain();
    await expectToGoOn();
  });

  it('a full disk stops the index until there is room again', async ({ skip }) => {
    if (!isSmallDisk) skip('a tmpfs cannot be mounted here');
    const filler = join(dataDir.path, 'filler');
    const { bavail, bsize } = statfsSync(dataDir.path);
    // `dd` ends with an error when the disk is full; that is the purpose.
    spawnSync('dd', [
      'if=/dev/zero',
      `of=${filler}`,
      'bs=64k',
      `count=${Math.ceil((bavail * bsize) / 65536) + 16}`,
    ]);
    expect(() => writeFileSync(join(dataDir.path, 'more'), Buffer.alloc(1 << 20))).toThrow('ENOSPC');
    const ready = async () => (await fetch(`${server.url}/readyz`)).status;
    await expect.poll(ready, POLL).toBe(503);
    const before = await indexedSeqno();
    for (let i = 0; i < 20; i++) {
      expect(await readChain()).toBe(200);
      expect([200, 503, 504]).toContain(await v3('transactions?limit=1'));
      await sleep(500);
    }
    rmSync(filler);
    rmSync(join(dataDir.path, 'more'), { force: true });
    await expectToGoOn();
    expect(await indexedSeqno()).toBeGreaterThan(before);
    await expect.poll(ready, POLL).toBe(200);
  });

  it('SIGTERM under load answers what was asked', async () => {
    let isEnding = false;
    const answers: number[] = [];
    const clients = Array.from({ length: 8 }, async () => {
      for (;;) {
        try {
          answers.push(await readChain());
        } catch (error) {
          // The port is closed; before the signal nothing may fail.
          if (isEnding) return;
          throw error;
        }
      }
    });
    await expect.poll(() => answers.length, POLL).toBeGreaterThan(50);
    isEnding = true;
    expect(await server.end('SIGTERM')).toBe(0);
    await Promise.all(clients);
    expect(new Set(answers)).toEqual(new Set([200]));
    expect(postmastersBelow(dataDir.path)).toEqual([]);
  });

  it('nothing was lost', async () => {
    server = await startTongate(env);
    await expectToGoOn();
    const verified = await runTongateHere(['verify'], env);
    expect(verified).toMatchObject({ code: 0 });
  });
});
