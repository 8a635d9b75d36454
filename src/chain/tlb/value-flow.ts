import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { type CurrencyCollection, readCurrencyCollection } from './currency.ts';

/** Where the money of a shard came from and went to in one block. */
export interface ValueFlow {
  readonly fromPrevBlock: CurrencyCollection;
  readonly toNextBlock: CurrencyCollection;
  readonly imported: CurrencyCollection;
  readonly exported: CurrencyCollection;
  readonly feesCollected: CurrencyCollection;
  /** Only in the second version, which came with the burning of fees. */
  readonly burned: CurrencyCollection | undefined;
  readonly feesImported: CurrencyCollection;
  readonly recovered: CurrencyCollection;
  readonly created: CurrencyCollection;
  readonly minted: CurrencyCollection;
}

const VALUE_FLOW = 0xb8e48dfb;
const VALUE_FLOW_V2 = 0x3ebf98b7;

/** Reads a ValueFlow of either version. */
export function readValueFlow(cells: Cells, cell: number): ValueFlow {
  const slice = new Slice(cells, cell);
  const tag = slice.uint(32);
  if (tag !== VALUE_FLOW && tag !== VALUE_FLOW_V2) throw new CellFault('not a value flow');
  const blocks = slice.refSlice();
  const feesCollected = readCurrencyCollection(slice);
  const burned = tag === VALUE_FLOW_V2 ? readCurrencyCollection(slice) : undefined;
  const fees = slice.refSlice();
  return {
    fromPrevBlock: readCurrencyCollection(blocks),
    toNextBlock: readCurrencyCollection(blocks),
    imported: readCurrencyCollection(blocks),
    exported: readCurrencyCollection(blocks),
    feesCollected,
    burned,
    feesImported: readCurrencyCollection(fees),
    recovered: readCurrencyCollection(fees),
    created: readCurrencyCollection(fees),
    minted: readCurrencyCollection(fees),
  };
}
