import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, Address, Cell } from '@ton/core';
import { chainFolder } from '../../../src/localnet/chain/chain-folder.ts';
import type { DemoChain } from '../../../src/localnet/demo/demo-chain.ts';
import type { StoryContext } from '../../../src/localnet/demo/story.ts';
import { CONFIG_ID } from '../../../src/localnet/genesis/special-accounts.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { copyDemoChain } from '../../support/demo-chain.ts';
import { serveHere } from '../../support/serve-here.ts';
import { localnetKeyOf, makeDataDir } from '../../support/tongate-process.ts';
import { until } from '../../support/until.ts';
import { DEMO_SHARDS, openIndexedDemo } from './indexed-demo.ts';

// biome-ignore lint/suspicious/noExplicitAny: a parsed response
type Json = any;

/** An HTTP response. */
interface HttpAnswer {
  readonly status: number;
  readonly body: Json;
}

/** A server in this process with a local chain that produces blocks only on request. */
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
  /** The body of `/status`. */
  readonly status: () => Promise<Json>;
  /** Waits until the index has all blocks. */
  readonly untilIndexed: () => Promise<void>;
  /** Waits until everything in the index is classified, and streams know it. */
  readonly untilClassified: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const NEVER_MS = '3600000';

interface ServerOptions {
  /** With the demo chain, whose index is made once per run, or a new chain. */
  readonly demo?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
}

/** Starts with a local chain that is indexed. */
export async function startTongateServer({
  demo = true,
  settings = {},
}: ServerOptions = {}): Promise<TongateServer> {
  if (!demo) return startOn(await createTestDatabase(), makeDataDir(), { LOCALNET_SHARDS: '1', ...settings });
  const data = makeDataDir();
  await copyDemoChain(chainFolder(data.path), DEMO_SHARDS);
  return startOn(await openIndexedDemo(), data, { LOCALNET_SHARDS: String(DEMO_SHARDS), ...settings });
}

async function startOn(
  base: TestDatabase,
  data: ReturnType<typeof makeDataDir>,
  settings: Readonly<Record<string, string>>,
): Promise<TongateServer> {
  const server = await serveHere({
    DATA_DIR: data.path,
    DATABASE_URL: base.url,
    LOCALNET_BLOCK_MS: NEVER_MS,
    LOG_LEVEL: 'info',
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
  /** Service pages have a rate limit of their own, which a test that polls can reach. */
  async function readService(path: string): Promise<Json> {
    for (;;) {
      const { status, body } = await ask(path, { headers: { 'x-api-key': key } });
      if (status !== 429) return body;
      await sleep(100);
    }
  }
  const status = () => readService('/status');
  const headSeqno = async (): Promise<number> => (await readService('/localnet/status')).result.seqno;
  const isIndexed = (index: Json, head: number) =>
    index !== undefined && index.last_seqno >= head && index.gaps === 0;
  async function untilIndexed(): Promise<void> {
    const head = await headSeqno();
    await until(async () => isIndexed((await status()).index, head));
  }

  const mine: TongateServer['mine'] = async (count = 1) => {
    const answer = await post('/localnet/mine', { count });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  };

  // A chain makes a block when it starts, which a slow machine may do later than the server is ready. Blocks are made in
  // turn, so that one is there when this one is.
  await mine();
  await untilIndexed();
  return {
    url,
    key,
    base,
    post,
    status,
    untilIndexed,
    async untilClassified() {
      const head = await headSeqno();
      await until(async () => {
        const { index, streaming } = await status();
        return isIndexed(index, head) && streaming.last_trace_seqno >= index.head_seqno;
      });
    },
    get: (path, headers = {}) => ask(path, { headers: { 'x-api-key': key, ...headers } }),
    mine,
    async close() {
      await server.end('SIGTERM');
      await base.drop();
      await data.remove();
    },
  };
}

const CONFIG_CONTRACT = new Address(-1, CONFIG_ID);

/** Start of the terms of contracts; any time will do. */
export const BEGINNING = 1_700_000_000;

/** The chain of another process, as far as the demo needs it; of accounts it has faucets, configuration and those given. */
export async function readDemoChain(
  { get, post }: Pick<TongateServer, 'get' | 'post'>,
  { basechain, masterchain }: StoryContext['faucets'],
  others: readonly Address[] = [],
): Promise<DemoChain> {
  const accounts = new Map<string, Account>();
  let time = 0;
  /** Reads the chain at its head. */
  async function read(): Promise<void> {
    const { seqno, time: now } = (await get('/localnet/status')).body.result;
    time = now;
    await until(async () => (await get('/api/v2/getMasterchainInfo')).body.result.last.seqno >= seqno);
    for (const address of [basechain.address, masterchain.address, CONFIG_CONTRACT, ...others]) {
      const { body } = await get(`/api/v2/getAddressInformation?address=${address.toRawString()}`);
      if (body.result.data === '') continue;
      const data = Cell.fromBase64(body.result.data);
      const storage = { state: { type: 'active', state: { data } } };
      accounts.set(address.toRawString(), { storage } as unknown as Account);
    }
  }
  async function command(name: string, params: object): Promise<void> {
    const { status, body } = await post(`/localnet/${name}`, params);
    if (status !== 200) throw new Error(JSON.stringify(body));
    await read();
  }
  await read();
  return {
    id: '',
    genesisTime: BEGINNING,
    now: () => time,
    account: (address: Address) => accounts.get(address.toRawString()),
    deliver: async () => {
      throw new Error('messages to another process are sent by its API');
    },
    async advanceTo(to) {
      if (to > time) await command('advance', { seconds: to - time });
    },
    mine: () => command('mine', { count: 1 }),
  };
}
