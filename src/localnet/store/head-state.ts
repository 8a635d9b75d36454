import { type BlockId, MASTERCHAIN } from '../../chain/block-id.ts';
import type { CellRef } from '../../chain/boc/cells.ts';
import { readMcStateExtra } from '../../chain/tlb/masterchain-state.ts';
import { readShardHashes, type ShardDescr } from '../../chain/tlb/shard-hashes.ts';
import { readShardState, type ShardState } from '../../chain/tlb/shard-state.ts';
import type { ChainStore } from './chain-store.ts';

/** The newest masterchain block with its state, which is always available. */
export interface HeadState extends CellRef {
  readonly id: BlockId;
  readonly state: ShardState;
}

/** Reads the state of the newest masterchain block. */
export function headState(store: ChainStore): HeadState {
  const tree = store.state(store.head);
  if (typeof tree !== 'object') throw new Error('the state of the head is missing');
  return { ...tree, id: store.head, state: readShardState(tree.cells, tree.cell) };
}

/** The shards at the head. */
export function headShards({ cells, state }: HeadState): ShardDescr[] {
  if (state.workchain !== MASTERCHAIN) throw new Error('the head is not a masterchain block');
  return readShardHashes(cells, readMcStateExtra(cells, state.custom).shardHashes);
}
