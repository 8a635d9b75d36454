import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { type CurrencyCollection, readCurrencyCollection } from './currency.ts';
import { walkDictionary } from './dictionary.ts';
import { type OutMsg, readOutMsg } from './out-msg.ts';

/** Visits the outbound messages of a block in ascending order of their hashes; `hash` is used again, so copy it. */
export function walkOutMsgDescr(
  cells: Cells,
  descr: number,
  visit: (hash: Buffer, message: OutMsg, exported: CurrencyCollection) => void,
): void {
  const root = new Slice(cells, descr).maybeRef();
  if (root < 0) return;
  walkDictionary(cells, root, 256, (hash, value) => {
    const exported = readCurrencyCollection(value);
    visit(hash, readOutMsg(value), exported);
  });
}

/** The sum over all outbound messages of a block. */
export function totalExported(cells: Cells, descr: number): CurrencyCollection {
  const slice = new Slice(cells, descr);
  slice.maybeRef();
  return readCurrencyCollection(slice);
}
