import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { isLongRun } from '../support/long-run.ts';
import { MAIN, makeSeededDataDir, postmastersBelow, tongateEnvironment } from '../support/tongate-process.ts';
import { until } from '../support/until.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function newDataDir(): string {
  const { path, remove } = makeSeededDataDir();
  cleanups.push(remove);
  return path;
}

/** A server whose output nobody sees needs a port that is known. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const isReady = (port: number) =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Runs a command on a terminal of its own, which goes when standard input ends, as when its window is closed; exits with
 * the command's exit code.
 */
const TERMINAL = `
import os, pty, select, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
while True:
    ready = select.select([0, terminal], [], [])[0]
    if 0 in ready: break
    os.write(1, os.read(terminal, 65536))
os.close(terminal)
os._exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) % 256)
`;

describe('a server', () => {
  // In a short run `shutdown-signals.test.ts` and `log-destination.test.ts` do it without a server.
  it.runIf(isLongRun)('ends with everything that it started when its terminal is closed', async (context) => {
    if (spawnSync('python3', ['-c', 'import pty']).status !== 0) return context.skip('needs python3');
    const dataDir = newDataDir();
    const port = await freePort();
    const child = spawn('python3', ['-c', TERMINAL, process.execPath, MAIN, 'start'], {
      env: tongateEnvironment({ DATA_DIR: dataDir, PORT: `${port}`, INDEX: 'off' }),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    cleanups.push(() => child.kill('SIGKILL'));
    const exited = once(child, 'exit');
    const shown = text(child.stdout);
    await until(() => isReady(port));
    child.stdin.end();
    expect(await exited).toEqual([0, null]);
    expect(await shown).toContain(`tongate listening on http://127.0.0.1:${port}`);
    expect(postmastersBelow(dataDir)).toEqual([]);
  });

  const outputs: [string, string | undefined][] = [['the reader of its log has gone', undefined]];
  if (existsSync('/dev/full')) outputs.push(['the disk of its log is full', '/dev/full']);

  it.runIf(isLongRun).each(outputs)('goes on when %s, and ends with SIGHUP', async (_, file) => {
    const dataDir = newDataDir();
    const port = await freePort();
    const output = file === undefined ? 'pipe' : openSync(file, 'w');
    const child = spawn(process.execPath, [MAIN, 'start'], {
      env: tongateEnvironment({ DATA_DIR: dataDir, PORT: `${port}`, INDEX: 'off' }),
      stdio: ['ignore', output, output],
    });
    if (output !== 'pipe') closeSync(output);
    child.stdout?.destroy();
    child.stderr?.destroy();
    cleanups.push(() => child.kill('SIGKILL'));
    const exited = once(child, 'exit');
    await until(async () => child.exitCode !== null || (await isReady(port)));
    // Every request is a line of the log.
    for (let calls = 0; calls < 5; calls += 1) expect(await isReady(port)).toBe(true);
    child.kill('SIGHUP');
    expect(await exited).toEqual([0, null]);
    expect(postmastersBelow(dataDir)).toEqual([]);
  });
});

it.skipIf(!existsSync('/dev/full'))('a command says that its output could not be written', async () => {
  const output = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [MAIN, 'settings'], {
    env: tongateEnvironment({}),
    stdio: ['ignore', output, 'pipe'],
  });
  closeSync(output);
  const [errors, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
  expect(code).toBe(1);
  expect(errors).toMatch(/^tongate: Writing to standard output failed: ENOSPC[^\n]*\n$/);
});
