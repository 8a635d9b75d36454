import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { type CurrencyCollection, readCurrencyCollection } from './currency.ts';
import { walkDictionary } from './dictionary.ts';
import { type InMsg, readInMsg } from './in-msg.ts';

/** What messages brought into a block. */
export interface ImportFees {
  readonly feesCollected: bigint;
  readonly valueImported: CurrencyCollection;
}

/** Visits the inbound messages of a block in ascending order of their hashes; `hash` is used again, so copy it. */
export function walkInMsgDescr(
  cells: Cells,
  descr: number,
  visit: (hash: Buffer, message: InMsg, fees: ImportFees) => void,
): void {
  const root = new Slice(cells, descr).maybeRef();
  if (root < 0) return;
  walkDictionary(cells, root, 256, (hash, value) => {
    const fees = readImportFees(value);
    visit(hash, readInMsg(value), fees);
  });
}

/** The sum over all inbound messages of a block. */
export function totalImportFees(cells: Cells, descr: number): ImportFees {
  const slice = new Slice(cells, descr);
  slice.maybeRef();
  return readImportFees(slice);
}

function readImportFees(slice: Slice): ImportFees {
  return { feesCollected: slice.coins(), valueImported: readCurrencyCollection(slice) };
}
