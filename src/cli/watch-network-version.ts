import { configParam } from '../chain/tlb/config.ts';
import { readGlobalVersion } from '../chain/tlb/config-global-version.ts';
import type { Log } from '../lib/log.ts';
import type { LitePool } from '../lite/pool.ts';
import type { CheckOptions } from '../lite/proofs/proof-scope.ts';
import { getConfigParams } from '../lite/queries/get-config-params.ts';
import { isBehind, TVM_VERSION } from '../vm/tvm-version.ts';

interface WatchOptions {
  readonly pool: LitePool;
  readonly check: CheckOptions;
  /** Hears of the version every time it was read. */
  readonly onVersion: (version: number) => void;
  readonly log: Log;
}

const GLOBAL_VERSION = 8;
const LOOK_EVERY_MS = 600_000;
const LOOK_AGAIN_MS = 10_000;

/** Reads the version of the network's rules from time to time, and says once when they are newer than ours; returns what ends it. */
export function watchNetworkVersion({ pool, check, onVersion, log }: WatchOptions): () => void {
  let nextMs = 0;
  let isTold = false;

  async function look(): Promise<void> {
    if (performance.now() < nextMs) return;
    nextMs = performance.now() + LOOK_AGAIN_MS;
    const session = await pool.session();
    const version = await session.run(async ({ query, reference }) => {
      const { cells, cell } = await getConfigParams(query, reference, [GLOBAL_VERSION], check);
      const param = configParam(cells, cell, GLOBAL_VERSION);
      return param < 0 ? 0 : readGlobalVersion(cells, param).version;
    });
    nextMs = performance.now() + LOOK_EVERY_MS;
    onVersion(version);
    if (!isBehind(version) || isTold) return;
    isTold = true;
    log.warn(
      { networkVersion: version, tvmVersion: TVM_VERSION },
      'The network has newer rules of TVM than the emulator knows; get-methods that depend on them may differ, GET_METHODS=remote avoids that',
    );
  }

  // The next block is another chance.
  return pool.onHead(() => void look().catch(() => undefined));
}
