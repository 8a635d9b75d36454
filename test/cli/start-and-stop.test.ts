import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { lockFolder } from '../../src/localnet/chain/chain-folder.ts';
import { sampled } from '../support/long-run.ts';
import {
  localnetKeyOf,
  makeDataDir,
  makeSeededDataDir,
  postmastersBelow,
  runTongateHere,
  startTongate,
  type TongateProcess,
} from '../support/tongate-process.ts';

// A busy machine takes its time.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const PATH = '/api/v2/unpackAddress?address=EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';

/** Waits for its database as long as a start does, while the other tests run. */
let withoutDatabase: ReturnType<typeof runTongateHere>;
const withoutDatabaseDir = makeDataDir();
beforeAll(() => {
  withoutDatabase = runTongateHere(['start'], {
    DATA_DIR: withoutDatabaseDir.path,
    PORT: '0',
    DATABASE_URL: 'postgresql://user:hunter2@127.0.0.1:1/db',
    LOG_LEVEL: 'silent',
  });
});

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function temporaryDataDir(make = makeSeededDataDir): string {
  const { path, remove } = make();
  cleanups.push(remove);
  return path;
}

/** One server and its data directory, from the first start to the end. */
describe('start', () => {
  // `start.test.ts` of the embedded PostgreSQL creates a cluster too.
  const { path: dir, remove } = sampled(makeSeededDataDir, makeDataDir)();
  // Callers of one address would share its limit, and on a busy machine the server would say that it is overloaded.
  const env = { DATA_DIR: dir, TRUST_PROXY: 'on', DRAIN_MS: '600000', SHED_LOOP_DELAY_MS: '0' };
  let server: TongateProcess;
  let newKey: string;
  afterAll(async () => {
    await server?.end('SIGKILL');
    await remove();
  });
  const call = (key: string) => fetch(server.url + PATH, { headers: { 'x-api-key': key } });

  it('works without any set-up', async () => {
    server = await startTongate(env);
    expect((await fetch(server.url + PATH)).status).toBe(200);
    expect((await fetch(server.url + PATH)).status).toBe(429);
    expect((await call(localnetKeyOf(dir))).status).toBe(200);
    expect(await (await fetch(`${server.url}/healthz`)).json()).toEqual({ status: 'ok' });
    expect(await (await fetch(`${server.url}/readyz`)).json()).toMatchObject({ ready: true });
    expect(await (await fetch(`${server.url}/metrics`)).text()).toContain(
      'tongate_http_requests_total{interface="v2"',
    );
    expect(postmastersBelow(dir)).toHaveLength(1);
  });

  it('accepts keys of `keys create` while it runs', async () => {
    const created = await runTongateHere(['keys', 'create', '--name', 'kept', '--rps', '50'], {
      DATA_DIR: dir,
    });
    expect(created.code).toBe(0);
    newKey = /tg_[\w-]+/.exec(created.output)![0];
    expect((await call(newKey)).status).toBe(200);
  });

  it('returns 503 in the envelope while PostgreSQL restarts, and recovers by itself', async () => {
    const [pid] = postmastersBelow(dir);
    const texts = new Map<number, string>();
    let calls = 0;
    // Keys that are not cached need the database; each comes from an address of its own.
    const callUnknown = async () => {
      const number = calls++;
      const headers = {
        'x-api-key': `tg_unknown${number}`,
        'x-forwarded-for': `10.0.${number >> 8}.${number & 255}`,
      };
      const response = await fetch(server.url + PATH, { headers });
      const { ok, code, error } = (await response.json()) as { ok: boolean; code: number; error: string };
      expect({ ok, code }).toEqual({ ok: false, code: response.status });
      texts.set(response.status, error);
      return response.status;
    };
    while (calls < 1000 && (await callUnknown()) !== 401) await sleep(20);
    process.kill(pid!, 'SIGINT');
    while (calls < 3000 && (await callUnknown()) !== 503);
    // PostgreSQL is brought back by its supervisor.
    while (calls < 5000 && (await callUnknown()) !== 401) await sleep(20);
    expect(texts.get(503)).toBe('Database is not available');
    expect(texts.get(401)).toBe('API key does not exist');
    expect((await call(localnetKeyOf(dir))).status).toBe(200);
    expect([...texts.keys()].sort()).toEqual([401, 503]);
    expect(postmastersBelow(dir)).not.toContain(pid);
  });

  it('goes on serving after SIGTERM while /readyz fails, and ends connections with their responses', async () => {
    const key = localnetKeyOf(dir);
    let isDraining = false;
    const callUntilDrained = async () => {
      const statuses = new Set<number>();
      for (let left = 5; left > 0; ) {
        const wasDraining = isDraining;
        const response = await call(key);
        statuses.add(response.status);
        await response.arrayBuffer();
        if (wasDraining) expect(response.headers.get('connection')).toBe('close');
        if (wasDraining) left--;
        await sleep(10);
      }
      return [...statuses];
    };
    const callers = Array.from({ length: 4 }, callUntilDrained);
    await Promise.all([call(key), call(key)]);
    server.child.kill('SIGTERM');
    await expect
      .poll(async () => {
        const response = await fetch(`${server.url}/readyz`);
        return [response.status, await response.json()];
      })
      .toEqual([503, { ready: false, checks: { process: { status: 'failing', text: 'stopping' } } }]);
    isDraining = true;
    expect(await Promise.all(callers)).toEqual([[200], [200], [200], [200]]);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(postmastersBelow(dir)).toHaveLength(1);
  });

  it('restarts with its data after kill -9', async () => {
    expect(await server.end('SIGKILL')).toBe('SIGKILL');
    server = await startTongate(env);
    expect((await call(newKey)).status).toBe(200);
    expect((await call(localnetKeyOf(dir))).status).toBe(200);
  });

  it('finishes running requests when Ctrl-C stops it with everything it started', async () => {
    const body = JSON.stringify(
      Array(100).fill({ id: 1, method: 'detectHash', params: { hash: '0'.repeat(64) } }),
    );
    const headers = { 'x-api-key': localnetKeyOf(dir) };
    const running = Array.from({ length: 5 }, () =>
      fetch(`${server.url}/api/v2/jsonRPC`, { method: 'POST', body, headers }),
    );
    await Promise.race(running);
    const ended = server.end('SIGINT');
    for (const result of await Promise.allSettled(running)) {
      // What comes after the stop has begun is refused; a request that was accepted gets its whole response.
      if (result.status === 'fulfilled' && result.value.status !== 503)
        expect(await result.value.json()).toHaveLength(100);
    }
    expect(await ended).toBe(0);
    expect(postmastersBelow(dir)).toEqual([]);
    // The banner shows the key to a person; no line of the log does.
    const logged = server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .join('\n');
    expect(logged).toContain('"operation":"unpackAddress"');
    expect(logged).not.toContain(localnetKeyOf(dir));
  });
});

describe('a failed start prints one clear line and exits non-zero', () => {
  it('lists all invalid settings', async () => {
    const { code, output } = await runTongateHere(['start'], {
      PORT: 'x',
      NETWORK: 'moon',
      ANONYMOUS_RPS: '0',
    });
    expect(code).toBe(1);
    for (const name of ['PORT', 'NETWORK', 'ANONYMOUS_RPS']) expect(output).toContain(name);
    expect(output).not.toContain('    at ');
  });

  it('names a port in use', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => taken.close());
    const { port } = taken.address() as AddressInfo;
    const dir = temporaryDataDir();
    const { code, output } = await runTongateHere(['start'], {
      DATA_DIR: dir,
      PORT: String(port),
      LOG_LEVEL: 'silent',
    });
    expect(code).toBe(1);
    expect(output).toBe(`tongate: 127.0.0.1:${port} is already in use; set PORT to another port\n`);
    expect(postmastersBelow(dir)).toEqual([]);
  });

  it('names a data directory of another network, and the process that has the local chain', async () => {
    const dir = temporaryDataDir(makeDataDir);
    const env = { DATA_DIR: dir, LOG_LEVEL: 'silent', PORT: '0' };
    mkdirSync(join(dir, 'localnet'));
    const release = lockFolder(join(dir, 'localnet'));
    const second = await runTongateHere(['start'], env);
    release();
    expect(second).toEqual({
      code: 1,
      output:
        `tongate: The local chain in ${dir}/localnet is in use by process ${process.pid}; ` +
        'stop that process, or set DATA_DIR to another directory and PORT to another port\n',
    });
    // A start that fails takes no directory.
    expect(readdirSync(dir)).toEqual(['localnet']);
    writeFileSync(join(dir, 'network'), 'localnet\n');
    for (const command of [['start'], ['keys', 'list'], ['sizes']])
      expect(await runTongateHere(command, { ...env, NETWORK: 'mainnet' })).toEqual({
        code: 1,
        output:
          `tongate: DATA_DIR=${dir} holds the data of localnet, but NETWORK is mainnet; ` +
          `set DATA_DIR to another directory, for example ${dir}-mainnet\n`,
      });
    expect(readdirSync(dir).sort()).toEqual(['localnet', 'network']);
  });

  it.each([
    [['nonsense']],
    [['keys', 'nonsense']],
    [['keys', 'create']],
    [['start', 'nonsense']],
    [['serve', '--port', '5']],
    [['openapi', '--nope']],
  ])('rejects %j', async (args) => {
    const { code, output } = await runTongateHere(args, { DATA_DIR: temporaryDataDir(makeDataDir) });
    expect(code).toBe(2);
    expect(output).toMatch(/^tongate: .+\n$/);
  });

  it('names an unreachable database without its password', async () => {
    const { code, output } = await withoutDatabase;
    expect(code).toBe(1);
    expect(output).toMatch(/^tongate: [^\n]*127\.0\.0\.1[^\n]*\n$/);
    expect(output).not.toContain('hunter2');
    expect(output).toContain('Check DATABASE_URL');
    // The chain and its demo were not begun, and another network may have the directory.
    expect(readdirSync(withoutDatabaseDir.path)).toEqual([]);
    await withoutDatabaseDir.remove();
  });
});

describe('help', () => {
  const ask = (...args: string[]) => runTongateHere(args, {});

  it('lists the commands, and says what a misspelled one means', async () => {
    const { code, output } = await ask('--help');
    expect(code).toBe(0);
    for (const name of ['start', 'serve', 'reclassify', 'keys', 'settings'])
      expect(output).toMatch(new RegExp(`^  ${name} +[A-Z]`, 'm'));
    expect(await ask()).toEqual({ code: 2, output });
    expect(await ask('strat')).toEqual({
      code: 2,
      output: 'tongate: unknown command strat; did you mean start? (tongate --help lists all)\n',
    });
  });

  it.each([
    'start',
    'serve',
    'index',
    'import',
    'verify',
    'doctor',
    'openapi',
    'keys',
    'webhooks',
    'localnet',
  ])('describes %s instead of running it', async (name) => {
    const { code, output } = await ask(name, '--help');
    expect(code).toBe(0);
    expect(output).toMatch(new RegExp(`^Usage: tongate ${name}`));
    // It is read in a terminal.
    expect(output.split('\n').filter((line) => line.length > 130)).toEqual([]);
  });

  it('settings lists all settings', async () => {
    expect(await ask('settings')).toMatchObject({
      code: 0,
      output: expect.stringContaining('| `DATA_DIR` |'),
    });
  });
});
