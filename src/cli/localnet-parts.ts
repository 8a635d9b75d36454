import { rmSync } from 'node:fs';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Settings } from '../config/settings.ts';
import { listen } from '../http/listen.ts';
import { createLocalnetRoutes, type LocalnetControl } from '../http/plugins/localnet-control.ts';
import type { Log } from '../lib/log.ts';
import { chainFolder, chainPaths } from '../localnet/chain/chain-paths.ts';
import { createControl } from '../localnet/chain/create-control.ts';
import { writeDurably } from '../localnet/chain/durable-file.ts';
import { type RunningLocalnet, startLocalnet } from '../localnet/chain/start-localnet.ts';

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
  log: Log,
  { reset = false } = {},
): Promise<LocalnetParts> {
  const folder = chainFolder(settings.dataDir);
  const running = await startLocalnet({
    folder,
    settings: {
      blockMs: settings.localnetBlockMs,
      mine: settings.localnetMine,
      shards: settings.localnetShards,
      reset,
    },
    host: settings.localnetHost,
    port: settings.localnetPort,
    log,
  });
  const { host, port } = running.liteServer;
  log.info({ host, port, config: running.globalConfigPath }, 'The local chain runs');
  const control = createControl(running);
  const path = chainPaths(folder).control;
  const app: FastifyInstance = Fastify();
  const close = async (): Promise<void> => {
    rmSync(path, { force: true });
    await app.close();
    await running.stop();
  };
  try {
    await app.register(createLocalnetRoutes(control, 'loopback'), { prefix: '/localnet' });
    const url = await listen(app, { host: '127.0.0.1', port: 0, setting: 'LOCALNET_PORT' });
    await writeDurably(path, `${JSON.stringify({ url, pid: process.pid })}\n`);
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
