import { Slice } from '../../../chain/boc/slice.ts';
import { readLabel, setKeyBit } from '../../../chain/tlb/dictionary-label.ts';

/** Where a walk starts, and which way it goes. */
export interface WalkStart {
  readonly key: Buffer;
  /** Whether an entry under the very key belongs to the walk. */
  readonly inclusive: boolean;
  readonly reverse: boolean;
}

/** Called for each entry; `key` is used again, so copy it. A false result ends the walk. */
export type VisitOrStop = (key: Buffer, value: Slice) => boolean;

/**
 * Visits the entries of a Hashmap from a key on, in either order, until the visitor has enough; gives whether it came
 * to the end. `root` goes on with the root node, which may have no cell of its own. No node is opened that the walk
 * does not need, so that a proof of it is small.
 */
export function walkFrom(root: Slice, keyBits: number, start: WalkStart, visit: VisitOrStop): boolean {
  const key = Buffer.alloc((keyBits + 7) >> 3);
  const order = start.reverse ? ([1, 0] as const) : ([0, 1] as const);

  /** `onEdge` while the key so far is how the start begins: only then some entries may lie before it. */
  const enter = (slice: Slice, depth: number, onEdge: boolean): boolean => {
    const at = readLabel(slice, keyBits - depth, key, depth);
    const side = onEdge ? compareBits(key, start.key, depth, at) * (start.reverse ? -1 : 1) : 1;
    if (side < 0) return true;
    const stillOnEdge = onEdge && side === 0;
    if (at === keyBits) return (stillOnEdge && !start.inclusive) || visit(key, slice);
    const children = [slice.ref(), slice.ref()] as const;
    const edgeBit = bitAt(start.key, at);
    for (const bit of order) {
      if (stillOnEdge && bit !== edgeBit && bit === order[0]) continue;
      const next = setKeyBit(key, at, bit);
      if (!enter(new Slice(slice.cells, children[bit]), next, stillOnEdge && bit === edgeBit)) return false;
    }
    return true;
  };
  return enter(root, 0, true);
}

/** How two keys compare from one bit up to another. */
function compareBits(a: Buffer, b: Buffer, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const difference = bitAt(a, at) - bitAt(b, at);
    if (difference !== 0) return difference;
  }
  return 0;
}

function bitAt(key: Buffer, at: number): number {
  return (key[at >> 3]! >> (7 - (at & 7))) & 1;
}
