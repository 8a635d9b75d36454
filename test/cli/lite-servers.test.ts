import { mkdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readLiteGroups } from '../../src/cli/lite-groups.ts';
import { headOf, type LiteServers, openLiteServers } from '../../src/cli/lite-servers.ts';
import { readSettings } from '../../src/config/settings.ts';
import { StartError } from '../../src/lib/errors.ts';
import {
  answerFromChain,
  createFakeChain,
  type FakeChain,
  type ServerTraits,
} from '../support/fake-chain.ts';
import { writeGlobalConfig } from '../support/global-config-file.ts';
import { type LiteServer, startLiteServer } from '../support/lite-server.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../support/temporary-directory.ts';

let dataDir: string;
let chain: FakeChain;
let lite: LiteServers | undefined;
const servers: LiteServer[] = [];
const log = createQuietLog();

beforeEach(() => {
  dataDir = makeTemporaryDirectory('lite');
  chain = createFakeChain(100);
  lite = undefined;
  log.lines.length = 0;
});
afterEach(async () => {
  await lite?.close();
  for (const server of servers.splice(0)) await server.stop();
  await removeTemporaryDirectory(dataDir);
});

const eventually = <T>(check: () => T) => vi.waitFor(check, { timeout: 120_000, interval: 10 });
const nameOf = ({ host, port }: LiteServer) => `${host}:${port}`;

async function startServer(traits: ServerTraits = {}): Promise<LiteServer> {
  const server = await startLiteServer({ answer: answerFromChain(chain, traits) });
  servers.push(server);
  return server;
}

function configOf(name: string, server: LiteServer, zeroState = chain.zeroState): string {
  const path = join(dataDir, name);
  writeGlobalConfig(path, { zeroState, servers: [server] });
  return path;
}

/** The blocks of these chains have no proofs. */
async function open(env: Record<string, string>): Promise<LiteServers> {
  const settings = readSettings({ DATA_DIR: dataDir, LITE_VERIFY: 'off', ...env });
  const groups = await readLiteGroups({ settings, isChainHere: false, log });
  return openLiteServers({ settings, groups, log });
}

describe('lite server groups', () => {
  it('are the public one and those of plans', async () => {
    const [all, pro] = [await startServer(), await startServer({ lag: 1 })];
    lite = await open({
      NETWORK: 'custom',
      TON_CONFIG: configOf('all.json', all),
      LITE_GROUPS: `pro=${configOf('pro.json', pro)}`,
    });
    const askedOf = (group?: string) =>
      lite!
        .pool(group)
        .servers()
        .map(({ name }) => name);
    expect(askedOf()).toEqual([nameOf(all)]);
    expect(askedOf('pro')).toEqual([nameOf(pro)]);
    expect(askedOf('plus')).toEqual([nameOf(all)]);
    expect([...lite.privatePlans]).toEqual(['pro']);
    expect([...lite.pools.keys()]).toEqual(['everybody', 'pro']);
    await lite.settle(10_000);
    await lite.pool('pro').waitForSeqno(99, { timeoutMs: 120_000 });
    expect((await lite.pool(undefined).session()).reference.seqno).toBe(100);
    expect((await lite.pool('pro').session()).reference.seqno).toBe(99);
  });

  it('may be down at the start', async () => {
    const server = await startServer();
    await server.stop();
    lite = await open({ NETWORK: 'custom', TON_CONFIG: configOf('all.json', server) });
    await lite.settle(50);
    await expect(lite.pool(undefined).check()).rejects.toThrow('no lite server is live');
    expect(headOf(lite.pool(undefined))).toBeUndefined();
    await server.start();
    await lite.settle(10_000);
    expect(headOf(lite.pool(undefined))).toEqual({ seqno: 100, utime: expect.any(Number) });
    expect(await lite.pool(undefined).check()).toBe('1 of 1 lite servers live');
  });

  it('fail the start with a clear error if a config cannot be read', async () => {
    const server = await startServer();
    const all = configOf('all.json', server);
    const rootHash = Buffer.alloc(32, 7);
    const other = configOf('other.json', server, { ...chain.zeroState, rootHash });
    const custom = { NETWORK: 'custom', TON_CONFIG: all };
    const faults: [Record<string, string>, RegExp][] = [
      [{ NETWORK: 'custom', TON_CONFIG: `${dataDir}/none.json` }, /none\.json cannot be used.*TON_CONFIG/],
      [{ ...custom, LITE_GROUPS: `pro=${dataDir}/none.json` }, /none\.json cannot be used.*LITE_GROUPS/],
      [{ ...custom, LITE_GROUPS: `gold=${all}` }, /gold is not a plan; the plans are free, basic/],
      [{ ...custom, LITE_GROUPS: `pro=${other}` }, /lite servers of pro do not belong to custom/],
    ];
    for (const [env, text] of faults) {
      const opening = open(env);
      await expect(opening).rejects.toThrow(StartError);
      await expect(opening).rejects.toThrow(text);
    }
    expect(server.clients).toBe(0);
  });
});

describe('local chain of another process', () => {
  it('is followed once it exists, and again after it went back', async () => {
    lite = await open({});
    const renewed = vi.fn();
    lite.onRenew(renewed);
    const pool = lite.pool(undefined);
    await expect(pool.check()).rejects.toThrow('no lite server is live');
    expect(log.texts()).toEqual(['No local chain yet: run tongate start or tongate localnet']);

    mkdirSync(join(dataDir, 'localnet'));
    const path = configOf('localnet/global.config.json', await startServer());
    await eventually(() => expect(pool.head?.seqno).toBe(100));
    expect(renewed).toHaveBeenCalledTimes(1);

    chain = createFakeChain(40);
    await servers[0]!.stop();
    configOf('localnet/global.config.json', await startServer());
    utimesSync(path, new Date(), new Date(Date.now() + 1000));
    await eventually(() => expect(pool.head?.seqno).toBe(40));
    expect(renewed).toHaveBeenCalledTimes(2);

    rmSync(path);
    await eventually(() => expect(pool.servers()).toEqual([]));
  });
});
