import type { ClassificationProgress } from '../classify/classifier.ts';
import { describeSettings, type Settings } from '../config/settings.ts';
import type { Database } from '../db/connection.ts';
import { CHAIN_COMMANDS, type LocalnetControl } from '../http/localnet-routes.ts';
import { checkIndexNetwork } from '../index/coverage.ts';
import type { IndexProgress } from '../ingest/progress.ts';
import { readIndexHead } from '../ingest/roll-back.ts';
import type { TextOutput } from '../lib/log.ts';
import { pause, waitAtMost } from '../lib/wait.ts';
import type { CheckOptions } from '../lite/methods/proofs.ts';
import { flushLog, type Logger } from '../observe/logger.ts';
import { tellChain, watchChain } from '../workers/chain.ts';
import type { Place } from '../workers/place.ts';
import { bannerText, type ShownLocalnet, type StartedParts } from './banner.ts';
import { openChainAccess } from './chain-access.ts';
import { startHttpServer } from './http-server.ts';
import type { Indexing } from './indexing.ts';
import { openKeyFiles } from './key-files.ts';
import { type LiteServers, SETTLE_MS } from './lite-servers.ts';
import type { LocalnetOptions, LocalnetParts } from './localnet-run.ts';
import { openDatabase } from './open-database.ts';
import { endFailedStart, type HostProcess, openProcess } from './open-process.ts';
import type { LocalChainState } from './readiness.ts';
import { checkStart } from './start-checks.ts';

interface ServeOptions {
  readonly settings: Settings;
  /** Also runs the indexer and, on localnet, the local chain, and prints a banner. */
  readonly everything: boolean;
  readonly out: TextOutput;
  /** What it shares with its process; by default it is the only one there and ends it. */
  readonly within?: HostProcess;
}

/** Serves HTTP until a signal arrives; resolves when everything is up. */
export async function serve({ settings, everything, out, within }: ServeOptions): Promise<void> {
  const { log, shutdown, metrics, place }: HostProcess = within ?? openProcess(settings, 'tongate starting');
  /** Of several processes, one runs the local chain and the indexer, and the others serve. */
  const kind = place?.post.kind;
  const { assertRunning } = shutdown;
  const { network } = settings;
  log.debug(describeSettings(settings), 'Settings');
  let withdraw: (() => Promise<void>) | undefined;
  try {
    const isChainHere = everything && network === 'localnet' && kind !== 'worker';
    const checked = await checkStart(settings, {
      http: place === undefined,
      metrics: place === undefined,
      localChain: isChainHere,
      lite: { log, assertRunning },
    });
    withdraw = checked.withdraw;
    const { groups } = checked;
    const opening = openDatabase(settings, log);
    // Registered before it is open, so that a signal during the start closes it too.
    shutdown.add('database', async () => (await opening.catch(() => undefined))?.close());
    // The demo of a new chain takes a while: a database that cannot be used is reported before.
    const { database, url: databaseUrl, embeddedAt } = await opening;
    assertRunning();
    const starting = isChainHere
      ? startLocalChain(settings, log, { assertRunning, vm: within?.threads?.vm })
      : Promise.resolve(undefined);
    shutdown.add('local chain', async () => (await starting.catch(() => undefined))?.close());
    const connecting = starting.then(() => openChainAccess({ settings, groups, metrics, log, place }));
    shutdown.add('chain access', async () => (await connecting.catch(() => undefined))?.close());
    const [localnet, chain] = await Promise.all([starting, connecting]);
    const { lite } = chain;
    await checkIndexNetwork(database.primary, {
      network,
      zeroState: lite.pool(undefined).zeroState.rootHash,
    });
    const keys = await openKeyFiles(settings, database, log);
    await lite.settle(SETTLE_MS);
    assertRunning();
    // From here on the data directory has data of this network.
    withdraw = undefined;
    const indexing =
      everything && settings.index && kind !== 'worker'
        ? await (await import('./indexing.ts')).startIndexing({
            settings,
            database,
            databaseUrl,
            metrics,
            log,
            pool: lite.pool(undefined),
            check: chain.ports.check,
            threads: within?.threads,
          })
        : undefined;
    if (indexing !== undefined) shutdown.add('indexer', indexing.close);
    assertRunning();
    const restores = followRestores({ lite, database, indexing, check: chain.ports.check });
    localnet?.onRestore(async (seqno) => {
      const [result] = await Promise.all([
        restores.afterRestore(seqno),
        place?.channel.call('followRestore'),
      ]);
      return result;
    });
    if (place !== undefined && kind === 'chain') {
      const hush = tellChain(
        place.channel,
        () => chainStateOf(indexing, localnet),
        localnet && commandsOf(localnet),
      );
      shutdown.add('state of the chain', hush);
      place.channel.notify('ready', { keys, localnet: localnet && shownOf(localnet) } satisfies StartedParts);
      return;
    }
    place?.channel.on('followRestore', restores.follow);
    place?.channel.on('reachSeqno', async (seqno: number) => {
      await lite.pool(undefined).waitForSeqno(seqno, { timeoutMs: REACH_MS });
    });
    const remote = place?.hasChainProcess ? await openChainProcess(place, network) : undefined;
    const url = await startHttpServer({
      settings,
      database,
      chain,
      metrics,
      log,
      shutdown,
      place,
      localnet: localnet ?? remote?.localnet,
      keys,
      indexing: indexing ?? remote?.indexing,
    });
    if (place !== undefined) {
      place.channel.notify('ready', { keys } satisfies StartedParts);
      return;
    }
    log.info({ url }, 'tongate is ready');
    await flushLog(log);
    if (everything) out.write(bannerText(url, settings, { keys, embeddedAt, localnet }));
  } catch (error) {
    await endFailedStart({ shutdown, log }, error, withdraw);
  }
}

/** What workers are told of the process that runs the local chain and the indexer. */
interface ChainState {
  readonly progress: IndexProgress | undefined;
  readonly classification: ClassificationProgress | undefined;
  readonly chain: LocalChainState | undefined;
}

function chainStateOf(indexing: Indexing | undefined, localnet: LocalnetParts | undefined): ChainState {
  return {
    progress: indexing?.progress(),
    classification: indexing?.classification(),
    chain: localnet?.state(),
  };
}

function commandsOf({ control }: LocalnetParts) {
  return (name: string, ...args: readonly unknown[]) =>
    (control[name as keyof LocalnetControl] as (...args: readonly unknown[]) => unknown)(...args);
}

function shownOf({ faucet, description, demo }: LocalnetParts): ShownLocalnet {
  return { faucet, description, demo };
}

/** How long a command to the local chain waits until all workers know its block. */
const REACH_MS = 1000;

/** The local chain and the indexer of another process, as far as a worker needs them. */
async function openChainProcess({ channel, askAll }: Place, network: Settings['network']) {
  const state = await watchChain<ChainState>(channel);
  const command =
    (name: keyof LocalnetControl) =>
    async (...args: readonly unknown[]) => {
      const result = await channel.call<{ readonly seqno?: number }>('command', name, ...args);
      // Whoever reads what a command did may read it from another worker.
      if (result.seqno !== undefined && name !== 'status') await askAll('reachSeqno', result.seqno);
      return result;
    };
  const control = Object.fromEntries(CHAIN_COMMANDS.map((name) => [name, command(name)]));
  return {
    indexing:
      state().progress === undefined
        ? undefined
        : { progress: () => state().progress!, classification: () => state().classification! },
    localnet:
      network === 'localnet'
        ? { control: control as unknown as LocalnetControl, state: () => state().chain! }
        : undefined,
  };
}

async function startLocalChain(settings: Settings, log: Logger, options: LocalnetOptions) {
  const { startLocalnetParts } = await import('./localnet-run.ts');
  return startLocalnetParts(settings, log, options);
}

interface IndexReport {
  readonly agrees: boolean;
  /** The newest indexed masterchain block; null while nothing is indexed. */
  readonly seqno: number | null;
  readonly reason?: string;
}

interface FollowOptions {
  readonly lite: LiteServers;
  readonly database: Pick<Database, 'primary'>;
  readonly indexing: Pick<Indexing, 'followRestoredChain'> | undefined;
  readonly check: CheckOptions;
}

/** How long a restore waits for the index: an indexer of another process notices the restore within two seconds. */
const INDEX_MS = 30_000;
const OTHER_INDEX_MS = 5000;
const POLL_MS = 10;

/** Lets the indexer of this process follow every chain that went back. */
function followRestores({ lite, database, indexing, check }: FollowOptions) {
  let following: Promise<void> | undefined;
  lite.onRenew(() => {
    following = indexing?.followRestoredChain();
  });

  async function waitForIndex(seqno: number): Promise<IndexReport | undefined> {
    const db = database.primary;
    const timeoutMs = indexing === undefined ? OTHER_INDEX_MS : INDEX_MS;
    const signal = AbortSignal.timeout(timeoutMs);
    await waitAtMost(timeoutMs, following);
    for (;;) {
      const head = await readIndexHead({ pool: lite.pool(undefined), check, signal }, db).catch(
        () => undefined,
      );
      if (head?.isOnChain && head.seqno >= seqno) return { agrees: true, seqno: head.seqno };
      if (head === undefined && indexing === undefined) return undefined;
      if (signal.aborted) return disagreement(head, seqno, timeoutMs);
      await pause(POLL_MS, signal);
    }
  }

  async function follow(): Promise<void> {
    await lite.renew();
    await lite.settle(SETTLE_MS);
  }

  return {
    follow,
    /** Resolves when v2 and v3 of this process answer from the restored chain, or says why v3 does not. */
    async afterRestore(seqno: number): Promise<{ readonly index?: IndexReport }> {
      await follow();
      const index = await waitForIndex(seqno);
      return index === undefined ? {} : { index };
    },
  };
}

function disagreement(
  head: { readonly seqno: number; readonly isOnChain: boolean } | undefined,
  wanted: number,
  timeoutMs: number,
): IndexReport {
  const after = `after ${timeoutMs / 1000} s`;
  if (head !== undefined && !head.isOnChain)
    return {
      agrees: false,
      seqno: head.seqno,
      reason: `The index still had masterchain block ${head.seqno} of the discarded chain ${after}: is an indexer running?`,
    };
  const at = head === undefined ? 'empty' : `at masterchain block ${head.seqno}`;
  return {
    agrees: false,
    seqno: head?.seqno ?? null,
    reason: `The index is being filled anew and was ${at} ${after}, of ${wanted}`,
  };
}
