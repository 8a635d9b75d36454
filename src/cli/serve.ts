import { describeSettings } from '../config/describe-settings.ts';
import type { Settings } from '../config/settings.ts';
import { flushLog, type Logger } from '../observe/logger.ts';
import { openChainAccess } from './chain-access.ts';
import { startHttpServer } from './http-server.ts';
import { localnetKey } from './localnet-key.ts';
import type { LocalnetParts } from './localnet-parts.ts';
import { openDatabase } from './open-database.ts';
import { openProcess } from './open-process.ts';
import { welcome } from './welcome.ts';

interface ServeOptions {
  readonly settings: Settings;
  /** Also runs the local chain, if that is the network, and tells a person at the terminal where everything is. */
  readonly everything: boolean;
}

/** How long it is worth to wait for a first lite server: what is asked before gets a refusal. */
const SETTLE_MS = 3000;

/** Serves HTTP until a signal comes; resolves when everything is up. */
export async function serve({ settings, everything }: ServeOptions): Promise<void> {
  const { log, shutdown, metrics } = openProcess(settings, 'tongate starts');
  const { network } = settings;
  log.debug(describeSettings(settings), 'settings');
  try {
    const opening = openDatabase(settings, log);
    // Registered before it is open, so that a signal during the start leaves nothing behind.
    shutdown.add('database', async () => (await opening.catch(() => undefined))?.close());
    const isChainHere = everything && network === 'localnet';
    const starting = isChainHere ? startLocalChain(settings, log) : Promise.resolve(undefined);
    shutdown.add('local chain', async () => (await starting.catch(() => undefined))?.close());
    const connecting = starting.then(() => openChainAccess({ settings, isChainHere, metrics, log }));
    shutdown.add('chain access', async () => (await connecting.catch(() => undefined))?.close());
    const [{ database, url: databaseUrl, embeddedAt }, localnet, chain] = await Promise.all([
      opening,
      starting,
      connecting,
    ]);
    const { lite } = chain;
    localnet?.onRestore(async () => {
      await lite.renew();
      await lite.settle(SETTLE_MS);
    });
    const key = network === 'localnet' ? await localnetKey(database, settings.dataDir) : undefined;
    await lite.settle(SETTLE_MS);
    const indexing =
      everything && settings.index
        ? await (await import('./indexing.ts')).startIndexing({
            ...{ settings, database, databaseUrl, metrics, log },
            ...{ pool: lite.pool(undefined), check: chain.ports.check },
          })
        : undefined;
    if (indexing !== undefined) shutdown.add('indexer', indexing.close);
    const url = await startHttpServer({
      ...{ settings, database, chain, metrics, log, shutdown },
      ...{ localnet: localnet?.control, indexing },
    });
    log.info({ url }, 'tongate is ready');
    await flushLog(log);
    if (everything)
      process.stdout.write(
        welcome({ url, network, key, embeddedAt, faucet: localnet?.faucet, more: localnet?.description }),
      );
  } catch (error) {
    await shutdown.close();
    await flushLog(log);
    throw error;
  }
}

/** The code of a whole chain is loaded where one is run. */
async function startLocalChain(settings: Settings, log: Logger): Promise<LocalnetParts> {
  const { startLocalnetParts } = await import('./localnet-parts.ts');
  return startLocalnetParts(settings, log);
}
