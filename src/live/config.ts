import { readBoc } from '../chain/boc/bag.ts';
import type { CellRef } from '../chain/boc/cells.ts';
import { writeCellBoc } from '../chain/boc/writer.ts';
import { configParam, readGlobalVersion } from '../chain/tlb/config.ts';
import { readMcStateInfo } from '../chain/tlb/masterchain-state.ts';
import type { Log } from '../lib/log.ts';
import { CONFIG_WITH_PREVIOUS_BLOCKS, getConfigAll, getConfigParams } from '../lite/methods/config.ts';
import { type CheckOptions, hashOf, masterchainExtra, runProofCheck } from '../lite/methods/proofs.ts';
import type { LitePool } from '../lite/pool.ts';
import type { LiteTarget } from '../lite/session.ts';
import { prepareConfig, prevBlocksOf, writePrevBlocks } from '../vm/shared-inputs.ts';
import { isNewerThanEmulator, TVM_VERSION } from '../vm/vm.ts';
import type { BlockConfig, LiveCaches, PreparedConfig } from './caches.ts';
import { type LiveCall, masterchainBlock, openSession } from './session.ts';

/** Which part of the config is wanted, and when. */
interface ConfigQuery {
  /** Seqno of the masterchain block; undefined for the newest one. */
  readonly seqno: number | undefined;
  /** The only params that will be read; all of them when left out. */
  readonly params?: readonly number[];
}

/** Reads the config as of a masterchain block: the root of its params, for `configParam`. */
export async function readConfigAt(call: LiveCall, { seqno, params }: ConfigQuery): Promise<CellRef> {
  const session = await openSession(call, { seqno });
  return session.run(async (target) => {
    if (seqno === undefined) return readBlockConfig(call, target);
    const { check } = call.ports;
    const block = await masterchainBlock(target, seqno, check);
    return params === undefined
      ? getConfigAll(target.query, block, check)
      : getConfigParams(target.query, block, params, check);
  });
}

/** Config param with the version of the network's rules. */
const GLOBAL_VERSION = 8;

/**
 * Reads the config at the reference block of a target. One small query per block shows the previous blocks and the hash
 * of the config; the config itself, hundreds of kilobytes, is read only when its hash is new.
 */
export function readBlockConfig(
  call: LiveCall,
  { query, reference }: Pick<LiteTarget, 'query' | 'reference'>,
): Promise<BlockConfig> {
  const { caches, check } = call.ports;
  return caches.blockConfigs.get(reference.rootHash.toString('hex'), call, async () => {
    const params = [GLOBAL_VERSION];
    const head = await getConfigParams(query, reference, params, check, CONFIG_WITH_PREVIOUS_BLOCKS);
    const config = await caches.configs.get(hashOf(head).toString('hex'), call, async () => {
      const prepared = prepareConfigCells(await getConfigAll(query, reference, check));
      setGlobalVersion(caches, prepared.vm.globalVersion, call.log);
      return prepared;
    });
    const prevBlocks = runProofCheck('VALIDATE_CONFIG', () => {
      const info = readMcStateInfo(head.cells, masterchainExtra(head.state!).info);
      return prevBlocksOf(head.cells, info, reference, config.vm.globalVersion);
    });
    const { genUtime, genLt } = head.state!.state;
    return { ...config, prevBlocks: writePrevBlocks(prevBlocks), genUtime, genLt };
  });
}

/** Stores the version of the network's rules; warns once per version that is newer than our TVM. */
function setGlobalVersion(caches: LiveCaches, version: number, log: Log): void {
  if (version === caches.globalVersion) return;
  caches.globalVersion = version;
  if (!isNewerThanEmulator(version)) return;
  log.warn(
    { networkVersion: version, tvmVersion: TVM_VERSION },
    'Network version is newer than our TVM: lite servers run get-methods unless GET_METHODS=local, and predictions may differ',
  );
}

/** Prepares a config for readers and TVM runs, without the proof around it. Takes milliseconds. */
function prepareConfigCells({ cells, cell }: CellRef): PreparedConfig {
  const boc = writeCellBoc(cells, cell);
  const bag = readBoc(boc);
  return { cells: bag, cell: bag.root, vm: prepareConfig(boc) };
}

interface VersionWatchOptions {
  readonly pool: LitePool;
  readonly check: CheckOptions;
  readonly caches: LiveCaches;
  readonly log: Log;
}

const CHECK_INTERVAL_MS = 600_000;
const RETRY_MS = 10_000;

/** Reads the version of the network's rules into the caches every ten minutes; returns a function that stops it. */
export function watchNetworkVersion({ pool, check, caches, log }: VersionWatchOptions): () => void {
  let nextMs = 0;

  async function readVersion(): Promise<void> {
    if (performance.now() < nextMs) return;
    nextMs = performance.now() + RETRY_MS;
    const session = await pool.session();
    const version = await session.run(async ({ query, reference }) => {
      const { cells, cell } = await getConfigParams(query, reference, [GLOBAL_VERSION], check);
      const param = configParam(cells, cell, GLOBAL_VERSION);
      return param < 0 ? 0 : readGlobalVersion(cells, param).version;
    });
    nextMs = performance.now() + CHECK_INTERVAL_MS;
    setGlobalVersion(caches, version, log);
  }

  // A failed read is retried with a later block.
  return pool.onHead(() => void readVersion().catch(() => undefined));
}
