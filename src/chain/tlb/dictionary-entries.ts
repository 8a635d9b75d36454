import { Slice } from '../boc/slice.ts';
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
  { from, inclusive = false, reverse = false }: WalkOrder,
): Generator<DictionaryEntry, void> {
  const key = Buffer.alloc((keyBits + 7) >> 3);

  /** `onPath`: all bits of the key up to `depth` are those of `from`. */
  function* visit(node: Slice, depth: number, onPath: boolean): Generator<DictionaryEntry, void> {
    const at = readLabel(node, keyBits - depth, key, depth);
    let stays = onPath;
    for (let bit = depth; stays && bit < at; bit++) {
      const order = bitOf(key, bit) - bitOf(from!, bit);
      if (order === 0) continue;
      if (order > 0 === reverse) return;
      stays = false;
    }
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

function bitOf(key: Buffer, bit: number): number {
  return (key[bit >> 3]! >> (7 - (bit & 7))) & 1;
}
