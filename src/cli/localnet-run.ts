import { rmSync } from 'node:fs';
import { mkdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import Fastify from 'fastify';
import { generateKey } from '../access/keys.ts';
import { createOperatorAccess } from '../access/operator.ts';
import type { Settings } from '../config/settings.ts';
import { listen } from '../http/listen.ts';
import { createLocalnetRoutes, type LocalnetControl } from '../http/localnet-routes.ts';
import { chainFolder, chainPaths, writeDurably } from '../localnet/chain/chain-folder.ts';
import { createControl } from '../localnet/chain/control.ts';
import { openLiteServer, type RunningLocalnet, startLocalnet } from '../localnet/chain/start-localnet.ts';
import { createRunGetMethod } from '../localnet/chain/vm-runs.ts';
import { DEMO_SECONDS, prepareDemo, readDemoSummary } from '../localnet/demo/run-demo.ts';
import { openRecording } from '../localnet/store/recording.ts';
import { createLogger, flushLog, type Logger } from '../observe/logger.ts';
import { createShutdown, type Shutdown } from '../observe/shutdown.ts';
import { createVm, type Vm } from '../vm/vm.ts';
import { endFailedStart } from './open-process.ts';
import type { LocalChainState } from './readiness.ts';
import { checkStart } from './start-checks.ts';

/** Runs only the local chain until a signal arrives; resolves when it is up. */
export function runLocalnet(settings: Settings, options: { readonly reset: boolean }): Promise<void> {
  return untilStopped(settings, async (log, shutdown) => {
    const { withdraw } = await checkStart(settings, { localChain: true });
    const { assertRunning } = shutdown;
    const starting = startLocalnetParts(settings, log, { ...options, assertRunning });
    shutdown.add('local chain', async () => (await starting.catch(() => undefined))?.close());
    const { description, demo } = await starting.catch(async (error: unknown) => {
      if (!shutdown.stopping()) await withdraw();
      throw error;
    });
    return ['tongate localnet running', ...description, ...demo];
  });
}

/** Serves a recorded network to lite clients until a signal arrives; resolves when it is up. */
export function replayRecording(settings: Settings, recording: string): Promise<void> {
  return untilStopped(settings, async (log, shutdown) => {
    const store = openRecording(recording);
    const vm = createVm({ log });
    shutdown.add('virtual machine', () => vm.close());
    const folder = join(chainFolder(settings.dataDir), 'replay');
    await mkdir(folder, { recursive: true });
    const { localnetLiteHost: host, localnetLitePort: port } = settings;
    const server = await openLiteServer(folder, {
      store,
      host,
      port,
      log,
      runGetMethod: createRunGetMethod(store, vm),
    });
    shutdown.add('lite server', () => server.close());
    return [
      `tongate replays ${recording} at masterchain block ${store.head.seqno}`,
      `  lite      ${server.host}:${server.port}, config in ${server.globalConfigPath}`,
    ];
  });
}

export async function untilStopped(
  settings: Settings,
  start: (log: Logger, shutdown: Shutdown) => Promise<string[]>,
): Promise<void> {
  const log = createLogger({ level: settings.logLevel, pretty: process.stdout.isTTY === true });
  const shutdown = createShutdown({ log, timeoutMs: settings.stopTimeoutMs });
  try {
    const lines = await start(log, shutdown);
    await flushLog(log);
    process.stdout.write(`${lines.join('\n')}\n`);
  } catch (error) {
    await endFailedStart({ shutdown, log }, error);
  }
}

export type LocalnetParts = Awaited<ReturnType<typeof startLocalnetParts>>;

export interface LocalnetOptions {
  readonly reset?: boolean;
  /** Throws if the process is stopping; the demo ends before its next round then, and the next start begins it again. */
  readonly assertRunning?: () => void;
  /** The virtual machine of somebody else; by default it has its own. */
  readonly vm?: Vm | undefined;
}

const CONTROL_HINT = 'this port is for the command `localnet`';
const CONTROL_HINTS = { administration: CONTROL_HINT, localChain: CONTROL_HINT };

/** Starts the local chain with its lite server and its control port. */
export async function startLocalnetParts(
  settings: Settings,
  log: Logger,
  { reset = false, assertRunning, vm }: LocalnetOptions = {},
) {
  const folder = chainFolder(settings.dataDir);
  const paths = chainPaths(folder);
  const running = await startLocalnet({
    folder,
    settings: {
      blockMs: settings.localnetBlockMs,
      mine: settings.localnetMine,
      shards: settings.localnetShards,
      signedMs: settings.localnetSignedMs,
      reset,
    },
    host: settings.localnetLiteHost,
    port: settings.localnetLitePort,
    log,
    ...(vm && { vm }),
    ...(settings.localnetDemo && {
      secondsBehind: DEMO_SECONDS,
      prepare: async (localnet) =>
        void (await prepareDemo(localnet, { path: paths.demo, log, assertRunning })),
    }),
  });
  const { host, port } = running.liteServer;
  log.info({ host, port, config: running.globalConfigPath }, 'Local chain started');
  let onRestore: ((seqno: number) => Promise<object>) | undefined;
  const commands = createControl(running);
  const control = {
    ...commands,
    async restore(name: string) {
      const place = await commands.restore(name);
      // Tells other processes that follow the chain to start over.
      await utimes(running.globalConfigPath, new Date(), new Date());
      return { ...place, ...(await onRestore?.(place.seqno)) };
    },
  };
  const app: FastifyInstance = Fastify();
  const close = async (): Promise<void> => {
    rmSync(paths.control, { force: true });
    await app.close();
    await running.stop();
  };
  try {
    const key = generateKey();
    const { checkLocalChain: check } = createOperatorAccess({ localKey: key, hints: CONTROL_HINTS });
    await app.register(createLocalnetRoutes({ control, check }), { prefix: '/localnet' });
    const url = await listen(app, { host: '127.0.0.1', port: 0, setting: 'LOCALNET_LITE_PORT' });
    await writeDurably(paths.control, `${JSON.stringify({ url, key, pid: process.pid })}\n`);
  } catch (error) {
    await close();
    throw error;
  }
  const faucet = running.faucet.address.toString({ bounceable: false, testOnly: true });
  return {
    description: describeLocalnet(running, faucet),
    demo: describeDemo(paths.demo, running),
    control: control as LocalnetControl,
    state: (): LocalChainState => running.localnet.status(),
    faucet,
    close,
    /** Sets the listener for a restored snapshot; the response to the command waits for it, and has its result. */
    onRestore: (listener: (seqno: number) => Promise<object>) => {
      onRestore = listener;
    },
  };
}

function describeLocalnet(running: RunningLocalnet, faucet: string): string[] {
  const { liteServer, globalConfigPath, wallets } = running;
  return [
    `  lite      ${liteServer.host}:${liteServer.port}, config in ${globalConfigPath}`,
    `  faucet    ${faucet}`,
    `            ${wallets.basechain.mnemonic.join(' ')}`,
    '            This mnemonic is public: never send anything of value to its wallets on another network.',
  ];
}

function describeDemo(path: string, { localnet }: RunningLocalnet): string[] {
  const summary = readDemoSummary(path, localnet.store.zeroState.rootHash.toString('hex'));
  if (summary === undefined) return [];
  const wallets = Object.entries(summary.wallets).map(([name, { address, version }]) => ({
    name,
    address,
    about: `wallet ${version}`,
  }));
  const contracts = Object.entries(summary.contracts).map(([name, address]) => ({
    name,
    address,
    about: '',
  }));
  const rows = [...wallets, ...contracts];
  const width = Math.max(...rows.map(({ name }) => name.length));
  return [
    '',
    `Demo (all addresses, and the seeds of the wallets' keys, are in ${path}):`,
    ...rows.map(({ name, address, about }) => `  ${name.padEnd(width)}  ${address}  ${about}`.trimEnd()),
  ];
}
