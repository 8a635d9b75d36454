import { CellBuilder } from '../boc/cell-builder.ts';
import { CellFault } from '../boc/cell-fault.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import type { BlockInfo } from '../tlb/block-info.ts';
import type { ExtBlkRef } from '../tlb/ext-blk-ref.ts';
import { writeExtBlkRef } from './ext-blk-ref.ts';
import { writeShardIdent } from './shard-ident.ts';

const BLOCK_INFO = 0x9bc7a987;
const GLOBAL_VERSION = 0xc4;

/** Makes the cell of BlockInfo. */
export function buildBlockInfo(arena: BuildingArena, info: BlockInfo): number {
  const { notMaster, afterMerge, vertSeqnoIncr, flags, genSoftware, masterRef, prevRefs, prevVertRef } = info;
  if (notMaster !== (masterRef !== undefined) || vertSeqnoIncr !== (prevVertRef !== undefined))
    throw new CellFault('a block header whose flags do not fit its references');
  if (((flags & 1) !== 0) !== (genSoftware !== undefined) || prevRefs.length !== (afterMerge ? 2 : 1))
    throw new CellFault('a block header whose flags do not fit its fields');
  const refs = [
    ...(masterRef === undefined ? [] : [buildRef(arena, masterRef)]),
    buildPrevious(arena, prevRefs),
    ...(prevVertRef === undefined ? [] : [buildRef(arena, prevVertRef)]),
  ];
  const builder = new CellBuilder().uint(BLOCK_INFO, 32).uint(info.version, 32);
  builder.boolean(notMaster).boolean(afterMerge).boolean(info.beforeSplit).boolean(info.afterSplit);
  builder.boolean(info.wantSplit).boolean(info.wantMerge).boolean(info.keyBlock).boolean(vertSeqnoIncr);
  builder.uint(flags, 8).uint(info.seqno, 32).uint(info.vertSeqno, 32);
  writeShardIdent(builder, info);
  builder.uint(info.genUtime, 32).uint64(info.startLt).uint64(info.endLt);
  builder.uint(info.genValidatorListHashShort, 32).uint(info.genCatchainSeqno, 32);
  builder.uint(info.minRefMcSeqno, 32).uint(info.prevKeyBlockSeqno, 32);
  if (genSoftware !== undefined)
    builder.uint(GLOBAL_VERSION, 8).uint(genSoftware.version, 32).uint64(genSoftware.capabilities);
  for (const cell of refs) builder.ref(cell);
  return arena.build(builder);
}

function buildPrevious(arena: BuildingArena, prevRefs: readonly ExtBlkRef[]): number {
  const cells = prevRefs.map((ref) => buildRef(arena, ref));
  return cells.length === 1 ? cells[0]! : arena.build(new CellBuilder().ref(cells[0]!).ref(cells[1]!));
}

function buildRef(arena: BuildingArena, ref: ExtBlkRef): number {
  const builder = new CellBuilder();
  writeExtBlkRef(builder, ref);
  return arena.build(builder);
}
