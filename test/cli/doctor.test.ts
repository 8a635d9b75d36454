import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { doctorCommand } from '../../src/cli/doctor.ts';
import { readSettings } from '../../src/config/settings.ts';
import { createTestDatabase } from '../support/database.ts';
import { answerFromChain, createFakeChain, type ServerTraits } from '../support/fake-chain.ts';
import { writeGlobalConfig } from '../support/global-config-file.ts';
import { type LiteServer, startLiteServer } from '../support/lite-server.ts';
import { isLongRun } from '../support/long-run.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../support/temporary-directory.ts';
import { runTongateUnread } from '../support/tongate-process.ts';

const chain = createFakeChain(5000);
const dataDir = makeTemporaryDirectory('doctor');
const servers: LiteServer[] = [];
const start = async (traits: ServerTraits) => {
  const server = await startLiteServer({ answer: answerFromChain(chain, traits) });
  servers.push(server);
  return server;
};

let whole: LiteServer;
let late: LiteServer;
let short: LiteServer;
let mute: LiteServer;
let dead: LiteServer;
beforeAll(async () => {
  whole = await start({});
  late = await start({ lag: 10 });
  short = await start({ oldest: 4000 });
  mute = await start({ lacks: ['getTime'] });
  dead = await start({});
  await dead.stop();
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  await removeTemporaryDirectory(dataDir);
});

async function examine(list: readonly LiteServer[], zeroState = chain.zeroState) {
  const path = join(dataDir, 'config.json');
  writeGlobalConfig(path, { zeroState, servers: list });
  let text = '';
  const out = { write: (more: string) => (text += more) };
  const settings = readSettings({ DATA_DIR: dataDir, NETWORK: 'custom', TON_CONFIG: path });
  const code = await doctorCommand({ settings, log: createQuietLog(), out, timeoutMs: 10_000 });
  const row = (server: LiteServer) =>
    text.split('\n').find((line) => line.includes(`${server.host}:${server.port} `)) ?? '';
  return { code, text, row };
}

it('doctor shows the state of each lite server, with advice', async () => {
  const wrongKey: LiteServer = { ...short, publicKey: whole.publicKey };
  const { code, text, row } = await examine([whole, late, short, mute, dead]);
  expect(code).toBe(0);
  expect(row(whole)).toMatch(/^0 .* \d+ ms +5000 +0 +all +-\d+ s +ok$/);
  expect(row(late)).toMatch(/4990 +10 +all .* behind$/);
  const oldest = Number(/5000 +0 +(\d+)/.exec(row(short))?.[1]);
  expect(oldest).toBeGreaterThanOrEqual(4000);
  expect(oldest).toBeLessThan(4100);
  expect(row(mute)).toMatch(/LITE_SERVER_UNKNOWN/);
  expect(row(dead)).toMatch(/ECONNREFUSED/);
  expect(text).toContain('- Connection refused');
  expect(text).toContain('- A server lags behind the others');
  expect(text).toContain('- Clocks differ');
  expect(text).toMatch(/2 of 5 usable\.\n$/);
  expect((await examine([wrongKey])).text).toMatch(/0 of 1 usable/);
});

it('doctor exits with 1 if no lite server is usable', async () => {
  const { code, text } = await examine([whole], { ...chain.zeroState, rootHash: Buffer.alloc(32, 9) });
  expect(code).toBe(1);
  expect(text).toContain('- A server belongs to another network: is this the config of custom?');
  expect((await examine([dead])).code).toBe(1);
});

it('doctor ends quietly, with its own exit code, when nobody reads its output', async () => {
  const run = (server: LiteServer) => {
    const path = join(dataDir, `config-${server.port}.json`);
    writeGlobalConfig(path, { zeroState: chain.zeroState, servers: [server] });
    return runTongateUnread(['doctor'], { DATA_DIR: dataDir, NETWORK: 'custom', TON_CONFIG: path });
  };
  // A failure to write would be code 1, which in a long run is told from that of a dead server too.
  expect(await run(whole)).toEqual({ code: 0, output: '' });
  if (isLongRun) expect(await run(dead)).toEqual({ code: 1, output: '' });
});

it('doctor logs that there is no local chain', async () => {
  const log = createQuietLog();
  const settings = readSettings({ DATA_DIR: dataDir });
  expect(await doctorCommand({ settings, log, out: { write: () => {} } })).toBe(1);
  expect(log.texts()[0]).toContain('No local chain yet');
});

it('doctor shows the state of the database and the disk', async () => {
  const database = await createTestDatabase();
  try {
    const path = join(dataDir, 'config.json');
    writeGlobalConfig(path, { zeroState: chain.zeroState, servers: [whole] });
    const examineWith = async (url: string) => {
      let text = '';
      const out = { write: (more: string) => (text += more) };
      const env = { DATA_DIR: dataDir, NETWORK: 'custom', TON_CONFIG: path, DATABASE_URL: url };
      const settings = readSettings(env);
      const code = await doctorCommand({ settings, log: createQuietLog(), out, timeoutMs: 10_000 });
      return { code, text };
    };
    const [good, bad] = await Promise.all(
      [database.url, 'postgres://nobody@127.0.0.1:1/none'].map(examineWith),
    );
    expect(good!.code).toBe(0);
    expect(good!.text).toMatch(/^Database: PostgreSQL \d+\.\d+, [\d.]+ MB\nDisk of DATA_DIR: .* free\n/);
    expect(good!.text).not.toContain('pending migrations');
    expect(bad!.code).toBe(1);
    expect(bad!.text).toContain('Database: unusable');
  } finally {
    await database.drop();
  }
});
