import type { Slice } from '../boc/slice.ts';
import { type VisitEntry, walkDictionary } from './dictionary.ts';
import { readLabel, setKeyBit } from './dictionary-label.ts';

/** As `walkDictionary`, for a Hashmap whose root is not a cell of its own but what a slice goes on with. */
export function walkInlineDictionary(slice: Slice, keyBits: number, visit: VisitEntry): void {
  const key = Buffer.alloc((keyBits + 7) >> 3);
  const at = readLabel(slice, keyBits, key, 0);
  if (at === keyBits) {
    visit(key, slice);
    return;
  }
  for (const bit of [0, 1] as const) {
    const from = setKeyBit(key, at, bit);
    walkDictionary(slice.cells, slice.ref(), keyBits - from, (rest, value) => {
      for (let i = from; i < keyBits; i++)
        setKeyBit(key, i, ((rest[(i - from) >> 3]! >> (7 - ((i - from) & 7))) & 1) as 0 | 1);
      visit(key, value);
    });
  }
}
