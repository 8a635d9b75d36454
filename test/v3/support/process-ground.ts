import { setTimeout as sleep } from 'node:timers/promises';
import { chainFolder } from '../../../src/localnet/chain/chain-paths.ts';
import { createTestDatabase } from '../../support/database.ts';
import { copyDemoChain } from '../../support/demo-chain.ts';
import { localnetKeyOf, makeDataDir, startTongate } from '../../support/tongate-process.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
type Json = any;

/** An answer over HTTP. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: Json;
}

/** A whole tongate in a process of its own, with a local chain that makes blocks only when it is told to. */
export interface ProcessGround {
  readonly url: string;
  readonly key: string;
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<HttpAnswer>;
  readonly post: (
    path: string,
    body: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<HttpAnswer>;
  /** Makes so many masterchain blocks. */
  readonly mine: (count?: number) => Promise<void>;
  /** Waits until the index has all blocks. */
  readonly untilIndexed: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const NEVER_MS = '3600000';
const PATIENCE_MS = 60_000;

/** With the demo or with a new chain, which is indexed from its beginning. */
export async function openProcessGround({ demo = true, settings = {} } = {}): Promise<ProcessGround> {
  const data = makeDataDir();
  const database = await createTestDatabase();
  if (demo) await copyDemoChain(chainFolder(data.path), 4);
  const server = await startTongate({
    ...{ DATA_DIR: data.path, DATABASE_URL: database.url, LOCALNET_BLOCK_MS: NEVER_MS },
    ...{ LOCALNET_SHARDS: demo ? '4' : '1', LOG_LEVEL: 'info', EMULATION_THREADS: '1', ...settings },
  });
  const { url } = server;
  const key = localnetKeyOf(data.path);

  async function ask(path: string, init: RequestInit): Promise<HttpAnswer> {
    const answer = await fetch(url + path, init);
    return { status: answer.status, body: await answer.json() };
  }

  const post: ProcessGround['post'] = (path, body, headers = {}) =>
    ask(path, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  async function untilIndexed(): Promise<void> {
    const head = (await ask('/localnet/status', {})).body.result.seqno;
    await until(async () => {
      const { index } = (await ask('/status', {})).body;
      return index.last_seqno >= head && index.gaps === 0;
    });
  }

  await untilIndexed();
  return {
    ...{ url, key, post, untilIndexed },
    get: (path, headers = {}) => ask(path, { headers: { 'x-api-key': key, ...headers } }),
    async mine(count = 1) {
      const { status, body } = await post('/localnet/mine', { count });
      if (status !== 200) throw new Error(JSON.stringify(body));
    },
    async close() {
      await server.end('SIGTERM');
      await database.drop();
      data.remove();
    },
  };
}

/** Asks until something is so. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error('it did not come to pass');
    await sleep(15);
  }
}
