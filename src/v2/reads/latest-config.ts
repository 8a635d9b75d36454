import { readMcStateInfo } from '../../chain/tlb/mc-state-extra.ts';
import { hashOf } from '../../lite/proofs/open-proof.ts';
import { proving } from '../../lite/proofs/proof-scope.ts';
import { masterchainPart } from '../../lite/proofs/state-proof.ts';
import { CONFIG_WITH_PREVIOUS_BLOCKS, getConfigAll } from '../../lite/queries/get-config-all.ts';
import { getConfigParams } from '../../lite/queries/get-config-params.ts';
import type { LiteTarget } from '../../lite/session.ts';
import { prevBlocksOf, writePrevBlocks } from '../../vm/prev-blocks.ts';
import { isBehind, TVM_VERSION } from '../../vm/tvm-version.ts';
import type { V2Call } from '../call.ts';
import { type LatestConfig, prepareFound } from './prepared-config.ts';

const GLOBAL_VERSION = 8;

/**
 * The configuration at the reference block of a target. A small question a block shows the blocks before it and the
 * hash of the configuration; the hundreds of kilobytes of a configuration itself are asked for when it is a new one.
 */
export function latestConfig(
  call: V2Call,
  { query, reference }: Pick<LiteTarget, 'query' | 'reference'>,
): Promise<LatestConfig> {
  const { memory, check } = call.ports;
  return memory.heads.get(reference.rootHash.toString('hex'), call, async () => {
    const params = [GLOBAL_VERSION];
    const head = await getConfigParams(query, reference, params, check, CONFIG_WITH_PREVIOUS_BLOCKS);
    const config = await memory.configs.get(hashOf(head).toString('hex'), call, async () => {
      const prepared = prepareFound(await getConfigAll(query, reference, check));
      noteVersion(call, prepared.vm.globalVersion);
      return prepared;
    });
    const prevBlocks = proving('VALIDATE_CONFIG', () => {
      const info = readMcStateInfo(head.cells, masterchainPart(head.state!).info);
      return prevBlocksOf(head.cells, info, reference, config.vm.globalVersion);
    });
    const { genUtime, genLt } = head.state!.state;
    return { ...config, prevBlocks: writePrevBlocks(prevBlocks), genUtime, genLt };
  });
}

/** Says once for each version that the network has rules which our TVM does not know. */
function noteVersion({ ports: { memory }, log }: V2Call, version: number): void {
  if (version === memory.globalVersion) return;
  memory.globalVersion = version;
  if (isBehind(version))
    log.warn(
      { globalVersion: version, tvmVersion: TVM_VERSION },
      'the network is ahead of our TVM: a few get-methods may give other results',
    );
}
