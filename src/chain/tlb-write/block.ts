import { CellBuilder } from '../boc/cell-builder.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import type { BlockRoot } from '../tlb/block.ts';

const BLOCK = 0x11ef55aa;

/** Makes the root cell of a block from the cells of its parts. */
export function buildBlock(arena: BuildingArena, block: BlockRoot): number {
  const builder = new CellBuilder().uint(BLOCK, 32).int(block.globalId, 32);
  return arena.build(builder.ref(block.info).ref(block.valueFlow).ref(block.stateUpdate).ref(block.extra));
}
