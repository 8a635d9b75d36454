import { BitString, type Builder, beginCell } from '@ton/core';
import type { Choice } from './made-values.ts';

/** Stores a value in a leaf and gives what is to be said of it. */
type PutValue = (builder: Builder) => unknown;

/** Stores a dictionary of a few entries, with labels of every form whether they are the shortest or not. */
export function putTree(
  builder: Builder,
  choice: Choice,
  keyBits: number,
  putValue: PutValue,
  forks = 2,
): object {
  const { below } = choice;
  const isLeaf = forks === 0 || keyBits === 0 || below(2) === 0;
  const bits = isLeaf ? keyBits : below(keyBits);
  const label = putLabel(builder, choice, bits, keyBits);
  if (isLeaf) {
    const value = putValue(builder);
    return { '@type': 'hashmap_edge', label, node: { '@type': 'hashmap_node_leaf', value } };
  }
  const [left, right] = [0, 1].map(() => {
    const child = beginCell();
    const json = putTree(child, choice, keyBits - bits - 1, putValue, forks - 1);
    builder.storeRef(child);
    return json;
  });
  return { '@type': 'hashmap_edge', label, node: { '@type': 'hashmap_node_fork', left, right } };
}

function putLabel(builder: Builder, { below, plain }: Choice, bits: number, most: number): object {
  const width = most === 0 ? 0 : Math.floor(Math.log2(most)) + 1;
  const bytes = Buffer.from(Array.from({ length: Math.ceil(bits / 8) }, () => below(256)));
  const s = new BitString(bytes, 0, bits);
  switch (plain && bits > 8 ? 2 : below(3)) {
    case 0: {
      builder.storeBit(0);
      for (let i = 0; i < bits; i++) builder.storeBit(1);
      builder.storeBit(0).storeBits(s);
      let len: object = { '@type': 'unary_zero' };
      for (let i = 0; i < bits; i++) len = { '@type': 'unary_succ', x: len };
      return { '@type': 'hashmap_label_short', len, s: s.toString() };
    }
    case 1:
      builder.storeUint(0b10, 2).storeUint(bits, width).storeBits(s);
      return { '@type': 'hashmap_label_long', n: String(bits), s: s.toString() };
    default: {
      const v = below(2) === 1;
      builder.storeUint(0b11, 2).storeBit(v).storeUint(bits, width);
      return { '@type': 'hashmap_label_same', v, n: String(bits) };
    }
  }
}
