import { rmSync } from 'node:fs';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Settings } from '../config/settings.ts';
import { listen } from '../http/listen.ts';
import { createLocalnetRoutes, type LocalnetControl } from '../http/plugins/localnet-control.ts';
import { chainFolder, chainPaths } from '../localnet/chain/chain-paths.ts';
import { createControl } from '../localnet/chain/create-control.ts';
import { writeDurably } from '../localnet/chain/durable-file.ts';
import { type RunningLocalnet, startLocalnet } from '../localnet/chain/start-localnet.ts';
import { prepareDemo } from '../localnet/demo/prepare-demo.ts';
import type { Logger } from '../observe/logger.ts';

/** A local chain that takes commands. */
export interface LocalnetParts {
  /** Lines for a person: where everything is. */
  readonly description: readonly string[];
  readonly control: LocalnetControl;
  readonly close: () => Promise<void>;
}

/** Starts the local chain with its lite server, and a port on which the commands of this program reach it. */
export async function startLocalnetParts(
  settings: Settings,
  log: Logger,
  { reset = false } = {},
): Promise<LocalnetParts> {
  const folder = chainFolder(settings.dataDir);
  const paths = chainPaths(folder);
  const running = await startLocalnet({
    folder,
    settings: {
      blockMs: settings.localnetBlockMs,
      mine: settings.localnetMine,
      shards: settings.localnetShards,
      reset,
    },
    host: settings.localnetLiteHost,
    port: settings.localnetLitePort,
    log,
    ...(settings.localnetDemo && {
      prepare: async (localnet) => void (await prepareDemo(localnet, paths.demo, log)),
    }),
  });
  const { host, port } = running.liteServer;
  log.info({ host, port, config: running.globalConfigPath }, 'The local chain runs');
  const control = createControl(running);
  const app: FastifyInstance = Fastify();
  const close = async (): Promise<void> => {
    rmSync(paths.control, { force: true });
    await app.close();
    await running.stop();
  };
  try {
    await app.register(createLocalnetRoutes(control, 'loopback'), { prefix: '/localnet' });
    const url = await listen(app, { host: '127.0.0.1', port: 0, setting: 'LOCALNET_LITE_PORT' });
    await writeDurably(paths.control, `${JSON.stringify({ url, pid: process.pid })}\n`);
  } catch (error) {
    await close();
    throw error;
  }
  return { description: describeLocalnet(running), control, close };
}

function describeLocalnet({ liteServer, globalConfigPath, faucet, wallets }: RunningLocalnet): string[] {
  return [
    `  lite      ${liteServer.host}:${liteServer.port}, config in ${globalConfigPath}`,
    `  faucet    ${faucet.address.toString({ bounceable: false, testOnly: true })}`,
    `            ${wallets.basechain.mnemonic.join(' ')}`,
    '            These words are public: never send anything of value to their wallets on another network.',
  ];
}
