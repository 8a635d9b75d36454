import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDemoWallets } from '../../src/localnet/demo/demo-wallets.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../support/temporary-directory.ts';
import { startTongateServer, type TongateServer } from '../v3/support/tongate-server.ts';
import { waitFor } from './support/stream-clients.ts';

const PROGRAM = fileURLToPath(new URL('../../examples/deposit-watcher/deposit-watcher.mjs', import.meta.url));
const { judy } = openDemoWallets();
const JUDY = judy.address.toRawString().toUpperCase();
const folder = makeTemporaryDirectory('watcher');
const CURSOR_FILE = join(folder, 'cursor.txt');

let server: TongateServer;
beforeAll(async () => {
  server = await startTongateServer({ settings: { LOCALNET_BLOCK_MS: '300' } });
});
afterAll(async () => {
  await server?.close();
  await removeTemporaryDirectory(folder);
});

/** Runs the program as a user does. */
function watch() {
  const child = spawn(process.execPath, [PROGRAM, judy.address.toString()], {
    env: {
      ...process.env,
      TONGATE_URL: server.url,
      TONGATE_KEY: server.key,
      CURSOR_FILE,
    },
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  return {
    lines: () => output.split('\n').filter((line) => line !== ''),
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}

const readCursor = () => readFileSync(CURSOR_FILE, { encoding: 'utf8', flag: 'a+' });
const fund = (amount: string) => server.post('/localnet/fund', { address: JUDY, amount });
const amountOf = (line: string) => line.split(' ')[1];

it('prints every deposit once, also those that arrived while it was killed', async () => {
  const first = watch();
  await waitFor(() => readCursor() !== '');
  const start = readCursor();
  await fund('0.5');
  await waitFor(() => first.lines().some((line) => amountOf(line) === '500000000'));
  expect(first.lines().find((line) => amountOf(line) === '500000000')).toMatch(
    new RegExp(`^${JUDY} 500000000 [\\w+/]{43}=$`),
  );
  // Killed before that, it would print the deposit again.
  await waitFor(() => readCursor() !== start);
  await first.kill();
  await fund('0.6');
  const second = watch();
  await fund('0.7');
  await waitFor(() => second.lines().some((line) => amountOf(line) === '700000000'));
  expect(second.lines().map(amountOf)).toEqual(['600000000', '700000000']);
  await second.kill();
});
