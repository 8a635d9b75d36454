import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../block-id.ts';
import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { shardHalves } from './block-shard.ts';
import { lookUp } from './dictionary.ts';
import { readShardDescr, type ShardDescr } from './shard-hashes-descr.ts';
import type { ShardIdent } from './shard-ident.ts';

/** A shard that the masterchain names, and the cell that says so. */
export interface FoundShard {
  readonly cells: Cells;
  readonly cell: number;
  readonly descr: ShardDescr;
}

/**
 * Finds the shard that holds another one, or with `exact` that one itself, below the root of ShardHashes (-1 when
 * empty). Opens the cells on the way only; one that a proof leaves out throws.
 */
export function findShard(
  cells: Cells,
  root: number,
  { workchain, shard }: ShardIdent,
  exact: boolean,
): FoundShard | undefined {
  if (workchain === MASTERCHAIN || root < 0 || shard === 0n) return undefined;
  const key = Buffer.allocUnsafe(4);
  key.writeInt32BE(workchain);
  const slice = lookUp(cells, root, 32, key);
  if (slice === undefined) return undefined;
  slice.open(slice.ref());
  const wanted = BigInt.asUintN(64, shard);
  for (let at = WHOLE_SHARD; ; ) {
    if (!slice.boolean()) {
      if (exact && at !== shard) return undefined;
      return { cells, cell: slice.cell, descr: readShardDescr(slice, { workchain, shard: at }) };
    }
    if (at === shard) return undefined;
    const lowest = BigInt.asUintN(64, at & -at);
    if (lowest === 1n) throw new CellFault('a tree of shards that is too deep');
    const [left, right] = [slice.ref(), slice.ref()];
    const goRight = (wanted & lowest) !== 0n;
    slice.open(goRight ? right : left);
    at = shardHalves(at)[goRight ? 1 : 0];
  }
}

/** The name of the newest block of a shard. */
export function topBlock({ workchain, shard, seqno, rootHash, fileHash }: ShardDescr): BlockId {
  return { workchain, shard, seqno, rootHash, fileHash };
}
