import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  localnetKeyOf,
  makeDataDir,
  makeSeededDataDir,
  postmastersBelow,
  runTongate,
  startTongate,
  type TongateProcess,
} from '../support/tongate-process.ts';

// A busy machine takes its time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const OVERLOADED = 'Server is overloaded';
const PATH = '/api/v2/unpackAddress?address=EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function dataDir(make = makeSeededDataDir): string {
  const { path, remove } = make();
  cleanups.push(remove);
  return path;
}

async function start(env: Record<string, string>, command?: 'start' | 'serve'): Promise<TongateProcess> {
  const server = await startTongate(env, command);
  cleanups.push(() => server.child.exitCode ?? server.child.signalCode ?? server.end('SIGTERM'));
  return server;
}

const ask = (server: TongateProcess, key: string) =>
  fetch(server.url + PATH, { headers: { 'x-api-key': key } });

describe('start', () => {
  it('works without any set-up, and Ctrl-C stops everything it started', async () => {
    const dir = dataDir(makeDataDir);
    const server = await start({ DATA_DIR: dir });
    expect((await fetch(server.url + PATH)).status).toBe(200);
    expect((await fetch(server.url + PATH)).status).toBe(429);
    expect((await ask(server, localnetKeyOf(dir))).status).toBe(200);
    expect(await (await fetch(`${server.url}/healthz`)).json()).toEqual({ status: 'ok' });
    expect(await (await fetch(`${server.url}/readyz`)).json()).toMatchObject({ ready: true });
    expect(await (await fetch(`${server.url}/metrics`)).text()).toContain(
      'tongate_http_requests_total{interface="v2"',
    );
    expect(postmastersBelow(dir)).toHaveLength(1);
    expect(await server.end('SIGINT')).toBe(0);
    expect(postmastersBelow(dir)).toEqual([]);
    // The welcome shows the key to a person; no line of the log does.
    const logged = server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    expect(logged.join('\n')).toContain('"operation":"unpackAddress"');
    expect(logged.join('\n')).not.toContain(localnetKeyOf(dir));
  });

  it('restarts with its data after kill -9', async () => {
    const dir = dataDir();
    const first = await start({ DATA_DIR: dir });
    const made = await runTongate(['keys', 'create', '--name', 'kept', '--rps', '50'], { DATA_DIR: dir });
    expect(made.code).toBe(0);
    const key = /tg_[\w-]+/.exec(made.output)![0];
    expect((await ask(first, key)).status).toBe(200);
    expect(await first.end('SIGKILL')).toBe('SIGKILL');
    const second = await start({ DATA_DIR: dir });
    expect((await ask(second, key)).status).toBe(200);
    expect((await ask(second, localnetKeyOf(dir))).status).toBe(200);
    expect(await second.end('SIGTERM')).toBe(0);
    expect(postmastersBelow(dir)).toEqual([]);
  });

  it('finishes running requests before it stops', async () => {
    const dir = dataDir();
    const server = await start({ DATA_DIR: dir });
    const key = localnetKeyOf(dir);
    const body = JSON.stringify(
      Array(100).fill({ id: 1, method: 'detectHash', params: { hash: '0'.repeat(64) } }),
    );
    const running = Array.from({ length: 5 }, () =>
      fetch(`${server.url}/api/v2/jsonRPC`, { method: 'POST', body, headers: { 'x-api-key': key } }),
    );
    await Promise.race(running);
    const ended = server.end('SIGTERM');
    for (const answer of await Promise.allSettled(running)) {
      // A request whose connection was not accepted yet may be refused; one that was accepted gets its whole answer.
      if (answer.status === 'fulfilled') expect(await answer.value.json()).toHaveLength(100);
    }
    expect(await ended).toBe(0);
  });
});

describe('a restart of PostgreSQL under load', () => {
  it('results in 503 in the envelope while it is down and 200 afterwards, without a restart of the server', async () => {
    const dir = dataDir();
    const server = await start({ DATA_DIR: dir, TRUST_PROXY: 'on' });
    const [pid] = postmastersBelow(dir);
    const texts = new Map<number, string>();
    let asked = 0;
    // Keys that nobody has used yet need the database; each comes from an address of its own.
    const askOne = async () => {
      const number = asked++;
      const headers = {
        'x-api-key': `tg_unknown${number}`,
        'x-forwarded-for': `10.0.${number >> 8}.${number & 255}`,
      };
      const answer = await fetch(server.url + PATH, { headers });
      const { ok, code, error } = (await answer.json()) as { ok: boolean; code: number; error: string };
      expect({ ok, code }).toEqual({ ok: false, code: answer.status });
      // A busy machine may make the server say that it is overloaded; that is another 503, and not of interest here.
      if (error !== OVERLOADED) texts.set(answer.status, error);
      return error === OVERLOADED ? 0 : answer.status;
    };
    while (asked < 1000 && (await askOne()) !== 401) await sleep(20);
    process.kill(pid!, 'SIGINT');
    while (asked < 3000 && (await askOne()) !== 503);
    // PostgreSQL is brought back by its supervisor.
    while (asked < 5000 && (await askOne()) !== 401) await sleep(20);
    expect(texts.get(503)).toBe('Database is not available');
    expect(texts.get(401)).toBe('API key does not exist');
    expect((await ask(server, localnetKeyOf(dir))).status).toBe(200);
    expect([...texts.keys()].sort()).toEqual([401, 503]);
    expect(postmastersBelow(dir)).not.toContain(pid);
  });
});

describe('a failed start prints one clear line and exits non-zero', () => {
  /** Waits for its database as long as a start does, beside the other tests. */
  let withoutDatabase: ReturnType<typeof runTongate>;
  beforeAll(() => {
    withoutDatabase = runTongate(['migrate'], {
      DATABASE_URL: 'postgresql://user:hunter2@127.0.0.1:1/db',
      LOG_LEVEL: 'silent',
    });
  });

  it('lists all invalid settings', async () => {
    const { code, output } = await runTongate(['start'], { PORT: 'x', NETWORK: 'moon', ANONYMOUS_RPS: '0' });
    expect(code).toBe(1);
    for (const name of ['PORT', 'NETWORK', 'ANONYMOUS_RPS']) expect(output).toContain(name);
    expect(output).not.toContain('    at ');
  });

  it('names a port in use', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => taken.close());
    const { port } = taken.address() as AddressInfo;
    const dir = dataDir();
    const { code, output } = await runTongate(['start'], {
      DATA_DIR: dir,
      PORT: String(port),
      LOG_LEVEL: 'silent',
    });
    expect(code).toBe(1);
    expect(output).toBe(`tongate: 127.0.0.1:${port} is already in use; set PORT to another port\n`);
    expect(postmastersBelow(dir)).toEqual([]);
  });

  it.each([[['nonsense']], [['keys', 'nonsense']], [['keys', 'create']]])('rejects %j', async (args) => {
    const { code, output } = await runTongate(args, { DATA_DIR: dataDir(makeDataDir) });
    expect(code).toBe(2);
    expect(output).toMatch(/^tongate: .+\n$/);
  });

  it('names an unreachable database without its password', async () => {
    const { code, output } = await withoutDatabase;
    expect(code).toBe(1);
    expect(output).toMatch(/^tongate: [^\n]*127\.0\.0\.1[^\n]*\n$/);
    expect(output).not.toContain('hunter2');
  });
});
