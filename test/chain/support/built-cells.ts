import { type Builder, beginCell, type DictionaryValue } from '@ton/core';
import { type CellBag, readBoc } from '../../../src/chain/boc/bag.ts';
import type { Cells } from '../../../src/chain/boc/cells.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';

/** A bag of what a builder of @ton/core holds. */
export function bagFrom(builder: Builder): CellBag {
  return readBoc(builder.endCell().toBoc());
}

/** A cursor over what a builder of @ton/core holds. */
export function sliceFrom(builder: Builder): Slice {
  const bag = bagFrom(builder);
  return new Slice(bag, bag.root);
}

/** 32 equal bytes. */
export const hash = (fill: number): Buffer => Buffer.alloc(32, fill);

/** Reads what a builder holds. */
export function read<T>(reader: (cells: Cells, cell: number) => T, builder: Builder): T {
  const bag = fromCoreCell(builder.endCell());
  return reader(bag, bag.root);
}

/** What starts with a tag and goes on with numbers of the given sizes, which count up from 1. */
export function numbers(tag: number, ...sizes: number[]): Builder {
  return sizes.reduce((builder, size, i) => builder.storeUint(i + 1, size), beginCell().storeUint(tag, 8));
}

/** A dictionary whose values are written by hand. */
export const raw: DictionaryValue<Builder> = {
  serialize: (value, builder) => {
    builder.storeBuilder(value);
  },
  parse: () => beginCell(),
};
