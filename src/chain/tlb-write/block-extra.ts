import { CellBuilder } from '../boc/cell-builder.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import type { BlockExtra } from '../tlb/block-extra.ts';

const BLOCK_EXTRA = 0x4a33f6fd;

/** Makes the cell of BlockExtra. */
export function buildBlockExtra(arena: BuildingArena, extra: BlockExtra): number {
  const builder = new CellBuilder().uint(BLOCK_EXTRA, 32);
  builder.ref(extra.inMsgDescr).ref(extra.outMsgDescr).ref(extra.accountBlocks);
  builder.hash(extra.randSeed).hash(extra.createdBy).maybeRef(extra.masterchain);
  return arena.build(builder);
}
