import type { Builder } from '@ton/core';
import type { CellBag } from '../../../src/chain/boc/cell-bag.ts';
import { readBoc } from '../../../src/chain/boc/read-boc.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';

/** A bag of what a builder of @ton/core holds. */
export function bagFrom(builder: Builder): CellBag {
  return readBoc(builder.endCell().toBoc());
}

/** A cursor over what a builder of @ton/core holds. */
export function sliceFrom(builder: Builder): Slice {
  const bag = bagFrom(builder);
  return new Slice(bag, bag.root);
}
