import { type CellBag, readBoc } from '../../../src/chain/boc/bag.ts';
import { type McStateExtra, readMcStateExtra } from '../../../src/chain/tlb/masterchain-state.ts';
import { readShardState, type ShardState } from '../../../src/chain/tlb/shard-state.ts';
import type { Genesis } from '../support/genesis.ts';

/** The state of a shard with its cells. */
export interface OpenState {
  readonly cells: CellBag;
  readonly state: ShardState;
}

/** Reads a state from its bag of cells. */
export function openState(bytes: Buffer): OpenState {
  const cells = readBoc(bytes);
  return { cells, state: readShardState(cells, cells.root) };
}

/** The masterchain's zero state with what it has in addition. */
export function openMasterchain({ zeroStates }: Pick<Genesis, 'zeroStates'>): OpenState & McStateExtra {
  const opened = openState(zeroStates[0]!);
  return { ...opened, ...readMcStateExtra(opened.cells, opened.state.custom) };
}
