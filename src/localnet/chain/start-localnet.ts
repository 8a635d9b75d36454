import type { Log } from '../../lib/log.ts';
import { createVm, type Vm } from '../../vm/vm.ts';
import { createCollator } from '../collate/collator.ts';
import { createGenesis } from '../genesis/create-genesis.ts';
import { type FundedWallet, openFaucets } from '../genesis/keys.ts';
import type { LiteServer } from '../lite-server/server.ts';
import { createFaucet, type Faucet } from './faucet.ts';
import { createLocalnet, type Localnet, type LocalnetSettings } from './localnet.ts';
import { openLiteServer } from './open-lite-server.ts';
import { createValidatorSigner } from './validators.ts';
import { createRunGetMethod } from './vm-runs.ts';

export interface StartLocalnetOptions {
  readonly folder: string;
  readonly settings: LocalnetSettings;
  /** Where the lite server listens; port 0 takes the previous port if it is free, or any. */
  readonly host: string;
  readonly port: number;
  readonly log: Log;
  /** Its own by default. */
  readonly vm?: Vm | undefined;
  /**
   * Whether masterchain blocks have the transactions that each of them has on public networks. By default a chain has no
   * block rewards, and only the ticks and tocks that change something: the others take several times the room of the
   * block, and a chain makes a block every second.
   */
  readonly routineTransactions?: boolean | undefined;
  /** Fills a new chain before it becomes visible. */
  readonly prepare?: ((localnet: Localnet, wallets: Wallets) => Promise<void>) | undefined;
}

/** Wallets funded in the zero state. */
export interface Wallets {
  readonly basechain: FundedWallet;
  readonly masterchain: FundedWallet;
}

/** A chain with its lite server. */
export interface RunningLocalnet {
  readonly localnet: Localnet;
  readonly liteServer: LiteServer;
  /** Path of the global config for lite clients. */
  readonly globalConfigPath: string;
  readonly faucet: Faucet;
  readonly wallets: Wallets;
  /** Closes everything, the lite server first. */
  stop(): Promise<void>;
}

/** Starts the chain of a directory, or a new one, with its lite server. */
export async function startLocalnet(options: StartLocalnetOptions): Promise<RunningLocalnet> {
  const { folder, settings, host, port, log, routineTransactions = false } = options;
  const closers: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close();
  };
  try {
    const vm = options.vm ?? createVm({ log });
    if (options.vm === undefined) closers.push(() => vm.close());
    const wallets = await openFaucets();
    const localnet = await createLocalnet({
      folder,
      settings,
      log,
      vm,
      makeZeroStates: async (genesis) =>
        (await createGenesis({ ...genesis, routineTransactions })).zeroStates,
      createCollator: (store) =>
        createCollator({
          store,
          vm,
          signer: createValidatorSigner(),
          skipIdleTicks: !routineTransactions,
        }),
      prepare: async (chain) => {
        await chain.drain();
        await options.prepare?.(chain, wallets);
      },
    });
    closers.push(() => localnet.stop());
    const { store } = localnet;
    const liteServer = await openLiteServer(folder, {
      store,
      host,
      port,
      log,
      now: localnet.now,
      sendMessage: async (body) => void (await localnet.send(body)),
      runGetMethod: createRunGetMethod(store, vm),
    });
    closers.push(() => liteServer.close());
    localnet.start();
    const faucet = createFaucet(wallets.basechain, localnet);
    return { localnet, liteServer, globalConfigPath: liteServer.globalConfigPath, faucet, wallets, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
