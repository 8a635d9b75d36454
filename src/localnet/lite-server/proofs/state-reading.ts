import {
  type McStateExtra,
  type McStateInfo,
  readMcStateExtra,
  readMcStateInfo,
} from '../../../chain/tlb/mc-state-extra.ts';
import { readShardState, type ShardState } from '../../../chain/tlb/shard-state.ts';
import { readShardStateTotals, type ShardStateTotals } from '../../../chain/tlb/shard-state-totals.ts';
import type { CellTree } from '../../store/chain-store.ts';

/** The head of a shard state. */
export interface ReadState {
  readonly state: ShardState;
  readonly totals: ShardStateTotals;
}

/** The head of the masterchain's state. */
export interface ReadMasterchainState extends ReadState {
  readonly extra: McStateExtra;
  readonly info: McStateInfo;
}

/** Reads the head of a state. Clients made from the schema always read the part with the totals too. */
export function readState({ cells, root }: CellTree): ReadState {
  const state = readShardState(cells, root);
  return { state, totals: readShardStateTotals(cells, state.totals) };
}

/** Reads the head of the masterchain's state, for such clients with all that is not in a dictionary. */
export function readMasterchainState(tree: CellTree): ReadMasterchainState {
  const { state, totals } = readState(tree);
  const extra = readMcStateExtra(tree.cells, state.custom);
  return { state, totals, extra, info: readMcStateInfo(tree.cells, extra.info) };
}
