import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import type { BlockId } from '../../../src/chain/block-id.ts';
import { listen } from '../../../src/http/listen.ts';
import { createConnection } from '../../../src/lite/connection/create-connection.ts';
import { type GlobalConfig, parseGlobalConfig } from '../../../src/lite/global-config.ts';
import { createPool, type LitePool } from '../../../src/lite/pool.ts';
import type { PoolTiming } from '../../../src/lite/pool-timing.ts';
import { createHeadProver } from '../../../src/lite/proofs/head-prover.ts';
import type { HeadServer } from '../../../src/lite/start-server.ts';
import { type RunningLocalnet, startLocalnet } from '../../../src/localnet/chain/start-localnet.ts';
import { type AnswerCache, createAnswerCache } from '../../../src/v2/cache/answer-cache.ts';
import type { V2Ports } from '../../../src/v2/call.ts';
import { createMemory, type V2Memory } from '../../../src/v2/memory.ts';
import { createTestApp, openGate } from '../../support/app.ts';
import { copyDemoChain } from '../../support/demo-chain.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { callV2, type Transport, type TransportAnswer } from '../transports.ts';
import { type ShakyServer, startShakyServer } from './shaky-server.ts';

/** A local chain that makes blocks when told to, behind lite servers that misbehave when told to, behind v2. */
export interface ShakyGround {
  readonly running: RunningLocalnet;
  readonly folder: string;
  readonly servers: readonly ShakyServer[];
  readonly pool: LitePool;
  readonly log: ReturnType<typeof createQuietLog>;
  readonly app: Awaited<ReturnType<typeof createTestApp>>;
  readonly cache: AnswerCache;
  readonly port: number;
  /** Requests that have arrived. */
  readonly arrived: number;
  /** What was recorded of each answer. */
  readonly answered: { operation: string; status: number }[];
  call(
    method: string,
    params?: Readonly<Record<string, unknown>>,
    transport?: Transport,
  ): Promise<TransportAnswer>;
  /** Makes blocks and waits until the pool has seen them. */
  mine(count?: number): Promise<void>;
  /** Makes v2 forget all that it has read. */
  forget(): void;
  close(): Promise<void>;
}

interface ShakyOptions {
  readonly servers?: number;
  readonly timing?: Partial<PoolTiming>;
  readonly ports?: Partial<V2Ports>;
  /** Fills the chain with contracts first. */
  readonly demo?: boolean;
  /** Whether heads are proven; it saves every server a proof to believe them. The other answers are checked. */
  readonly provesHeads?: boolean;
}

const HOUR_MS = 3_600_000;
/** No test waits that long; a busy machine may. */
const REQUEST_MS = 30_000;

/** Starts all of it. */
export async function openShakyGround({
  servers: count = 1,
  timing = {},
  ports,
  demo = false,
  provesHeads = false,
}: ShakyOptions = {}): Promise<ShakyGround> {
  const log = createQuietLog();
  const folder = makeTemporaryDirectory('shaky');
  if (demo) await copyDemoChain(folder, 1);
  const running = await startLocalnet({
    ...{ folder, settings: { blockMs: HOUR_MS, mine: 'interval', shards: 1 } },
    ...{ host: '127.0.0.1', port: 0, log },
  });
  const ended = new AbortController();
  const servers = await Promise.all(
    Array.from({ length: count }, () => startShakyServer(running.localnet, log, ended.signal)),
  );
  const config = parseGlobalConfig(await readFile(running.globalConfigPath, 'utf8'));
  const liteServers = servers.map(({ host, port, publicKey }, index) => ({ index, host, port, publicKey }));
  const pool = createPool({
    ...{ config: { ...config, liteServers }, log, timing },
    connect: (server) => createConnection({ ...server, reconnectFirstMs: 10, reconnectMaxMs: 40 }),
    proveHead: provesHeads ? await proverOf(config, log) : undefined,
  });
  const cache = createAnswerCache();
  const { memory, forget } = createForgetfulMemory();
  const answered: ShakyGround['answered'] = [];
  let arrived = 0;
  const admit = async () => {
    arrived += 1;
  };
  const app = await createTestApp({
    gate: { ...openGate, admit },
    ports: { pool: () => pool, memory, requestMs: REQUEST_MS, ...ports },
    cache,
    overrides: {
      onRequestDone: (_interface, operation, status) => void answered.push({ operation, status }),
    },
  });
  await listen(app, { host: '127.0.0.1', port: 0, setting: 'PORT' });
  // The chain makes a block when it starts; after this one no other comes by itself.
  const { seqno } = await running.localnet.mine();
  await pool.waitForSeqno(seqno, { timeoutMs: 30_000 });
  return {
    ...{ running, folder, servers, pool, log, app, cache, answered },
    get arrived() {
      return arrived;
    },
    port: (app.server.address() as AddressInfo).port,
    call: (method, params = {}, transport = 'post') => callV2(app, transport, method, params),
    async mine(blocks = 1) {
      const { seqno } = await running.localnet.mine(blocks);
      await pool.waitForSeqno(seqno, { timeoutMs: 10_000 });
    },
    forget() {
      cache.clear();
      forget();
    },
    async close() {
      await app.close();
      await pool.close();
      ended.abort();
      for (const server of servers) await server.stop();
      await running.stop();
    },
  };
}

async function proverOf(config: GlobalConfig, log: ReturnType<typeof createQuietLog>) {
  const memory = { load: async () => undefined, save: async () => undefined };
  const prover = await createHeadProver({ anchor: config.initBlock, memory, log });
  return (from: HeadServer, block: BlockId) => prover.prove(from.query, block);
}

/** A memory that can be emptied under those who hold it. */
function createForgetfulMemory(): { memory: V2Memory; forget: () => void } {
  let now = createMemory();
  return {
    memory: new Proxy(now, {
      get: (_first, name) => Reflect.get(now, name),
      set: (_first, name, value) => Reflect.set(now, name, value),
    }),
    forget() {
      now = createMemory();
    },
  };
}
