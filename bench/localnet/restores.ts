import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Address } from '@ton/core';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/db/embedded/server.ts';
import { BOB, bobsPayment } from '../../test/localnet/support/demo-payment.ts';
import { copyDemoChain } from '../../test/support/demo-chain.ts';
import { createQuietLog } from '../../test/support/quiet-log.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../test/support/temporary-directory.ts';
import { median } from '../support/measure.ts';
import { startMeasured } from '../support/servers.ts';

/** Restores between tests: times are milliseconds until the response, when v3 agrees. */
export interface RestoreFigures {
  readonly tests: number;
  readonly median: number;
  readonly p90: number;
  /** A restore after which the index is filled anew, as every restore was before the index could go back. */
  readonly rebuild: number;
  /** Resident memory after half of the tests, and after all. */
  readonly residentMb: { readonly half: number; readonly all: number };
}

const FRIEND = Address.parseRaw(`0:${'33'.repeat(32)}`);
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const WAIT_MS = 60_000;

/** Runs tests against a server with the demo chain: each sends the same message, waits for its actions and restores. */
export async function measureRestores(tests: number): Promise<RestoreFigures> {
  const dataDir = makeTemporaryDirectory('restores');
  const log = createQuietLog();
  await copyDemoChain(join(dataDir, 'localnet'), 1);
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  const server = await startMeasured({
    args: [MAIN, 'start'],
    env: { DATA_DIR: dataDir, DATABASE_URL: postgres.url, PORT: '0', LOCALNET_MINE: 'message' },
    outputFile: join(dataDir, 'log'),
    timeoutMs: WAIT_MS,
  });
  try {
    const key = readFileSync(join(dataDir, 'localnet-api-key'), 'utf8').trim();
    const api = clientOf(server.url, key);
    const { contracts } = JSON.parse(readFileSync(join(dataDir, 'localnet/demo.json'), 'utf8'));
    const jettonWallet = Address.parse(contracts['jetton wallet of bob']);
    await until(
      async () => (await api(`v3/jetton/wallets?address=${jettonWallet}`)).jetton_wallets.length === 1,
    );
    const { seqno } = (await api(`v2/getWalletInformation?address=${BOB.address}`)).result;
    const { message, hash } = bobsPayment({ seqno, to: FRIEND, jettonWallet });
    const boc = message.toBoc().toString('base64');
    await command(server.url, key, 'snapshot');

    const pay = async (): Promise<void> => {
      if (!(await api('v2/sendBoc', { boc })).ok) throw new Error('the message was not accepted');
      await until(
        async () => (await api(`v3/actions?msg_hash=${encodeURIComponent(hash)}`)).actions.length === 2,
      );
    };
    const times: number[] = [];
    const memory: number[] = [];
    for (let test = 0; test < tests; test++) {
      await pay();
      times.push(await command(server.url, key, 'restore'));
      if (test === tests >> 1 || test === tests - 1)
        memory.push((await server.usage()).residentBytes / 2 ** 20);
    }
    await pay();
    // An index that shares no block with the chain is filled anew.
    const client = new pg.Client(postgres.url);
    await client.connect();
    await client.query('update blocks set root_hash = sha256(root_hash)');
    await client.end();
    const rebuild = await command(server.url, key, 'restore');
    const sorted = times.toSorted((a, b) => a - b);
    return {
      tests,
      median: Math.round(median(times)),
      p90: Math.round(sorted[Math.floor(sorted.length * 0.9)]!),
      rebuild: Math.round(rebuild),
      residentMb: { half: Math.round(memory[0]!), all: Math.round(memory.at(-1)!) },
    };
  } finally {
    await server.stop();
    await postgres.stop();
    await removeTemporaryDirectory(dataDir);
  }
}

function clientOf(url: string, key: string) {
  return async (path: string, body?: object) => {
    const response = await fetch(`${url}/api/${path}`, {
      headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: several kinds of answers.
    return (await response.json()) as any;
  };
}

/** Sends a command about the one snapshot; returns the time until its response. */
async function command(url: string, key: string, name: 'snapshot' | 'restore'): Promise<number> {
  const startedMs = performance.now();
  const response = await fetch(`${url}/localnet/${name}`, {
    method: 'POST',
    headers: { 'x-api-key': key },
    body: '{"name":"clean"}',
  });
  const { ok, result } = (await response.json()) as { ok: boolean; result: { index?: { agrees: boolean } } };
  if (!ok || result.index?.agrees === false) throw new Error(`${name} failed: ${JSON.stringify(result)}`);
  return performance.now() - startedMs;
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + WAIT_MS;
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error('the server did not get there in time');
    await sleep(20);
  }
}
