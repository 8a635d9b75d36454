import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { MASTERCHAIN, WHOLE_SHARD } from '../chain/block-id.ts';
import type { Log } from '../lib/log.ts';
import type { GlobalConfig } from '../lite/global-config.ts';
import { readGlobalConfig } from '../lite/read-global-config.ts';

/** The global config of a local chain. Whoever runs the chain writes the file anew when it starts or goes back. */
export interface LocalChainConfig {
  /** What the file says; a config without lite servers while there is none. Throws StartError. */
  read(): Promise<GlobalConfig>;
  /** Whether the file was written since it was read. */
  isStale(): boolean;
}

const NO_BLOCK = {
  ...{ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 0 },
  ...{ rootHash: Buffer.alloc(32), fileHash: Buffer.alloc(32) },
};
const NO_CHAIN: GlobalConfig = { liteServers: [], zeroState: NO_BLOCK, initBlock: NO_BLOCK, hardforks: [] };

/** Looks at the file of a local chain, which need not be there yet. */
export function createLocalChainConfig(path: string, log: Log): LocalChainConfig {
  let readOf = 0;
  return {
    async read() {
      readOf = timeOf(path);
      if (readOf !== 0) return readGlobalConfig({ source: path, dataDir: dirname(path), log });
      log.warn({ path }, 'There is no local chain yet; tongate start or tongate localnet runs one');
      return NO_CHAIN;
    },
    isStale: () => timeOf(path) !== readOf,
  };
}

/** When a file was written; 0 when there is none. */
function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
