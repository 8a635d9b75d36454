import { type Builder, beginCell } from '@ton/core';

/** One entry of an augmented dictionary; the key is an unsigned number. */
export interface AugmentedEntry<E> {
  readonly key: bigint;
  readonly extra: E;
  readonly value: Builder;
}

/** How the extra of a fork comes from those below it, and how it is written. */
export interface Augmentation<E> {
  readonly zero: E;
  combine(left: E, right: E): E;
  store(builder: Builder, extra: E): void;
}

/** Writes a HashmapAugE. */
export function storeAugmentedE<E>(
  builder: Builder,
  entries: readonly AugmentedEntry<E>[],
  keyBits: number,
  aug: Augmentation<E>,
): Builder {
  if (entries.length === 0) {
    aug.store(builder.storeBit(0), aug.zero);
    return builder;
  }
  const root = beginCell();
  const extra = storeAugmented(root, entries, keyBits, aug);
  aug.store(builder.storeBit(1).storeRef(root), extra);
  return builder;
}

/** Writes a HashmapAug, whose root needs no cell of its own; gives the extra of all entries together. */
export function storeAugmented<E>(
  builder: Builder,
  entries: readonly AugmentedEntry<E>[],
  keyBits: number,
  aug: Augmentation<E>,
): E {
  const sorted = [...entries].sort((a, b) => (a.key < b.key ? -1 : 1));
  return storeNode(builder, sorted, keyBits, aug);
}

function storeNode<E>(
  builder: Builder,
  entries: readonly AugmentedEntry<E>[],
  keyBits: number,
  aug: Augmentation<E>,
): E {
  const first = entries[0]!;
  const differing = first.key ^ entries.at(-1)!.key;
  const rest = differing === 0n ? 0 : differing.toString(2).length;
  const length = keyBits - rest;
  storeLabel(builder, first.key >> BigInt(rest), length, keyBits);
  if (rest === 0) {
    aug.store(builder, first.extra);
    builder.storeBuilder(first.value);
    return first.extra;
  }
  const below = BigInt(rest - 1);
  const half = (bit: bigint) =>
    entries
      .filter(({ key }) => ((key >> below) & 1n) === bit)
      .map((entry) => ({ ...entry, key: entry.key & ((1n << below) - 1n) }));
  const [left, right] = [beginCell(), beginCell()];
  const leftExtra = storeNode(left, half(0n), rest - 1, aug);
  const rightExtra = storeNode(right, half(1n), rest - 1, aug);
  const extra = aug.combine(leftExtra, rightExtra);
  aug.store(builder.storeRef(left).storeRef(right), extra);
  return extra;
}

/** Writes a label in the shortest of its three forms. */
function storeLabel(builder: Builder, label: bigint, length: number, max: number): void {
  const lengthBits = max === 0 ? 0 : max.toString(2).length;
  const same = label === 0n || label === (1n << BigInt(length)) - 1n;
  if (same && length > 1 && 3 + lengthBits < 2 + 2 * length) {
    builder
      .storeUint(0b11, 2)
      .storeBit(label !== 0n)
      .storeUint(length, lengthBits);
  } else if (2 + 2 * length <= 2 + lengthBits + length) {
    builder.storeBit(0).storeUint((1n << BigInt(length + 1)) - 2n, length + 1);
    builder.storeUint(label, length);
  } else {
    builder.storeUint(0b10, 2).storeUint(length, lengthBits).storeUint(label, length);
  }
}
