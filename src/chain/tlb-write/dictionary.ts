import { CellBuilder } from '../boc/cell-builder.ts';
import { CellFault } from '../boc/cell-fault.ts';
import { Slice } from '../boc/slice.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import { lookUp } from '../tlb/dictionary.ts';
import { bitOf, firstDifference } from '../tlb/dictionary-key.ts';
import { readLabel, setKeyBit } from '../tlb/dictionary-label.ts';
import type { DictionaryForm } from './dictionary-form.ts';
import { writeLabel } from './dictionary-label.ts';

/**
 * Changes dictionaries of one form in one arena. A dictionary is named by its root, -1 when it is empty, and never
 * changes: a change gives the root of another one, which shares all cells but those on the way to the entry. Labels
 * are written as the node does, so equal entries give equal hashes. Keys are padded with zeros to whole bytes.
 */
export class Dictionary<Value, Extra = undefined> {
  readonly form: DictionaryForm<Value, Extra>;
  readonly #arena: BuildingArena;
  readonly #keyBits: number;
  // Used again for each node: a node is written when everything below it is done.
  readonly #builder = new CellBuilder();
  /** The key that leads to where the walk is; bits behind that are anything. */
  readonly #path: Buffer;
  readonly #sidePath: Buffer;

  constructor(arena: BuildingArena, form: DictionaryForm<Value, Extra>) {
    this.form = form;
    this.#arena = arena;
    this.#keyBits = form.keyBits;
    this.#path = Buffer.alloc((form.keyBits + 7) >> 3);
    this.#sidePath = Buffer.alloc((form.keyBits + 7) >> 3);
  }

  /** The value under a key as a slice that starts with it, or undefined. */
  get(root: number, key: Buffer): Slice | undefined {
    const slice = root < 0 ? undefined : lookUp(this.#arena, root, this.#keyBits, this.#checked(key));
    if (slice !== undefined) this.form.augmentation?.read(slice);
    return slice;
  }

  /** Puts a value under a key, be there another one or none; gives the new root. */
  set(root: number, key: Buffer, value: Value): number {
    this.#checked(key);
    return root < 0 ? this.#leaf(key, 0, value) : this.#set(root, 0, key, value);
  }

  /** Removes a key; gives the new root, which is the old one if the key is not there. */
  delete(root: number, key: Buffer): number {
    this.#checked(key);
    return root < 0 ? root : this.#delete(root, 0, key);
  }

  /** Makes a dictionary of entries in strictly ascending order of their keys. */
  build(entries: readonly (readonly [key: Buffer, value: Value])[]): number {
    for (let i = 0; i < entries.length; i++) {
      const key = this.#checked(entries[i]![0]);
      if (i > 0 && entries[i - 1]![0].compare(key) >= 0) throw new CellFault('keys that are not in order');
    }
    return entries.length === 0 ? -1 : this.#build(entries, 0, entries.length, 0);
  }

  /** What the whole dictionary adds up to. */
  extra(root: number): Extra {
    const { augmentation } = this.form;
    return root < 0 && augmentation !== undefined ? augmentation.empty : this.#extra(root, 0);
  }

  /** Writes HashmapE or HashmapAugE. */
  store(builder: CellBuilder, root: number): void {
    builder.maybeRef(root);
    this.form.augmentation?.write(builder, this.extra(root));
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
    // What is left of the fork is one edge, whose label joins the two.
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
    const { form } = this;
    const arena = this.#arena;
    const extra = form.augmentation?.of(value, arena);
    const builder = this.#builder.reset();
    writeLabel(builder, key, depth, this.#keyBits, this.#keyBits - depth);
    if (form.augmentation !== undefined) form.augmentation.write(builder, extra!);
    form.write(builder, value, arena);
    return arena.build(builder);
  }

  #fork(key: Buffer, depth: number, end: number, left: number, right: number): number {
    const { augmentation } = this.form;
    const arena = this.#arena;
    const extra = augmentation?.combine(this.#extra(left, end + 1), this.#extra(right, end + 1), arena);
    const builder = this.#builder.reset();
    writeLabel(builder, key, depth, end, this.#keyBits - depth);
    builder.ref(left).ref(right);
    if (augmentation !== undefined) augmentation.write(builder, extra!);
    return arena.build(builder);
  }

  /** An edge with a label from the path, and what a slice has left after the old label. */
  #edge(slice: Slice, from: number, to: number): number {
    const builder = this.#builder.reset();
    writeLabel(builder, this.#path, from, to, this.#keyBits - from);
    return this.#arena.build(builder.slice(slice));
  }

  #extra(cell: number, depth: number): Extra {
    const { augmentation } = this.form;
    if (augmentation === undefined) return undefined as Extra;
    const slice = new Slice(this.#arena, cell);
    // In a fork, what belongs to the extra comes after the references to both sides.
    if (readLabel(slice, this.#keyBits - depth, this.#sidePath, depth) < this.#keyBits) slice.refAt = 2;
    return augmentation.read(slice);
  }

  #checked(key: Buffer): Buffer {
    if (key.length !== this.#path.length) throw new CellFault('a key of a wrong length');
    return key;
  }
}
