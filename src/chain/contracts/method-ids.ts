import { CellFault } from '../boc/cell-fault.ts';
import { readBoc } from '../boc/read-boc.ts';
import { Slice } from '../boc/slice.ts';
import { walkDictionary } from '../tlb/dictionary.ts';

/** SETCP 0, then DICTPUSHCONST with its dictionary. */
const SETCP0 = 0xff00;
const DICTPUSHCONST = 0b1111010010100_1;
/** Ids of today have 19 bits. */
const MAX_ID_BITS = 32;

/**
 * The ids of the methods in the dictionary that code starts with, as unsigned numbers; undefined for code of another
 * form. A bag of its own and not that of a block: the work is bounded by the size of the code.
 */
export function readMethodIds(boc: Buffer): number[] | undefined {
  try {
    const bag = readBoc(boc);
    if (bag.isExotic(bag.root)) return undefined;
    const slice = new Slice(bag, bag.root);
    if (slice.bitsLeft < 40 || slice.uint(16) !== SETCP0 || slice.uint(14) !== DICTPUSHCONST)
      return undefined;
    const idBits = slice.uint(10);
    if (idBits > MAX_ID_BITS) return undefined;
    const ids: number[] = [];
    walkDictionary(bag, slice.ref(), idBits, (key) => {
      ids.push(key.readUIntBE(0, key.length) / 2 ** (8 * key.length - idBits));
    });
    return ids;
  } catch (error) {
    if (error instanceof CellFault) return undefined;
    throw error;
  }
}
