import { CellBuilder } from '../boc/builder.ts';
import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import type { Codec } from './codecs.ts';

// hm_edge#_ {n:#} {X:Type} {l:#} {m:#} label:(HmLabel ~l n) {n = (~m) + l} node:(HashmapNode m X) = Hashmap n X;
// hmn_leaf#_ {X:Type} value:X = HashmapNode 0 X;
// hmn_fork#_ {n:#} {X:Type} left:^(Hashmap n X) right:^(Hashmap n X) = HashmapNode (n + 1) X;
// hme_empty$0 {n:#} {X:Type} = HashmapE n X;
// hme_root$1 {n:#} {X:Type} root:^(Hashmap n X) = HashmapE n X;

/** Whether a walk skips or rejects a part that a proof leaves out. */
export type OnPruned = 'throw' | 'skip';

/** Called for each entry; `key` and `value` are reused for the next one, so copy what you keep. */
export type VisitEntry = (key: Buffer, value: Slice) => void;

/**
 * Visits the entries of a Hashmap with keys of `keyBits` in ascending order; the root is -1 for an empty HashmapE. The value in an augmented dictionary
 * (HashmapAug) starts with its extra. Keys are padded with zeros to whole bytes.
 */
export function walkDictionary(
  cells: Cells,
  root: number,
  keyBits: number,
  visit: VisitEntry,
  onPruned: OnPruned = 'throw',
): void {
  if (root < 0 || (onPruned === 'skip' && cells.isPruned(root))) return;
  const key = Buffer.alloc((keyBits + 7) >> 3);
  const slice = new Slice(cells, root);
  let stepsLeft = maxWalkSteps(cells);
  const enter = (cell: number, depth: number): void => {
    if (stepsLeft-- === 0) throwTooManySteps();
    if (onPruned === 'skip' && cells.isPruned(cell)) return;
    slice.open(cell);
    const at = readLabel(slice, keyBits - depth, key, depth);
    if (at === keyBits) visit(key, slice);
    else {
      const left = slice.ref();
      const right = slice.ref();
      enter(left, setKeyBit(key, at, 0));
      enter(right, setKeyBit(key, at, 1));
    }
  };
  enter(root, 0);
}

/** Reads all entries of a HashmapE by its root, which is -1 when it is empty. Keys are copies. */
export function readDictionary<T>(
  cells: Cells,
  root: number,
  keyBits: number,
  read: (key: Buffer, value: Slice) => T,
  onPruned: OnPruned = 'throw',
): T[] {
  const entries: T[] = [];
  walkDictionary(
    cells,
    root,
    keyBits,
    (key, value) => void entries.push(read(Buffer.from(key), value)),
    onPruned,
  );
  return entries;
}

/** The value under a key of a Hashmap, or undefined; the root is -1 for an empty HashmapE. A pruned path throws a PrunedCellError, or counts as absent. */
export function lookUp(
  cells: Cells,
  root: number,
  keyBits: number,
  key: Buffer,
  onPruned: OnPruned = 'throw',
): Slice | undefined {
  if (root < 0 || (onPruned === 'skip' && cells.isPruned(root))) return undefined;
  const path = Buffer.alloc((keyBits + 7) >> 3);
  const slice = new Slice(cells, root);
  for (let depth = 0; ; ) {
    const at = readLabel(slice, keyBits - depth, path, depth);
    if (firstDifference(path, key, depth, at) < at) return undefined;
    if (at === keyBits) return slice;
    const bit = bitOf(key, at);
    const left = slice.ref();
    const next = bit === 0 ? left : slice.ref();
    if (onPruned === 'skip' && cells.isPruned(next)) return undefined;
    slice.open(next);
    depth = setKeyBit(path, at, bit);
  }
}

/** An entry of a dictionary; the key is reused for the next one. */
export interface DictionaryEntry {
  readonly key: Buffer;
  readonly value: Slice;
}

/** Where an iteration starts, and its direction. */
interface WalkOrder {
  /** Default: the first entry, or the last one in reverse. */
  readonly from?: Buffer | undefined;
  /** Whether an entry with the key `from` is included. */
  readonly inclusive?: boolean;
  readonly reverse?: boolean;
}

/**
 * Yields the entries of a Hashmap, whose root starts at the cursor of a slice, in key order from a given key on. No
 * cell is opened before it is needed, so a proof of the first entries is enough for those; a pruned cell
 * throws.
 */
export function* dictionaryEntries(
  root: Slice,
  keyBits: number,
  { from, inclusive = false, reverse = false }: WalkOrder = {},
): Generator<DictionaryEntry, void> {
  const key = Buffer.alloc((keyBits + 7) >> 3);
  let stepsLeft = maxWalkSteps(root.cells);

  /** `onPath`: all bits of the key up to `depth` are those of `from`. */
  function* visit(node: Slice, depth: number, onPath: boolean): Generator<DictionaryEntry, void> {
    if (stepsLeft-- === 0) throwTooManySteps();
    const at = readLabel(node, keyBits - depth, key, depth);
    const differs = onPath ? firstDifference(key, from!, depth, at) : at;
    // The whole subtree is before the start.
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

// A tree of shared cells can expand to an astronomical number of entries. A real dictionary shares little, so a walk
// that takes many more steps than there are cells is an attack.
const STEPS_PER_CELL = 16;
const SPARE_STEPS = 4096;

function maxWalkSteps(cells: Cells): number {
  return cells.count * STEPS_PER_CELL + SPARE_STEPS;
}

function throwTooManySteps(): never {
  throw new CellError('dictionary shares too many cells');
}

// HashmapAug n X Y has an extra value of type Y in every node:
// ahmn_leaf#_ {X:Type} {Y:Type} extra:Y value:X = HashmapAugNode 0 X Y;
// ahmn_fork#_ {n:#} {X:Type} {Y:Type} left:^(HashmapAug n X Y) right:^(HashmapAug n X Y) extra:Y
//   = HashmapAugNode (n + 1) X Y;
// ahme_empty$0 {n:#} {X:Type} {Y:Type} extra:Y = HashmapAugE n X Y;
// ahme_root$1 {n:#} {X:Type} {Y:Type} root:^(HashmapAug n X Y) extra:Y = HashmapAugE n X Y;

/** The format of a dictionary: its key length, how values are written, and the augmentation of its nodes. */
export interface DictionaryCodec<Value, Extra = undefined> {
  readonly keyBits: number;
  write(builder: CellBuilder, value: Value, arena: BuildingArena): void;
  /** Only for augmented dictionaries (HashmapAug). */
  readonly augmentation?: Augmentation<Value, Extra>;
}

/** The extras of an augmented dictionary: how those of entries are computed and combined. */
export interface Augmentation<Value, Extra> extends Codec<Extra> {
  readonly empty: Extra;
  of(value: Value, arena: BuildingArena): Extra;
  combine(left: Extra, right: Extra, arena: BuildingArena): Extra;
}

/**
 * Edits dictionaries of one format in one arena. A dictionary is identified by its root, -1 when it is empty, and never
 * changes: an edit returns the root of a new one, which shares all cells but those on the path to the entry. Labels
 * are written as a node does, so equal entries give equal hashes. Keys are padded with zeros to whole bytes.
 */
export class Dictionary<Value, Extra = undefined> {
  readonly codec: DictionaryCodec<Value, Extra>;
  readonly #arena: BuildingArena;
  readonly #keyBits: number;
  // Reused for each node: a node is written when everything below it is done.
  readonly #builder = new CellBuilder();
  /** The key bits of the current path; bits behind them are undefined. */
  readonly #path: Buffer;
  readonly #sidePath: Buffer;

  constructor(arena: BuildingArena, codec: DictionaryCodec<Value, Extra>) {
    this.codec = codec;
    this.#arena = arena;
    this.#keyBits = codec.keyBits;
    this.#path = Buffer.alloc((codec.keyBits + 7) >> 3);
    this.#sidePath = Buffer.alloc((codec.keyBits + 7) >> 3);
  }

  /** The value under a key as a slice that starts with it, or undefined. */
  get(root: number, key: Buffer): Slice | undefined {
    const slice = lookUp(this.#arena, root, this.#keyBits, this.#checked(key));
    if (slice !== undefined) this.codec.augmentation?.read(slice);
    return slice;
  }

  set(root: number, key: Buffer, value: Value): number {
    this.#checked(key);
    return root < 0 ? this.#leaf(key, 0, value) : this.#set(root, 0, key, value);
  }

  /** Deletes a key; returns the new root, which is the old one if the key is missing. */
  delete(root: number, key: Buffer): number {
    this.#checked(key);
    return root < 0 ? root : this.#delete(root, 0, key);
  }

  /** Builds a dictionary from entries in strictly ascending key order. */
  build(entries: readonly (readonly [key: Buffer, value: Value])[]): number {
    for (let i = 0; i < entries.length; i++) {
      const key = this.#checked(entries[i]![0]);
      if (i > 0 && entries[i - 1]![0].compare(key) >= 0)
        throw new CellError('dictionary keys are not in ascending order');
    }
    return entries.length === 0 ? -1 : this.#build(entries, 0, entries.length, 0);
  }

  extra(root: number): Extra {
    const { augmentation } = this.codec;
    return root < 0 && augmentation !== undefined ? augmentation.empty : this.#extra(root, 0);
  }

  store(builder: CellBuilder, root: number): void {
    builder.maybeRef(root);
    this.codec.augmentation?.write(builder, this.extra(root), this.#arena);
  }

  /** Builds a cell that contains only this HashmapE or HashmapAugE. */
  buildCell(root: number): number {
    const builder = new CellBuilder();
    this.store(builder, root);
    return this.#arena.build(builder);
  }

  #set(cell: number, depth: number, key: Buffer, value: Value): number {
    const slice = new Slice(this.#arena, cell);
    const end = readLabel(slice, this.#keyBits - depth, this.#path, depth);
    const same = firstDifference(this.#path, key, depth, end);
    if (same < end) {
      const old = this.#edge(slice, same + 1, end);
      const leaf = this.#leaf(key, same + 1, value);
      return bitOf(key, same) === 0
        ? this.#fork(key, depth, same, leaf, old)
        : this.#fork(key, depth, same, old, leaf);
    }
    if (end === this.#keyBits) return this.#leaf(key, depth, value);
    const left = slice.ref();
    const right = slice.ref();
    return bitOf(key, end) === 0
      ? this.#fork(key, depth, end, this.#set(left, end + 1, key, value), right)
      : this.#fork(key, depth, end, left, this.#set(right, end + 1, key, value));
  }

  #delete(cell: number, depth: number, key: Buffer): number {
    const slice = new Slice(this.#arena, cell);
    const end = readLabel(slice, this.#keyBits - depth, this.#path, depth);
    if (firstDifference(this.#path, key, depth, end) < end) return cell;
    if (end === this.#keyBits) return -1;
    const children = [slice.ref(), slice.ref()] as const;
    const bit = bitOf(key, end);
    const child = this.#delete(children[bit], end + 1, key);
    if (child === children[bit]) return cell;
    const other = children[1 - bit]!;
    if (child >= 0)
      return bit === 0
        ? this.#fork(key, depth, end, child, other)
        : this.#fork(key, depth, end, other, child);
    // The fork becomes one edge, whose label joins both labels.
    const at = setKeyBit(this.#path, end, (1 - bit) as 0 | 1);
    slice.open(other);
    return this.#edge(slice, depth, readLabel(slice, this.#keyBits - at, this.#path, at));
  }

  #build(
    entries: readonly (readonly [key: Buffer, value: Value])[],
    from: number,
    to: number,
    depth: number,
  ): number {
    const [first, value] = entries[from]!;
    if (to - from === 1) return this.#leaf(first, depth, value);
    const end = firstDifference(first, entries[to - 1]![0], depth, this.#keyBits);
    let middle = from + 1;
    for (let last = to - 1; middle < last; ) {
      const probe = (middle + last) >> 1;
      if (bitOf(entries[probe]![0], end) === 0) middle = probe + 1;
      else last = probe;
    }
    const left = this.#build(entries, from, middle, end + 1);
    const right = this.#build(entries, middle, to, end + 1);
    return this.#fork(first, depth, end, left, right);
  }

  #leaf(key: Buffer, depth: number, value: Value): number {
    const { codec } = this;
    const arena = this.#arena;
    const extra = codec.augmentation?.of(value, arena);
    const builder = this.#builder.reset();
    writeLabel(builder, key, depth, this.#keyBits, this.#keyBits - depth);
    codec.augmentation?.write(builder, extra!, arena);
    codec.write(builder, value, arena);
    return arena.build(builder);
  }

  #fork(key: Buffer, depth: number, end: number, left: number, right: number): number {
    const { augmentation } = this.codec;
    const arena = this.#arena;
    const extra = augmentation?.combine(this.#extra(left, end + 1), this.#extra(right, end + 1), arena);
    const builder = this.#builder.reset();
    writeLabel(builder, key, depth, end, this.#keyBits - depth);
    builder.ref(left).ref(right);
    augmentation?.write(builder, extra!, arena);
    return arena.build(builder);
  }

  /** An edge with a label from the path, and the rest of a slice after the old label. */
  #edge(slice: Slice, from: number, to: number): number {
    const builder = this.#builder.reset();
    writeLabel(builder, this.#path, from, to, this.#keyBits - from);
    return this.#arena.build(builder.slice(slice));
  }

  #extra(cell: number, depth: number): Extra {
    const { augmentation } = this.codec;
    if (augmentation === undefined) return undefined as Extra;
    const slice = new Slice(this.#arena, cell);
    // In a fork the references of the extra follow those to both children.
    if (readLabel(slice, this.#keyBits - depth, this.#sidePath, depth) < this.#keyBits) slice.refAt = 2;
    return augmentation.read(slice);
  }

  #checked(key: Buffer): Buffer {
    if (key.length !== this.#path.length) throw new CellError('dictionary key has a wrong length');
    return key;
  }
}

/** A key of 32 bits: a seqno or an id, or a number that may be negative. */
export function int32Key(value: number): Buffer {
  const key = Buffer.allocUnsafe(4);
  key.writeInt32BE(value | 0);
  return key;
}

/** The key of an element of a list that is stored as a dictionary with 16-bit keys. */
export function indexKey(index: number): Buffer {
  const key = Buffer.allocUnsafe(2);
  key.writeUInt16BE(index);
  return key;
}

// hml_short$0 {m:#} {n:#} len:(Unary ~n) {n <= m} s:(n * Bit) = HmLabel ~n m;
// hml_long$10 {m:#} n:(#<= m) s:(n * Bit) = HmLabel ~n m;
// hml_same$11 {m:#} v:Bit n:(#<= m) = HmLabel ~n m;

/** Reads the label of an edge, of at most `max` bits, into `key` from bit `at` on; returns the bit after it. */
export function readLabel(slice: Slice, max: number, key: Buffer, at: number): number {
  if (slice.uint(1) === 0) {
    let length = 0;
    while (slice.uint(1) === 1) length++;
    return copyLabel(slice, checked(length, max), key, at);
  }
  if (slice.uint(1) === 0) return copyLabel(slice, checked(slice.uint(lengthBits(max)), max), key, at);
  const bit = slice.uint(1);
  const length = checked(slice.uint(lengthBits(max)), max);
  for (let i = 0; i < length; i++) writeBits(key, at + i, 1, bit);
  return at + length;
}

function checked(length: number, max: number): number {
  if (length > max) throw new CellError('dictionary label is longer than its key');
  return length;
}

function copyLabel(slice: Slice, length: number, key: Buffer, at: number): number {
  let to = at;
  for (let left = length; left > 0; ) {
    const step = Math.min(left, 8 - (to & 7));
    writeBits(key, to, step, slice.uint(step));
    to += step;
    left -= step;
  }
  return to;
}

/**
 * Writes the label of an edge, the bits of `key` from `from` to `to`, of at most `max` bits. The shortest of the three
 * forms is used, and hml_short where another one is equally short.
 */
export function writeLabel(builder: CellBuilder, key: Buffer, from: number, to: number, max: number): void {
  const length = to - from;
  const lengthBits = 32 - Math.clz32(max);
  if (length > 1 && lengthBits < 2 * length - 1 && allSame(key, from, to)) {
    builder.uint(0b110 | bitOf(key, from), 3).uint(length, lengthBits);
  } else if (lengthBits < length) {
    builder.uint(0b10, 2).uint(length, lengthBits).bits(key, from, length);
  } else {
    // At most 10 bits here, as the length field of a key of up to 1023 bits has no more.
    builder.uint(2 ** (length + 1) - 2, length + 2).bits(key, from, length);
  }
}

function allSame(key: Buffer, from: number, to: number): boolean {
  const first = bitOf(key, from);
  for (let at = from + 1; at < to; at++) if (bitOf(key, at) !== first) return false;
  return true;
}

function lengthBits(max: number): number {
  return 32 - Math.clz32(max);
}

export function setKeyBit(key: Buffer, at: number, bit: 0 | 1): number {
  writeBits(key, at, 1, bit);
  return at + 1;
}

function writeBits(key: Buffer, at: number, bits: number, value: number): void {
  const shift = 8 - (at & 7) - bits;
  const mask = ((1 << bits) - 1) << shift;
  key[at >> 3] = (key[at >> 3]! & ~mask) | (value << shift);
}

export function bitOf(key: Buffer, at: number): 0 | 1 {
  return ((key[at >> 3]! >> (7 - (at & 7))) & 1) as 0 | 1;
}

/** The first bit from `from` on where two keys differ, or `to` if there is none before it. */
export function firstDifference(a: Buffer, b: Buffer, from: number, to: number): number {
  for (let at = from; at < to; ) {
    const difference = ((a[at >> 3]! ^ b[at >> 3]!) << (at & 7)) & 0xff;
    if (difference !== 0) return Math.min(to, at + Math.clz32(difference) - 24);
    at = (at | 7) + 1;
  }
  return to;
}
