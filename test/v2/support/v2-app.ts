import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { createPrivateAdnlKey } from '../../../src/chain/adnl/keys.ts';
import type { BlockId } from '../../../src/chain/block-id.ts';
import { createConnection } from '../../../src/lite/connection.ts';
import { type GlobalConfig, parseGlobalConfig } from '../../../src/lite/global-config.ts';
import { createHeadProver } from '../../../src/lite/head-proof.ts';
import { createPool, type LitePool } from '../../../src/lite/pool.ts';
import { NO_METRICS, type PoolMetrics } from '../../../src/lite/pooled-server.ts';
import { createLiveCaches } from '../../../src/live/caches.ts';
import type { LivePorts } from '../../../src/live/session.ts';
import { type RunningLocalnet, startLocalnet } from '../../../src/localnet/chain/start-localnet.ts';
import { createRunGetMethod } from '../../../src/localnet/chain/vm-runs.ts';
import type { SendMessage } from '../../../src/localnet/lite-server/methods/method-context.ts';
import { createLiteServer } from '../../../src/localnet/lite-server/server.ts';
import type { Vm } from '../../../src/vm/vm.ts';
import { RECORDING, sharedRecording } from '../../localnet/support/recorded-network.ts';
import { createTestApp } from '../../support/app.ts';
import { copyDemoChain } from '../../support/demo-chain.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { sharedVm } from '../../support/shared-vm.ts';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { callV2, type Transport, type TransportResponse } from './transports.ts';

/** The v2 interface with a lite server over ADNL; all responses are verified. */
export interface V2TestApp {
  readonly app: FastifyInstance;
  readonly pool: LitePool;
  readonly config: GlobalConfig;
  readonly vm: Vm;
  readonly log: ReturnType<typeof createQuietLog>;
  readonly call: (
    method: string,
    params?: Readonly<Record<string, unknown>>,
    transport?: Transport,
  ) => Promise<TransportResponse>;
  readonly close: () => Promise<void>;
}

interface AppOptions {
  readonly ports?: Partial<LivePorts>;
  readonly metrics?: PoolMetrics;
}

/** Opens v2 with the recorded network; check `missingNetwork` first. */
export async function openReplayApp(
  options: AppOptions & { readonly sendMessage?: SendMessage } = {},
): Promise<V2TestApp> {
  const log = createQuietLog();
  const store = sharedRecording();
  const vm = sharedVm();
  const server = await createLiteServer({
    store,
    key: createPrivateAdnlKey(),
    host: '127.0.0.1',
    port: 0,
    log,
    sendMessage: options.sendMessage,
    runGetMethod: createRunGetMethod(store, vm),
  });
  const { host, port, publicKey } = server;
  const config = parseGlobalConfig(await readFile(`${RECORDING}global.config.json`, 'utf8'));
  const liteServers = [{ index: 0, host, port, publicKey }];
  return openApp({ ...config, liteServers }, store.head, { log, vm }, options, () => server.close());
}

/** Opens v2 with a local chain that makes blocks; with `demo`, the demo is deployed first. */
export async function openLocalnetApp(
  options: AppOptions & {
    readonly demo?: boolean;
    readonly blockMs?: number;
    readonly shards?: 1 | 2 | 4;
  } = {},
): Promise<V2TestApp & { readonly running: RunningLocalnet; readonly folder: string }> {
  const log = createQuietLog();
  const folder = makeTemporaryDirectory('v2');
  const { demo = false, blockMs = 200, shards = 1 } = options;
  if (demo) await copyDemoChain(folder, shards);
  const running = await startLocalnet({
    routineTransactions: true,
    vm: sharedVm(),
    folder,
    settings: { blockMs, mine: 'interval', shards },
    host: '127.0.0.1',
    port: 0,
    log,
  });
  const config = parseGlobalConfig(await readFile(running.globalConfigPath, 'utf8'));
  const vm = sharedVm();
  const context = await openApp(config, running.localnet.store.head, { log, vm }, options, running.stop);
  return { ...context, running, folder };
}

async function openApp(
  config: GlobalConfig,
  head: BlockId,
  { log, vm }: Pick<V2TestApp, 'log' | 'vm'>,
  { ports, metrics = NO_METRICS }: AppOptions,
  stopServer: () => Promise<unknown>,
): Promise<V2TestApp> {
  const memory = { load: async () => undefined, save: async () => undefined };
  const prover = await createHeadProver({ anchor: config.initBlock, store: memory, log });
  const pool = createPool({
    config,
    connect: createConnection,
    log,
    metrics,
    proveHead: (from, block) => prover.prove(from.query, block),
  });
  const app = await createTestApp({ ports: { pool: () => pool, vm, caches: createLiveCaches(), ...ports } });
  await pool.waitForSeqno(head.seqno, { timeoutMs: 120_000 });
  return {
    app,
    pool,
    config,
    vm,
    log,
    call: (method, params = {}, transport = 'post') => callV2(app, transport, method, params),
    close: async () => {
      await app.close();
      await vm.close();
      await pool.close();
      await stopServer();
    },
  };
}
