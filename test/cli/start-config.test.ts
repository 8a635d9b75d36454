import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { createFakeChain } from '../support/fake-chain.ts';
import { writeGlobalConfig } from '../support/global-config-file.ts';
import { serveHere } from '../support/serve-here.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../support/temporary-directory.ts';
import { runTongateHere, startIndexer } from '../support/tongate-process.ts';
import { until } from '../support/until.ts';

const MAINNET = 'F6OpKZKqvqeFp6CQmFomXNMfMj2EnaUSOXN+Mh+wVWk=';
const TESTNET = 'gj+B8wb/AmlPk1z1AhVI484rhrUpgSr2oSFIh56VoSg=';
const OTHER = Buffer.alloc(32, 7).toString('base64');

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

let root: string;
let dataDir: string;
beforeAll(() => {
  root = makeTemporaryDirectory('start-config');
  dataDir = join(root, 'data');
  return () => removeTemporaryDirectory(root);
});
afterEach(() => removeTemporaryDirectory(dataDir));

/** A config with a zero state, whose only lite server nobody runs. */
function configOf(zeroState: string): string {
  const path = join(root, `${zeroState.slice(0, 4)}.json`);
  const rootHash = Buffer.from(zeroState, 'base64');
  writeGlobalConfig(path, {
    zeroState: { ...createFakeChain(1).zeroState, rootHash },
    servers: [{ host: '127.0.0.1', port: 1, publicKey: Buffer.alloc(32, 1) }],
  });
  return path;
}

const start = (env: Record<string, string>, command = 'start') =>
  runTongateHere([command], { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent', ...env });

describe('a start that cannot use its global config', () => {
  it.each([
    ['missing', undefined, 'ENOENT'],
    ['broken', '{"liteservers": [', 'it is not JSON'],
    ['without lite servers', '{"liteservers": []}', 'names no lite server'],
  ])('names one that is %s before it writes anything', async (name, content, reason) => {
    const path = join(root, `${name}.json`);
    if (content !== undefined) writeFileSync(path, content);
    const { code, output } = await start({ NETWORK: 'custom', TON_CONFIG: path });
    expect(code).toBe(1);
    expect(output).toMatch(/^tongate: Global config [^\n]* cannot be used: [^\n]*TON_CONFIG[^\n]*\n$/);
    expect(output).toContain(reason);
    expect(existsSync(dataDir)).toBe(false);
  });

  it.each([
    ['mainnet', OTHER, 'another network', 'custom'],
    ['mainnet', TESTNET, 'testnet', 'testnet'],
    ['testnet', MAINNET, 'mainnet', 'mainnet'],
  ])('of %s names its zero state and that of the config', async (network, given, name, meant) => {
    const wanted = network === 'mainnet' ? MAINNET : TESTNET;
    for (const command of ['start', 'index'])
      expect(await start({ NETWORK: network, TON_CONFIG: configOf(given) }, command)).toEqual({
        code: 1,
        output:
          `tongate: TON_CONFIG is the global config of ${name}: its zero state is ${given}, that of ${network} is ${wanted}; ` +
          `set NETWORK to ${meant}, or TON_CONFIG to a config of ${network}\n`,
      });
    expect(existsSync(dataDir)).toBe(false);
  });

  it('names the zero state that a custom network had before', async () => {
    mkdirSync(dataDir);
    const noted = `custom ${MAINNET}\n`;
    writeFileSync(join(dataDir, 'network'), noted);
    const { code, output } = await start({ NETWORK: 'custom', TON_CONFIG: configOf(OTHER) });
    expect(code).toBe(1);
    expect(output).toContain(`its zero state is ${MAINNET}, that of TON_CONFIG is ${OTHER}; set DATA_DIR`);
    expect(readFileSync(join(dataDir, 'network'), 'utf8')).toBe(noted);
    expect(readdirSync(dataDir)).toEqual(['network']);
  });
});

describe('a start that fails leaves its data directory to any network', () => {
  const free = () => (existsSync(dataDir) ? readdirSync(dataDir) : []);

  it('for a port in use', async () => {
    const taken = createTcpServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    cleanups.push(() => taken.close());
    const PORT = String((taken.address() as AddressInfo).port);
    const env = { NETWORK: 'custom', TON_CONFIG: configOf(OTHER), PORT };
    expect(await start(env)).toMatchObject({ code: 1, output: expect.stringContaining('already in use') });
    expect(free()).toEqual([]);
  });

  it('for a database that does not exist, which migrate creates', async () => {
    const test = await createTestDatabase();
    cleanups.push(() => test.drop());
    const url = new URL(test.url);
    url.pathname += '_first';
    const name = url.pathname.slice(1);
    const env = { NETWORK: 'custom', TON_CONFIG: configOf(OTHER), DATABASE_URL: url.href };
    // Each waits for the database before it fails.
    const failed = await Promise.all(['start', 'serve', 'index'].map((command) => start(env, command)));
    for (const { code, output } of failed) {
      expect(code).toBe(1);
      expect(output).toMatch(
        /^tongate: There is no database at [^\n]*The command migrate creates it[^\n]*\n$/,
      );
      expect(free()).toEqual([]);
    }
    cleanups.push(() => sql`drop database ${sql.id(name)}`.execute(test.database.primary));
    expect(await start(env, 'migrate')).toMatchObject({ output: '' });
    expect(await start(env, 'sizes')).toMatchObject({ code: 0 });
  });
});

describe('a config URL that does not respond at the first start', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());
  const LINE = 'Global config download failed, retrying until it succeeds';
  const linesWith = (output: string, text: string) =>
    output.split('\n').filter((line) => line.includes(text));

  async function serveConfigs(listener: RequestListener): Promise<string> {
    server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/global.config.json`;
  }

  it('is waited for with one line, and used once it does', async () => {
    const test = await createTestDatabase();
    cleanups.push(() => test.drop());
    let isUp = false;
    const failures = { indexer: 0, server: 0 };
    const url = await serveConfigs((request, response) => {
      if (isUp) return response.end(readFileSync(configOf(OTHER)));
      const process = request.url?.endsWith('?server') ? 'server' : 'indexer';
      failures[process] += 1;
      return failures[process] % 2 === 1 ? request.socket.destroy() : response.writeHead(503).end();
    });
    const env = {
      NETWORK: 'custom',
      TON_CONFIG: url,
      DATABASE_URL: test.url,
      DATA_DIR: dataDir,
    };
    const indexer = startIndexer(env);
    cleanups.push(() => indexer.end('SIGKILL'));
    const starting = serveHere({ ...env, TON_CONFIG: `${url}?server` }, 'serve');
    starting.catch(() => {});
    // The first failure writes the line, the second does not.
    await until(() => indexer.output().includes(LINE) && failures.indexer > 1 && failures.server > 1);
    expect(existsSync(dataDir)).toBe(false);
    expect(await indexer.end('SIGTERM')).toBe(0);

    isUp = true;
    const serving = await starting;
    cleanups.push(() => serving.end('SIGTERM'));
    expect(linesWith(serving.output(), LINE)).toHaveLength(1);
    expect(linesWith(serving.output(), 'Global config downloaded')).toHaveLength(1);
    expect(readFileSync(join(dataDir, 'network'), 'utf8')).toBe(`custom ${OTHER}\n`);
    expect(readdirSync(dataDir)).toContain('admin-key');
    // The next start does not need the URL.
    expect(readdirSync(join(dataDir, 'lite'))).toContainEqual(expect.stringMatching(/^global-config-/));
    expect(await serving.end('SIGTERM')).toBe(0);
  });

  it('is an error at once where the server refuses it', async () => {
    const url = await serveConfigs((_request, response) => response.writeHead(404).end());
    const { code, output } = await start({ NETWORK: 'custom', TON_CONFIG: url });
    expect(code).toBe(1);
    expect(output).toContain('cannot be used: the server responded with status 404');
    expect(existsSync(dataDir)).toBe(false);
  });
});
