import { MASTERCHAIN, WHOLE_SHARD } from '../../../chain/block-id.ts';
import type { Cells } from '../../../chain/boc/cells.ts';
import { shardHalves } from '../../../chain/tlb/block-shard.ts';
import { lookUp } from '../../../chain/tlb/dictionary.ts';
import { readShardDescr, type ShardDescr } from '../../../chain/tlb/shard-hashes-descr.ts';
import type { ShardIdent } from '../../../chain/tlb/shard-ident.ts';
import { shardContains } from '../../store/shard-prefix.ts';

/** A shard that the masterchain names. */
export interface FoundShard {
  readonly descr: ShardDescr;
  /** The cell with its description. */
  readonly leaf: number;
}

const WORKCHAIN_BITS = 32;

/**
 * Finds the shard that holds another one, or with `exact` that one itself, below the root of ShardHashes (-1 when
 * empty). Opens the cells on the way only.
 */
export function findShard(
  cells: Cells,
  root: number,
  { workchain, shard: wanted }: ShardIdent,
  exact: boolean,
): FoundShard | undefined {
  if (workchain === MASTERCHAIN || root < 0 || wanted === 0n) return undefined;
  const key = Buffer.allocUnsafe(4);
  key.writeInt32BE(workchain);
  const slice = lookUp(cells, root, WORKCHAIN_BITS, key);
  if (slice === undefined) return undefined;
  slice.open(slice.ref());
  for (let shard = WHOLE_SHARD; ; ) {
    if (!slice.boolean()) {
      if (exact && shard !== wanted) return undefined;
      return { leaf: slice.cell, descr: readShardDescr(slice, { workchain, shard }) };
    }
    if (shard === wanted) return undefined;
    const [left, right] = shardHalves(shard);
    const [leftCell, rightCell] = [slice.ref(), slice.ref()];
    const isLeft = shardContains(left, wanted);
    slice.open(isLeft ? leftCell : rightCell);
    shard = isLeft ? left : right;
  }
}
