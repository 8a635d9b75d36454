import { WHOLE_SHARD } from '../block-id.ts';
import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { shardHalves } from './block-shard.ts';
import { type OnPruned, walkDictionary } from './dictionary.ts';
import { readShardDescr, type ShardDescr } from './shard-hashes-descr.ts';

const WORKCHAIN_BITS = 32;
const MAX_PREFIX_BITS = 60;

/**
 * Reads the shards of all workchains from the root of ShardHashes, which is -1 when there are none. Workchains are in
 * ascending order, shards of one from left to right. Parts that a proof leaves out throw, or are skipped if asked.
 */
export function readShardHashes(cells: Cells, root: number, onPruned: OnPruned = 'throw'): ShardDescr[] {
  const trees: { workchain: number; tree: number }[] = [];
  if (root >= 0)
    walkDictionary(
      cells,
      root,
      WORKCHAIN_BITS,
      (key, value) => trees.push({ workchain: key.readInt32BE(0), tree: value.ref() }),
      onPruned,
    );
  // The dictionary sorts negative workchains last.
  trees.sort((a, b) => a.workchain - b.workchain);
  const found: ShardDescr[] = [];
  const walk = (cell: number, workchain: number, shard: bigint, prefixBits: number): void => {
    if (onPruned === 'skip' && cells.isPruned(cell)) return;
    const slice = new Slice(cells, cell);
    if (!slice.boolean()) {
      // Each shard has a cell of its own, so more shards than cells are a trap made of shared cells.
      if (found.length === cells.count) throw new CellFault('a tree of shards with shared parts');
      found.push(readShardDescr(slice, { workchain, shard }));
      return;
    }
    if (prefixBits === MAX_PREFIX_BITS) throw new CellFault('a tree of shards that is too deep');
    const [left, right] = shardHalves(shard);
    walk(slice.ref(), workchain, left, prefixBits + 1);
    walk(slice.ref(), workchain, right, prefixBits + 1);
  };
  for (const { workchain, tree } of trees) walk(tree, workchain, WHOLE_SHARD, 0);
  return found;
}
