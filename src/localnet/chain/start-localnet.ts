import { randomBytes } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { createPrivateAdnlKey } from '../../chain/adnl/keys.ts';
import { MASTERCHAIN, WHOLE_SHARD, type ZeroStateId } from '../../chain/block-id.ts';
import { StartError } from '../../lib/errors.ts';
import { readFileIfExists } from '../../lib/files.ts';
import { createVm, type Vm } from '../../vm/vm.ts';
import { createCollator } from '../collate/collator.ts';
import { createGenesis } from '../genesis/create-genesis.ts';
import { openFaucets } from '../genesis/keys.ts';
import { createLiteServer, type LiteServer, type LiteServerOptions } from '../lite-server/server.ts';
import { chainPaths, writeDurably } from './chain-folder.ts';
import { createFaucet } from './faucet.ts';
import { createLocalnet, type Localnet, type LocalnetOptions } from './localnet.ts';
import { createValidatorSigner } from './validators.ts';
import { createRunGetMethod } from './vm-runs.ts';

interface StartLocalnetOptions extends Pick<LocalnetOptions, 'folder' | 'settings' | 'log'> {
  /** Where the lite server listens; port 0 takes the previous port if it is free, or any. */
  readonly host: string;
  readonly port: number;
  /** Its own by default. */
  readonly vm?: Vm | undefined;
  /**
   * Whether masterchain blocks have the transactions that each of them has on public networks. By default a chain has no
   * block rewards, and only the ticks and tocks that change something: the others take several times the room of the
   * block, and a chain makes a block every second.
   */
  readonly routineTransactions?: boolean | undefined;
  /** How far in the past a new chain begins; `prepare` has to move its clock to the present. */
  readonly secondsBehind?: number | undefined;
  /** Fills a new chain before it becomes visible. */
  readonly prepare?: ((localnet: Localnet, wallets: Wallets) => Promise<void>) | undefined;
}

/** Wallets funded in the zero state. */
export type Wallets = Awaited<ReturnType<typeof openFaucets>>;

export type RunningLocalnet = Readonly<Awaited<ReturnType<typeof startLocalnet>>>;

/** Starts the chain of a directory, or a new one, with its lite server. */
export async function startLocalnet(options: StartLocalnetOptions) {
  const { folder, settings, host, port, log, routineTransactions = false } = options;
  const closers: (() => Promise<void>)[] = [];
  /** Closes everything, the lite server first. */
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
      secondsBehind: options.secondsBehind,
      makeZeroStates: async (genesis) =>
        (await createGenesis({ ...genesis, routineTransactions })).zeroStates,
      createCollator: (store) =>
        createCollator({ store, vm, signer: createValidatorSigner(), skipIdleTicks: !routineTransactions }),
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
      showsSigned: (settings.signedMs ?? 0) > 0,
    });
    closers.push(() => liteServer.close());
    localnet.start();
    const faucet = createFaucet(wallets.basechain, localnet);
    const { globalConfigPath } = liteServer;
    return { localnet, liteServer, globalConfigPath, faucet, wallets, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const KEY_TEXT = /^[0-9a-f]{64}$/;
const LOOPBACK = '127.0.0.1';

/**
 * Opens a lite server with the key that a folder keeps, and writes the global config for its clients there. Port 0
 * stands for the port of the time before, or any if that is taken.
 */
export async function openLiteServer(folder: string, options: Omit<LiteServerOptions, 'key'>) {
  const { globalConfig, liteKey } = chainPaths(folder);
  const key = createPrivateAdnlKey(await readKey(liteKey));
  const wanted = options.port === 0 ? lastPort(globalConfig) : options.port;
  const server = await createLiteServer({ ...options, key, port: wanted }).catch((error: unknown) => {
    if (options.port === 0 && wanted !== 0) return createLiteServer({ ...options, key, port: 0 });
    throw new StartError(
      `The lite server cannot listen on ${options.host}:${wanted}, ${(error as Error).message}; set LOCALNET_LITE_PORT to another port`,
      { cause: error },
    );
  });
  const zeroStateId = { ...options.store.zeroState, workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 0 };
  // Clients on this machine also reach a server that listens on all addresses here.
  const host = isIPv4(server.host) && server.host !== '0.0.0.0' ? server.host : LOOPBACK;
  const place = { host, port: server.port, publicKey: server.publicKey };
  await writeDurably(globalConfig, globalConfigJson({ zeroStateId }, place), 0o644);
  return Object.assign(server, { globalConfigPath: globalConfig });
}

async function readKey(path: string): Promise<Buffer> {
  const stored = readFileIfExists(path)?.trim() ?? '';
  if (KEY_TEXT.test(stored)) return Buffer.from(stored, 'hex');
  const seed = randomBytes(32);
  await writeDurably(path, `${seed.toString('hex')}\n`);
  return seed;
}

function lastPort(path: string): number {
  return Number(/"port": (\d{1,5}),/.exec(readFileIfExists(path) ?? '')?.[1] ?? 0);
}

/**
 * The text of `global.config.json`, by which lite clients find the lite server and trust the chain. `zeroStateId` names
 * the masterchain's zero state.
 */
export function globalConfigJson(
  { zeroStateId }: { readonly zeroStateId: ZeroStateId },
  place: Pick<LiteServer, 'host' | 'port' | 'publicKey'>,
): string {
  const { workchain, rootHash, fileHash } = zeroStateId;
  const zeroState = {
    '@type': 'tonNode.blockIdExt',
    workchain,
    shard: `${WHOLE_SHARD}`,
    seqno: 0,
    root_hash: rootHash.toString('base64'),
    file_hash: fileHash.toString('base64'),
  };
  const id = { '@type': 'pub.ed25519', key: place.publicKey.toString('base64') };
  const config = {
    '@type': 'config.global',
    liteservers: [{ ip: addressNumber(place.host), port: place.port, id }],
    validator: {
      '@type': 'validator.config.global',
      zero_state: zeroState,
      init_block: zeroState,
      hardforks: [],
    },
  };
  // The id of the whole shard is a number that exceeds the integers of JSON.stringify.
  return `${JSON.stringify(config, null, 2).replaceAll(`"${WHOLE_SHARD}"`, `${WHOLE_SHARD}`)}\n`;
}

/** An IPv4 address as a signed 32-bit integer. */
function addressNumber(host: string): number {
  if (!isIPv4(host)) throw new Error(`a global config takes an IPv4 address, not ${host}`);
  return Buffer.from(host.split('.').map(Number)).readInt32BE(0);
}
