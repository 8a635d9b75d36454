import type { CellBuilder } from '../boc/cell-builder.ts';
import type { DictionaryForm } from './dictionary-form.ts';

/** How many blocks somebody made: in all, and as averages that fade over 2048 and 65536 seconds. */
export interface BlockCounters {
  readonly lastUpdated: number;
  readonly total: bigint;
  readonly count2048: bigint;
  readonly count65536: bigint;
}

/** The blocks that one validator made. */
export interface CreatorStats {
  readonly mcBlocks: BlockCounters;
  readonly shardBlocks: BlockCounters;
}

const CREATOR_STATS = 4;

/** The blocks that validators made, by public key; that of zeros stands for all together. */
export const BLOCK_CREATE_STATS: DictionaryForm<CreatorStats> = {
  keyBits: 256,
  write(builder, { mcBlocks, shardBlocks }) {
    writeCounters(builder.uint(CREATOR_STATS, 4), mcBlocks);
    writeCounters(builder, shardBlocks);
  },
};

function writeCounters(builder: CellBuilder, counters: BlockCounters): void {
  const { lastUpdated, total, count2048, count65536 } = counters;
  builder.uint(lastUpdated, 32).uint64(total).uint64(count2048).uint64(count65536);
}
