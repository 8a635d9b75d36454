import { readBoc } from '../chain/boc/bag.ts';
import { writeBoc } from '../chain/boc/writer.ts';
import { configParam, readGlobalVersion } from '../chain/tlb/config.ts';
import { readMcStateInfo } from '../chain/tlb/masterchain-state.ts';
import type { Log } from '../lib/log.ts';
import { CONFIG_WITH_PREVIOUS_BLOCKS, getConfigAll, getConfigParams } from '../lite/methods/config.ts';
import {
  type CellRef,
  type CheckOptions,
  hashOf,
  masterchainExtra,
  runProofCheck,
} from '../lite/methods/proofs.ts';
import type { LitePool } from '../lite/pool.ts';
import type { LiteTarget } from '../lite/session.ts';
import { prepareConfig, prevBlocksOf, writePrevBlocks } from '../vm/shared-inputs.ts';
import { isNewerThanEmulator, TVM_VERSION } from '../vm/vm.ts';
import type { LatestConfig, PreparedConfig } from './memory.ts';
import { type LiveCall, masterchainBlock, openSession } from './session.ts';

/** What is wanted of the configuration. */
interface ConfigQuery {
  /** The masterchain block as of which; the newest one when left out. */
  readonly seqno: number | undefined;
  /** The only parameters that will be looked at; all of them when left out. */
  readonly params?: readonly number[];
}

/** The configuration as of a masterchain block: the root of its parameters, for `configParam`. */
export async function readConfigAt(call: LiveCall, { seqno, params }: ConfigQuery): Promise<CellRef> {
  const session = await openSession(call, { seqno });
  return session.run(async (target) => {
    if (seqno === undefined) return latestConfig(call, target);
    const { check } = call.ports;
    const block = await masterchainBlock(target, seqno, check);
    return params === undefined
      ? getConfigAll(target.query, block, check)
      : getConfigParams(target.query, block, params, check);
  });
}

const GLOBAL_VERSION = 8;

/**
 * The configuration at the reference block of a target. A small question a block shows the blocks before it and the
 * hash of the configuration; the hundreds of kilobytes of a configuration itself are asked for when it is a new one.
 */
export function latestConfig(
  call: LiveCall,
  { query, reference }: Pick<LiteTarget, 'query' | 'reference'>,
): Promise<LatestConfig> {
  const { memory, check } = call.ports;
  return memory.heads.get(reference.rootHash.toString('hex'), call, async () => {
    const params = [GLOBAL_VERSION];
    const head = await getConfigParams(query, reference, params, check, CONFIG_WITH_PREVIOUS_BLOCKS);
    const config = await memory.configs.get(hashOf(head).toString('hex'), call, async () => {
      const prepared = prepareConfigCells(await getConfigAll(query, reference, check));
      noteVersion(call, prepared.vm.globalVersion);
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

/** Says once for each version that the network has rules which our TVM does not know. */
function noteVersion({ ports: { memory }, log }: LiveCall, version: number): void {
  if (version === memory.globalVersion) return;
  memory.globalVersion = version;
  if (isNewerThanEmulator(version))
    log.warn(
      { globalVersion: version, tvmVersion: TVM_VERSION },
      'the network is ahead of our TVM: a few get-methods may give other results',
    );
}

/** Makes a configuration ready for readers and runs, with nothing left of the proof around it. Takes milliseconds. */
function prepareConfigCells({ cells, cell }: CellRef): PreparedConfig {
  const boc = writeBoc({ cells, roots: [cell] }, { order: 'core', crc: false });
  const bag = readBoc(boc);
  return { cells: bag, cell: bag.root, vm: prepareConfig(boc) };
}

interface WatchOptions {
  readonly pool: LitePool;
  readonly check: CheckOptions;
  /** Hears of the version every time it was read. */
  readonly onVersion: (version: number) => void;
  readonly log: Log;
}

const CHECK_INTERVAL_MS = 600_000;
const RETRY_MS = 10_000;

/** Reads the version of the network's rules from time to time, and says once when they are newer than ours; returns what ends it. */
export function watchNetworkVersion({ pool, check, onVersion, log }: WatchOptions): () => void {
  let nextMs = 0;
  let isTold = false;

  async function look(): Promise<void> {
    if (performance.now() < nextMs) return;
    nextMs = performance.now() + RETRY_MS;
    const session = await pool.session();
    const version = await session.run(async ({ query, reference }) => {
      const { cells, cell } = await getConfigParams(query, reference, [GLOBAL_VERSION], check);
      const param = configParam(cells, cell, GLOBAL_VERSION);
      return param < 0 ? 0 : readGlobalVersion(cells, param).version;
    });
    nextMs = performance.now() + CHECK_INTERVAL_MS;
    onVersion(version);
    if (!isNewerThanEmulator(version) || isTold) return;
    isTold = true;
    log.warn(
      { networkVersion: version, tvmVersion: TVM_VERSION },
      'The network has newer rules of TVM than the emulator knows; get-methods that depend on them may differ, GET_METHODS=remote avoids that',
    );
  }

  // The next block is another chance.
  return pool.onHead(() => void look().catch(() => undefined));
}
