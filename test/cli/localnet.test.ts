import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { localnetCommand } from '../../src/cli/localnet.ts';
import { startLocalnetParts } from '../../src/cli/localnet-run.ts';
import { readSettings } from '../../src/config/settings.ts';
import { UsageError } from '../../src/lib/errors.ts';
import { createLogger } from '../../src/observe/logger.ts';
import { RECORDING } from '../localnet/support/recorded-network.ts';
import { isLongRun } from '../support/long-run.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { missingNetwork } from '../support/recorded-network.ts';
import { makeDataDir, runTongateHere, tongateEnvironment } from '../support/tongate-process.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const ADDRESS = `0:${'11'.repeat(32)}`;
const TIMEOUT_MS = 300_000;

const QUIET = createLogger({ level: 'silent' });
const never = () => Promise.reject(new Error('not to be called'));
const PORTS = { log: createQuietLog(), out: process.stdout, run: never, replay: never };

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function dataDir(): string {
  const { path, remove } = makeDataDir();
  cleanups.push(remove);
  return path;
}

/** Runs a local chain until `end`; resolves when it says that it is up. */
async function runLocalnet(dir: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  const child: ChildProcess = spawn(process.execPath, [MAIN, 'localnet', ...args], {
    env: tongateEnvironment({ LOG_LEVEL: 'warn', DATA_DIR: dir, LOCALNET_BLOCK_MS: '500', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close').then(([code, signal]): number | string => code ?? signal);
  const end = (signal: NodeJS.Signals): Promise<number | string> => {
    child.kill(signal);
    return ended;
  };
  cleanups.push(() => end('SIGKILL'));
  let output = '';
  const isUp = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (chunk) => {
        output += chunk;
        if (/ (running|block \d+)\n {2}lite/.test(output)) resolve();
      });
    ended.then(() => reject(new Error(`it ended before it was up:\n${output}`)));
  });
  await isUp;
  return { end, output: () => output };
}

async function status(dir: string): Promise<Record<string, unknown>> {
  const { code, output } = await runTongateHere(['localnet', 'status'], { DATA_DIR: dir });
  expect(code).toBe(0);
  return JSON.parse(output);
}

describe('localnet', () => {
  it.runIf(isLongRun)(
    'runs a chain that takes commands, and restarts after kill -9',
    async () => {
      const dir = dataDir();
      const localnet = (...args: string[]) => runTongateHere(['localnet', ...args], { DATA_DIR: dir });
      expect(await localnet('status')).toMatchObject({ code: 2 });
      const first = await runLocalnet(dir);
      expect(first.output()).toContain('This mnemonic is public');
      expect(await status(dir)).toMatchObject({ running: true, shards: 1 });
      expect(await localnet('fund', ADDRESS, '2.5')).toMatchObject({
        code: 0,
        output: expect.stringContaining(`2.5 TON sent to ${ADDRESS}`),
      });
      expect(await localnet('advance', '100000')).toMatchObject({
        code: 0,
        output: expect.stringContaining("The chain's clock is 100000 s ahead of this machine's"),
      });
      expect((await localnet('snapshot', 'one')).code).toBe(0);
      expect(await localnet('restore', 'two')).toMatchObject({
        code: 2,
        output: 'tongate: localnet restore: there is no snapshot of the name two\n',
      });
      expect(await localnet()).toMatchObject({
        code: 1,
        output: expect.stringContaining('is in use by process'),
      });
      const { seqno } = await status(dir);
      expect(await first.end('SIGKILL')).toBe('SIGKILL');

      const stopped = await status(dir);
      expect(stopped).toMatchObject({ running: false, snapshots: ['one'] });
      expect(stopped.seqno).toBeGreaterThanOrEqual(seqno as number);
      expect((await localnet('fund', ADDRESS, '1')).output).toContain('the local chain is not running');
      const second = await runLocalnet(dir);
      expect(await status(dir)).toMatchObject({ running: true, offset_seconds: 100000 });
      expect((await localnet('restore', 'one')).code).toBe(0);
      expect(await second.end('SIGTERM')).toBe(0);
      expect(existsSync(join(dir, 'localnet/control.json'))).toBe(false);
      expect(existsSync(join(dir, 'localnet/lock'))).toBe(false);

      const settings = readSettings({ DATA_DIR: dir, LOCALNET_SHARDS: '2', LOCALNET_DEMO: 'off' });
      await localnetCommand({
        ...PORTS,
        args: ['--reset'],
        settings: () => settings,
        run: async (...[given, options]) => {
          const third = await startLocalnetParts(given, QUIET, options);
          cleanups.push(third.close);
        },
      });
      expect(await status(dir)).toMatchObject({ shards: 2, offset_seconds: 0, snapshots: ['one'] });
    },
    TIMEOUT_MS,
  );

  it.each([
    [['nonsense']],
    [['fund', ADDRESS]],
    [['snapshot']],
    [['snapshot', 'a', 'b']],
    [['--reset', 'status']],
    [['--what']],
    [['replay']],
  ])('rejects %j', async (args) => {
    const settings = () => readSettings({ DATA_DIR: dataDir() });
    await expect(localnetCommand({ ...PORTS, args, settings })).rejects.toThrow(UsageError);
  });

  it('begins with the demo', async () => {
    const settings = readSettings({ DATA_DIR: dataDir() });
    // The whole demo takes seconds, so that it is stopped after its first round, as by a signal.
    let output = '';
    const destination = {
      write(line: string) {
        output += line;
      },
    };
    const assertRunning = () => {
      if (output.includes('Demo round deployed')) throw new Error('stopping');
    };
    const log = createLogger({ level: 'info', destination });
    await expect(startLocalnetParts(settings, log, { assertRunning })).rejects.toThrow('stopping');
    expect(output.match(/Demo round deployed/g)).toHaveLength(1);
  });

  it.skipIf(missingNetwork)(
    `replays a recorded network${missingNetwork}`,
    async () => {
      const dir = dataDir();
      const { output, end } = await runLocalnet(dir, ['replay', RECORDING]);
      const port = Number(/127\.0\.0\.1:(\d+)/.exec(output())![1]);
      const config = JSON.parse(readFileSync(join(dir, 'localnet/replay/global.config.json'), 'utf8'));
      expect(config.liteservers[0].port).toBe(port);
      expect(await end('SIGINT')).toBe(0);
    },
    TIMEOUT_MS,
  );
});
