import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, Address, Cell } from '@ton/core';
import { chainFolder } from '../../../src/localnet/chain/chain-folder.ts';
import type { DemoChain } from '../../../src/localnet/demo/demo-chain.ts';
import type { StoryContext } from '../../../src/localnet/demo/story.ts';
import { CONFIG_ID } from '../../../src/localnet/genesis/special-accounts.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { copyDemoChain } from '../../support/demo-chain.ts';
import { localnetKeyOf, makeDataDir, startTongate } from '../../support/tongate-process.ts';

// biome-ignore lint/suspicious/noExplicitAny: a parsed response
type Json = any;

/** An HTTP response. */
interface HttpAnswer {
  readonly status: number;
  readonly body: Json;
}

/** A tongate process with a local chain that produces blocks only on request. */
export interface TongateServer {
  readonly url: string;
  readonly key: string;
  readonly base: TestDatabase;
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<HttpAnswer>;
  readonly post: (
    path: string,
    body: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<HttpAnswer>;
  /** Produces this many masterchain blocks. */
  readonly mine: (count?: number) => Promise<void>;
  /** Waits until the index has all blocks. */
  readonly untilIndexed: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const NEVER_MS = '3600000';
const PATIENCE_MS = 60_000;

/** Starts with the demo chain or a new chain, indexed from its start. */
export async function startTongateServer({ demo = true, settings = {} } = {}): Promise<TongateServer> {
  const data = makeDataDir();
  const database = await createTestDatabase();
  if (demo) await copyDemoChain(chainFolder(data.path), 4);
  const server = await startTongate({
    DATA_DIR: data.path,
    DATABASE_URL: database.url,
    LOCALNET_BLOCK_MS: NEVER_MS,
    LOCALNET_SHARDS: demo ? '4' : '1',
    LOG_LEVEL: 'info',
    EMULATION_THREADS: '1',
    // A busy test machine is not what is tested.
    SHED_LOOP_DELAY_MS: '0',
    ...settings,
  });
  const { url } = server;
  const key = localnetKeyOf(data.path);

  async function ask(path: string, init: RequestInit): Promise<HttpAnswer> {
    const answer = await fetch(url + path, init);
    return { status: answer.status, body: await answer.json() };
  }

  const post: TongateServer['post'] = (path, body, headers = {}) =>
    ask(path, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  async function untilIndexed(): Promise<void> {
    const head = (await ask('/localnet/status', {})).body.result.seqno;
    await until(async () => {
      const { index } = (await ask('/status', {})).body;
      return index !== undefined && index.last_seqno >= head && index.gaps === 0;
    });
  }

  await untilIndexed();
  return {
    url,
    key,
    base: database,
    post,
    untilIndexed,
    get: (path, headers = {}) => ask(path, { headers: { 'x-api-key': key, ...headers } }),
    async mine(count = 1) {
      const { status, body } = await post('/localnet/mine', { count });
      if (status !== 200) throw new Error(JSON.stringify(body));
    },
    async close() {
      await server.end('SIGTERM');
      await database.drop();
      await data.remove();
    },
  };
}

/** Polls until a condition holds. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error('Condition not met in time');
    await sleep(15);
  }
}

const CONFIG_CONTRACT = new Address(-1, CONFIG_ID);

/** Start of the terms of contracts; any time will do. */
export const BEGINNING = 1_700_000_000;

/** The chain of another process, as far as the demo needs it. */
export async function readDemoChain(
  { get }: TongateServer,
  { basechain, masterchain }: StoryContext['faucets'],
): Promise<DemoChain> {
  const accounts = new Map<string, Account>();
  for (const address of [basechain.address, masterchain.address, CONFIG_CONTRACT]) {
    const { body } = await get(`/api/v2/getAddressInformation?address=${address.toRawString()}`);
    const data = Cell.fromBase64(body.result.data);
    const storage = { state: { type: 'active', state: { data } } };
    accounts.set(address.toRawString(), { storage } as unknown as Account);
  }
  return {
    id: '',
    genesisTime: BEGINNING,
    now: () => Math.floor(Date.now() / 1000),
    account: (address: Address) => accounts.get(address.toRawString()),
    deliver: async () => {
      throw new Error('nothing is delivered this way');
    },
  };
}
