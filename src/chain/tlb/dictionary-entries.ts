import { Slice } from '../boc/slice.ts';
import { mostSteps, refuseTrap } from './dictionary.ts';
import { bitOf, firstDifference } from './dictionary-key.ts';
import { readLabel, setKeyBit } from './dictionary-label.ts';

/** An entry of a dictionary; the key is used again for the next one. */
export interface DictionaryEntry {
  readonly key: Buffer;
  readonly value: Slice;
}

/** Where a walk starts, and which way it goes. */
export interface WalkOrder {
  /** Left out: from the first entry on, or from the last one back. */
  readonly from?: Buffer | undefined;
  /** Whether an entry with the key `from` itself is visited. */
  readonly inclusive?: boolean;
  readonly reverse?: boolean;
}

/**
 * Visits entries of a Hashmap, whose root a slice goes on with, in the order of their keys from a given key on. No
 * cell is opened before it is needed, so a proof of the first entries is enough to visit those; a cell that it leaves
 * out throws.
 */
export function* dictionaryEntries(
  root: Slice,
  keyBits: number,
  { from, inclusive = false, reverse = false }: WalkOrder = {},
): Generator<DictionaryEntry, void> {
  const key = Buffer.alloc((keyBits + 7) >> 3);
  let stepsLeft = mostSteps(root.cells);

  /** `onPath`: all bits of the key up to `depth` are those of `from`. */
  function* visit(node: Slice, depth: number, onPath: boolean): Generator<DictionaryEntry, void> {
    if (stepsLeft-- === 0) refuseTrap();
    const at = readLabel(node, keyBits - depth, key, depth);
    const differs = onPath ? firstDifference(key, from!, depth, at) : at;
    // Past the start if the key is on the far side of it there.
    if (differs < at && (bitOf(key, differs) === 1) === reverse) return;
    const stays = onPath && differs === at;
    if (at === keyBits) {
      if (!stays || inclusive) yield { key, value: node };
      return;
    }
    const children = [node.ref(), node.ref()];
    for (const bit of reverse ? ([1, 0] as const) : ([0, 1] as const)) {
      const order = stays ? bit - bitOf(from!, at) : 0;
      if (order !== 0 && order > 0 === reverse) continue;
      setKeyBit(key, at, bit);
      yield* visit(new Slice(node.cells, children[bit]!), at + 1, stays && order === 0);
    }
  }

  yield* visit(root, 0, from !== undefined);
}
