import { existsSync } from 'node:fs';
import { StartError } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { chainPaths, lockFolder } from './chain-folder.ts';
import { openChain } from './open-chain.ts';
import { snapshotFolder } from './snapshots.ts';

interface StoredChainOptions {
  /** The directory of a local chain. */
  readonly folder: string;
  /** A snapshot to read instead of the chain, which may run meanwhile. */
  readonly snapshot?: string | undefined;
  readonly log: Log;
}

/** Opens a local chain that is not running, or a snapshot of one, for the time of some work. */
export async function withStoredChain<T>(
  { folder, snapshot, log }: StoredChainOptions,
  work: (store: ChainStore) => Promise<T>,
): Promise<T> {
  const from = snapshot === undefined ? folder : snapshotFolder(folder, snapshot);
  if (!existsSync(chainPaths(from).chain)) throw new StartError(`There is no local chain in ${from} yet`);
  const unlock = lockFolder(from);
  try {
    const { store, file } = await openChain({
      folder: from,
      log,
      recentSteps: 0,
      // Only of a new chain.
      genesis: { now: 0, shards: 1 },
      makeZeroStates: () => Promise.reject(new StartError(`There is no local chain in ${from} yet`)),
      secondsBehind: 0,
    });
    try {
      return await work(store);
    } finally {
      await file.close();
    }
  } finally {
    unlock();
  }
}
