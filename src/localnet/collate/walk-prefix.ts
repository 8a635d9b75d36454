import type { Cells } from '../../chain/boc/cells.ts';
import { Slice } from '../../chain/boc/slice.ts';
import type { VisitEntry } from '../../chain/tlb/dictionary.ts';
import { bitOf, firstDifference } from '../../chain/tlb/dictionary-key.ts';
import { readLabel, setKeyBit } from '../../chain/tlb/dictionary-label.ts';

/** Visits the entries of a dictionary whose keys start with some bits, in ascending order; see `walkDictionary`. */
export function walkPrefix(
  cells: Cells,
  root: number,
  keyBits: number,
  prefix: Buffer,
  prefixBits: number,
  visit: VisitEntry,
): void {
  if (root < 0) return;
  const key = Buffer.alloc((keyBits + 7) >> 3);
  const slice = new Slice(cells, root);
  const enter = (cell: number, depth: number): void => {
    slice.open(cell);
    const at = readLabel(slice, keyBits - depth, key, depth);
    const compared = Math.min(at, prefixBits);
    if (firstDifference(key, prefix, 0, compared) < compared) return;
    if (at === keyBits) {
      visit(key, slice);
      return;
    }
    const left = slice.ref();
    const right = slice.ref();
    for (const [bit, child] of [left, right].entries())
      if (at >= prefixBits || bitOf(prefix, at) === bit) enter(child, setKeyBit(key, at, bit as 0 | 1));
  };
  enter(root, 0);
}
