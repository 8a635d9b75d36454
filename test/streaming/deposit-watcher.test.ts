import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Address, internal, SendMode, toNano } from '@ton/core';
import { TonClient, WalletContractV4 } from '@ton/ton';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDemoWallets } from '../../src/localnet/demo/demo-wallets.ts';
import { isLongRun, sampled } from '../support/long-run.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../support/temporary-directory.ts';
import { until } from '../support/until.ts';
import { startTongateServer, type TongateServer } from '../v3/support/tongate-server.ts';
import { openWs, waitFor } from './support/stream-clients.ts';

const PROGRAM = fileURLToPath(new URL('../../examples/deposit-watcher/deposit-watcher.mjs', import.meta.url));
const { bob, judy } = openDemoWallets();
const JUDY = judy.address.toRawString().toUpperCase();
const folder = makeTemporaryDirectory('watcher');
const CURSOR_FILE = join(folder, 'cursor.txt');

let server: TongateServer;
beforeAll(async () => {
  // Signed blocks, which only the last test needs, are read four times per second, and make every block take longer.
  const pace = sampled<Record<string, string>>(
    { LOCALNET_BLOCK_MS: '250' },
    { LOCALNET_BLOCK_MS: '100', LOCALNET_SIGNED_MS: '600' },
  );
  server = await startTongateServer({ settings: pace });
});
afterAll(async () => {
  await server?.close();
  await removeTemporaryDirectory(folder);
});

/** Runs the program as a user does. */
function watch(address = JUDY, cursorFile = CURSOR_FILE) {
  const child = spawn(process.execPath, [PROGRAM, address], {
    env: {
      ...process.env,
      TONGATE_URL: server.url,
      TONGATE_KEY: server.key,
      CURSOR_FILE: cursorFile,
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

it('prints deposits to an address without a contract, but not those that go back', async () => {
  const address = `0:${'AB'.repeat(32)}`;
  const cursorFile = join(folder, 'no-contract.txt');
  const watcher = watch(address, cursorFile);
  await until(() => readFileSync(cursorFile, { encoding: 'utf8', flag: 'a+' }) !== '');
  const ton = new TonClient({ endpoint: `${server.url}/api/v2/jsonRPC`, apiKey: server.key });
  const wallet = ton.open(WalletContractV4.create({ workchain: 0, publicKey: bob.keys.publicKey }));
  for (const [value, bounce] of [
    ['0.2', true],
    ['0.3', false],
  ] as const) {
    const seqno = await wallet.getSeqno();
    const messages = [internal({ to: Address.parse(address), value: toNano(value), bounce })];
    const sendMode = SendMode.PAY_GAS_SEPARATELY;
    await wallet.sendTransfer({ seqno, secretKey: bob.keys.secretKey, sendMode, messages });
    await until(async () => (await wallet.getSeqno()) > seqno);
  }
  await until(() => watcher.lines().length > 0);
  expect(watcher.lines().map(amountOf)).toEqual(['300000000']);
  await watcher.kill();
});

it.runIf(isLongRun)(
  'shows a payment as pending, confirmed and finalized where the lite server shows signed blocks',
  async () => {
    const BOB = bob.address.toRawString().toUpperCase();
    const ton = new TonClient({ endpoint: `${server.url}/api/v2/jsonRPC`, apiKey: server.key });
    const wallet = ton.open(WalletContractV4.create({ workchain: 0, publicKey: bob.keys.publicKey }));
    const client = await openWs(server.url, `?api_key=${server.key}`);
    const types = ['transactions'];
    await client.ask({ operation: 'subscribe', addresses: [BOB], types, min_finality: 'pending' });
    const streamed = (from: number): string[] =>
      client
        .events()
        .slice(from)
        .map(({ finality }) => finality);
    /** Pays, and collects what is told of it until it is final. */
    async function pay() {
      const [from, seqno] = [client.events().length, await wallet.getSeqno()];
      const messages = [internal({ to: bob.address, value: toNano('0.01'), bounce: false })];
      await wallet.sendTransfer({ seqno, secretKey: bob.keys.secretKey, messages });
      const pending = new Set<string>();
      await until(async () => {
        const { traces } = (await server.get(`/api/v3/pendingTraces?account=${BOB}`)).body;
        for (const { transactions } of traces ?? [])
          for (const { finality, emulated } of Object.values<{ finality: string; emulated: boolean }>(
            transactions,
          ))
            pending.add(`${finality}${emulated ? ' emulated' : ''}`);
        return streamed(from).includes('finalized') && (await wallet.getSeqno()) > seqno;
      });
      return { streamed: streamed(from), pending };
    }
    const LEVELS = ['pending', 'confirmed', 'finalized'];
    // A machine that is busy for longer than the block is shown misses it: then with the next one.
    await until(async () => {
      const { streamed, pending } = await pay();
      const levels = streamed.map((finality) => LEVELS.indexOf(finality));
      expect(levels).toEqual(levels.toSorted());
      return new Set(levels).size === LEVELS.length && pending.has('confirmed');
    });
    client.close();
  },
);
