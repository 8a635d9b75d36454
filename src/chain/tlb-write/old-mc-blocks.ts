import type { OldMcBlock, OldMcBlocks } from '../tlb/old-mc-blocks.ts';
import type { DictionaryForm } from './dictionary-form.ts';
import { writeExtBlkRef } from './ext-blk-ref.ts';

/** Earlier masterchain blocks by seqno. Their nodes tell whether a key block is below, and the last logical time. */
export const OLD_MC_BLOCKS: DictionaryForm<OldMcBlock, Omit<OldMcBlocks, 'root'>> = {
  keyBits: 32,
  write(builder, block) {
    writeExtBlkRef(builder.boolean(block.isKeyBlock), block);
  },
  augmentation: {
    empty: { hasKeyBlock: false, maxEndLt: 0n },
    of: ({ isKeyBlock, endLt }) => ({ hasKeyBlock: isKeyBlock, maxEndLt: endLt }),
    combine: (left, right) => ({
      hasKeyBlock: left.hasKeyBlock || right.hasKeyBlock,
      maxEndLt: left.maxEndLt > right.maxEndLt ? left.maxEndLt : right.maxEndLt,
    }),
    read: (slice) => ({ hasKeyBlock: slice.boolean(), maxEndLt: slice.uint64() }),
    write: (builder, { hasKeyBlock, maxEndLt }) => builder.boolean(hasKeyBlock).uint64(maxEndLt),
  },
};

/** The key of an earlier masterchain block. */
export function oldMcBlockKey(seqno: number): Buffer {
  const key = Buffer.allocUnsafe(4);
  key.writeUInt32BE(seqno);
  return key;
}
