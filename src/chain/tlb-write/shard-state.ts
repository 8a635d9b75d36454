import { CellBuilder } from '../boc/cell-builder.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import type { ShardState } from '../tlb/shard-state.ts';
import type { ShardStateTotals } from '../tlb/shard-state-totals.ts';
import { writeCurrencyCollection } from './currency.ts';
import { writeExtBlkRef } from './ext-blk-ref.ts';
import { writeShardIdent } from './shard-ident.ts';

const SHARD_STATE = 0x9023afe2;

/** Makes the root cell of a shard's state (ShardStateUnsplit) from the cells of its parts. */
export function buildShardState(arena: BuildingArena, state: ShardState): number {
  const builder = new CellBuilder().uint(SHARD_STATE, 32).int(state.globalId, 32);
  writeShardIdent(builder, state);
  builder.uint(state.seqno, 32).uint(state.vertSeqno, 32).uint(state.genUtime, 32);
  builder.uint64(state.genLt).uint(state.minRefMcSeqno, 32).ref(state.outMsgQueueInfo);
  builder.boolean(state.beforeSplit).ref(state.accounts).ref(state.totals).maybeRef(state.custom);
  return arena.build(builder);
}

/** Makes the cell of what a state says about its shard as a whole. */
export function buildShardStateTotals(arena: BuildingArena, totals: ShardStateTotals): number {
  const builder = new CellBuilder().uint64(totals.overloadHistory).uint64(totals.underloadHistory);
  writeCurrencyCollection(builder, totals.totalBalance);
  writeCurrencyCollection(builder, totals.totalValidatorFees);
  builder.maybeRef(totals.libraries).boolean(totals.masterRef !== undefined);
  if (totals.masterRef !== undefined) writeExtBlkRef(builder, totals.masterRef);
  return arena.build(builder);
}
