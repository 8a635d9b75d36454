import { type BlockId, MASTERCHAIN, sameBlock, shortBlockName } from '../../../src/chain/block-id.ts';
import { shardContains } from '../../../src/chain/shard-prefix.ts';
import type { LookupKey } from '../../../src/chain/tl/blocks.ts';
import { readBlockRoot } from '../../../src/chain/tlb/block.ts';
import { readBlockInfo } from '../../../src/chain/tlb/block-info.ts';
import { previousBlocks } from '../../../src/chain/tlb/block-previous.ts';
import { LiteServerError } from '../../../src/lite/errors.ts';
import type { BuiltBlock } from './block.ts';
import { flatCells } from './make-proofs.ts';
import type { SampleChain } from './sample-chain.ts';

const NOT_READY = 651;

/** The block with a name; one that is not there is refused as a server does. */
export function blockOf(chain: SampleChain, id: BlockId): BuiltBlock {
  const blocks = id.workchain === MASTERCHAIN ? chain.masterchain : chain.shardBlocks;
  const found = blocks.find((block) => sameBlock(block.id, id));
  if (found === undefined) throw new LiteServerError(NOT_READY, `block ${shortBlockName(id)} is not in db`);
  return found;
}

/** The block that a look-up finds: the one with a seqno, or the first that ends at a time or later. */
export function lookUpBlock(chain: SampleChain, { id, mode, lt, utime }: LookupKey): BuiltBlock {
  const blocks = id.workchain === MASTERCHAIN ? chain.masterchain : chain.shardBlocks;
  const own = blocks.filter((block) => shardContains(block.id.shard, id.shard));
  const found = own.find((block) => {
    if (mode & 2) return block.endLt >= lt!;
    return mode & 4 ? block.utime >= utime! : block.id.seqno === id.seqno;
  });
  if (found === undefined) throw new LiteServerError(NOT_READY, `cannot find block ${shortBlockName(id)}`);
  return found;
}

/** The names of the blocks before a block. */
export function blocksBefore(block: BuiltBlock): BlockId[] {
  const cells = flatCells(block.root);
  return previousBlocks(readBlockInfo(cells, readBlockRoot(cells, cells.root).info));
}

/** The way from the first masterchain block that knows of a shard block down to it. */
export function wayTo(chain: SampleChain, target: BlockId): { from: BuiltBlock; way: BlockId[] } {
  for (const from of chain.masterchain)
    for (const top of from.parts.masterchain!.shards) {
      const way = wayDown(chain, top.id, target);
      if (way !== undefined) return { from, way };
    }
  throw new LiteServerError(NOT_READY, `block ${shortBlockName(target)} is not applied`);
}

function wayDown(chain: SampleChain, at: BlockId, target: BlockId): BlockId[] | undefined {
  if (sameBlock(at, target)) return [at];
  if (at.seqno <= target.seqno) return undefined;
  for (const before of blocksBefore(blockOf(chain, at))) {
    const way = wayDown(chain, before, target);
    if (way !== undefined) return [at, ...way];
  }
  return undefined;
}
