import { CellBuilder } from '../boc/cell-builder.ts';
import { CellFault } from '../boc/cell-fault.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import type { McStateExtra, McStateInfo } from '../tlb/mc-state-extra.ts';
import { writeCurrencyCollection } from './currency.ts';
import { writeExtBlkRef } from './ext-blk-ref.ts';

const MC_STATE_EXTRA = 0xcc26;
const WITH_STATS = 1;
const BLOCK_CREATE_STATS = 0x17;

/** Makes the cell of McStateExtra. */
export function buildMcStateExtra(arena: BuildingArena, extra: McStateExtra): number {
  const builder = new CellBuilder().uint(MC_STATE_EXTRA, 16).maybeRef(extra.shardHashes);
  builder.hash(extra.configAddress).ref(extra.config).ref(extra.info);
  writeCurrencyCollection(builder, extra.globalBalance);
  return arena.build(builder);
}

/** Makes the cell `McStateExtra.info`. */
export function buildMcStateInfo(arena: BuildingArena, info: McStateInfo): number {
  const { prevBlocks, lastKeyBlock, blockCreateStats: stats } = info;
  if (stats?.augmented) throw new CellFault('block statistics are not written with extras');
  const builder = new CellBuilder().uint(stats === undefined ? 0 : WITH_STATS, 16);
  builder.uint(info.validatorListHashShort, 32).uint(info.catchainSeqno, 32);
  builder.boolean(info.nextCatchainUpdated);
  builder.maybeRef(prevBlocks.root).boolean(prevBlocks.hasKeyBlock).uint64(prevBlocks.maxEndLt);
  builder.boolean(info.afterKeyBlock).boolean(lastKeyBlock !== undefined);
  if (lastKeyBlock !== undefined) writeExtBlkRef(builder, lastKeyBlock);
  if (stats !== undefined) builder.uint(BLOCK_CREATE_STATS, 8).maybeRef(stats.root);
  return arena.build(builder);
}
