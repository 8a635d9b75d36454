import { formatRaw } from '../../../chain/address/format-address.ts';
import type { Slice } from '../../../chain/boc/slice.ts';
import { NotThis } from '../rule.ts';

/** An asset as DeDust writes it: null for TON, else the jetton's master. */
export function readDedustAsset(slice: Slice): string | null {
  return slice.uint(4) === 0 ? null : readMaster(slice);
}

/** An asset as swap.coffee writes it: null for TON, else the jetton's master. Extra currencies are not for us. */
export function readCoffeeAsset(slice: Slice): string | null {
  const kind = slice.uint(2);
  if (kind > 1) throw new NotThis('not TON and not a jetton');
  return kind === 0 ? null : readMaster(slice);
}

function readMaster(slice: Slice): string {
  return formatRaw({ workchain: slice.int(8), hash: slice.hash() }, 'upper');
}
