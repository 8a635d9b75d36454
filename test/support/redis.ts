import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { freePort } from './free-port.ts';

/** A Redis server that a test may kill, pause and restart on the same port. */
export interface OwnRedis {
  readonly url: string;
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  readonly pause: () => void;
  readonly resume: () => void;
}

/** A Redis server that a test may use, but not stop. */
export interface SomeRedis {
  readonly url: string;
  readonly close: () => Promise<void>;
}

const canSpawn = spawnSync('redis-server', ['--version']).status === 0;

/** Why tests that need their own Redis are skipped; undefined if they can run. */
export const noOwnRedis = canSpawn ? undefined : 'redis-server is not in PATH';

/** Why tests that need any Redis are skipped; undefined if they can run. */
export const noRedis =
  canSpawn || process.env.REDIS_URL ? undefined : 'neither REDIS_URL nor redis-server in PATH';

/** The Redis of REDIS_URL, or a new one. */
export async function openRedis(): Promise<SomeRedis> {
  const url = process.env.REDIS_URL;
  if (url) return { url, close: async () => {} };
  const own = await startRedis();
  return { url: own.url, close: own.kill };
}

/** Starts a Redis without persistence. */
export async function startRedis(options: readonly string[] = []): Promise<OwnRedis> {
  const port = await freePort();
  let server: ChildProcess | undefined;
  async function start(): Promise<void> {
    const settings = [
      '--port',
      `${port}`,
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--dir',
      tmpdir(),
      ...options,
    ];
    server = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'inherit'] });
    const ready = Promise.withResolvers<void>();
    let output = '';
    server.stdout?.on('data', (chunk) => {
      output += chunk;
      if (output.includes('Ready to accept connections')) ready.resolve();
    });
    server.once('exit', () => ready.reject(new Error(`redis-server exited: ${output}`)));
    await ready.promise;
  }
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    async kill() {
      if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
      const exited = once(server, 'exit');
      server.kill('SIGKILL');
      await exited;
    },
    pause: () => server?.kill('SIGSTOP'),
    resume: () => server?.kill('SIGCONT'),
  };
}
