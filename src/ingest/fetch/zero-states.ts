import { type BlockId, WHOLE_SHARD } from '../../chain/block-id.ts';
import type { CellBag } from '../../chain/boc/bag.ts';
import { configParam, readWorkchains } from '../../chain/tlb/config.ts';
import { readMcStateExtra } from '../../chain/tlb/masterchain-state.ts';
import { readShardState } from '../../chain/tlb/shard-state.ts';

const WORKCHAINS_PARAM = 12;

/** The zero states of the workchains in the configuration of the masterchain zero state. */
export function zeroStatesOf(state: CellBag): BlockId[] {
  const { config } = readMcStateExtra(state, readShardState(state, state.root).custom);
  const param = configParam(state, config, WORKCHAINS_PARAM);
  const workchains = param < 0 ? [] : readWorkchains(state, param);
  return workchains.map(({ workchain, zeroStateRootHash: rootHash, zeroStateFileHash: fileHash }) => ({
    workchain,
    shard: WHOLE_SHARD,
    seqno: 0,
    rootHash,
    fileHash,
  }));
}
