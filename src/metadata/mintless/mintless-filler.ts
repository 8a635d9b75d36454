import type { Kysely } from 'kysely';
import type { Tables } from '../../db/tables/tables.ts';
import type { Log } from '../../lib/log.ts';
import { createNameResolver, OutboundError } from '../../lib/outbound-http.ts';
import { isPublicAddress } from '../../lib/public-address.ts';
import { createThrottledLog, retryUntilDone } from '../../lib/retry.ts';
import { pause, waitAtMost } from '../../lib/wait.ts';
import { FETCH_LIMITS, type FetchEnvironment } from '../fetch-document.ts';
import type { Airdrop, AirdropFile } from './airdrop-file.ts';
import { type AirdropStoreOptions, createAirdropStore } from './airdrop-store.ts';
import {
  type MintlessJetton,
  postponeJetton,
  readMintlessJettons,
  readUnclaimedWallets,
  releaseJetton,
  renewJetton,
  saveAirdrops,
  type TakenJetton,
  takeJetton,
  type UnclaimedWallet,
} from './mintless-queue.ts';

/** Outcome of fetching a dump; `refused` dumps may not be fetched. */
type DumpOutcome = 'fetched' | 'failed' | 'refused';

export interface MintlessFillerOptions extends Pick<AirdropStoreOptions, 'folder' | 'maxBytes' | 'gateways'> {
  readonly db: Kysely<Tables>;
  readonly log: Log;
  /** Called when a dump was fetched, or could not be. */
  readonly onDump?: (outcome: DumpOutcome) => void;
  /** Overrides how dumps are reached. */
  readonly environment?: Partial<FetchEnvironment>;
  readonly pollMs?: number;
}

/** Fills in what owners of jetton wallets get from airdrops of mintless jettons (TEP-177). */
export interface MintlessFiller {
  start(): void;
  close(): Promise<void>;
}

/** Limits of fetching a dump: they are large, and nothing waits for them. */
const DUMP_LIMITS: FetchEnvironment['limits'] = {
  ...FETCH_LIMITS,
  totalMs: 30 * 60_000,
  minSpeed: { bytes: 1024 * 1024, ms: 30_000 },
};

const POLL_MS = 10_000;
const JETTONS_PER_ROUND = 100;
const WALLETS_PER_BATCH = 500;
const RENEW_MS = 30_000;
const CLOSE_MS = 5000;

/** Creates a filler, which does nothing before `start`. Dumps are fetched one at a time. */
export function createMintlessFiller(options: MintlessFillerOptions): MintlessFiller {
  const { db, onDump = () => {}, pollMs = POLL_MS } = options;
  const log = createThrottledLog(options.log, () => performance.now());
  const names = options.environment?.names ?? createNameResolver();
  const environment = { isPublic: isPublicAddress, limits: DUMP_LIMITS, ...options.environment, names };
  const { folder, maxBytes, gateways } = options;
  const store = createAirdropStore({
    folder,
    maxBytes,
    gateways,
    environment,
    log,
    onFetched: () => onDump('fetched'),
  });
  const closed = new AbortController();
  const { signal } = closed;
  let loop: Promise<void> | undefined;
  let lastId = '0';

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await round();
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'Mintless jettons not completed, retrying');
      }
      await pause(pollMs, signal);
    }
  }

  /** Looks at the next jettons; at the first ones again after the last. */
  async function round(): Promise<void> {
    const jettons = await readMintlessJettons(db, { afterId: lastId, max: JETTONS_PER_ROUND });
    for (const jetton of jettons) {
      signal.throwIfAborted();
      lastId = jetton.id;
      const wallets = await readUnclaimedWallets(db, jetton, 1);
      const taken = wallets.length === 0 ? undefined : await takeJetton(db, jetton);
      if (taken !== undefined) await fillTaken(taken);
    }
    if (jettons.length < JETTONS_PER_ROUND) lastId = '0';
  }

  async function fillTaken(jetton: TakenJetton): Promise<void> {
    const renewing = setInterval(() => void renewJetton(db, jetton).catch(() => {}), RENEW_MS);
    let isComplete = false;
    try {
      const file = await openOrPostpone(jetton);
      if (file === undefined) return;
      try {
        await fill(jetton, file);
        isComplete = true;
      } finally {
        await file.close();
      }
      await releaseJetton(db, jetton, isComplete);
    } catch (error) {
      await waitAtMost(
        CLOSE_MS,
        releaseJetton(db, jetton, isComplete).catch(() => {}),
      );
      throw error;
    } finally {
      clearInterval(renewing);
    }
  }

  /** Undefined if the dump cannot be had now. */
  async function openOrPostpone(jetton: TakenJetton): Promise<AirdropFile | undefined> {
    try {
      return await store.open(jetton, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof OutboundError)) throw error;
      onDump(error.kind === 'refused' ? 'refused' : 'failed');
      await postponeJetton(db, jetton, error);
      return undefined;
    }
  }

  /** Looks up the owners of all wallets that wait. */
  async function fill(jetton: MintlessJetton, file: AirdropFile): Promise<void> {
    for (let wasFull = true; wasFull; ) {
      signal.throwIfAborted();
      const wallets = await readUnclaimedWallets(db, jetton, WALLETS_PER_BATCH);
      const found: (readonly [UnclaimedWallet, Airdrop | undefined])[] = [];
      for (const wallet of wallets) found.push([wallet, await file.find(wallet.owner)]);
      if (found.length > 0)
        await retryUntilDone(() => saveAirdrops(db, jetton.root, found), {
          log,
          signal,
          task: 'store airdrops',
        });
      wasFull = wallets.length === WALLETS_PER_BATCH;
    }
  }

  return {
    start() {
      if (!signal.aborted) loop ??= run();
    },
    async close() {
      closed.abort();
      names.close();
      await waitAtMost(CLOSE_MS, loop);
    },
  };
}
