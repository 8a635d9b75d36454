import type { CellBuilder } from '../boc/cell-builder.ts';
import type { Slice } from '../boc/slice.ts';
import type { BuildingArena } from '../state/building-arena.ts';

/** What dictionaries of one kind have in common: their keys and values, and what their nodes add up. */
export interface DictionaryForm<Value, Extra = undefined> {
  readonly keyBits: number;
  /** Writes a value into its leaf. */
  write(builder: CellBuilder, value: Value, arena: BuildingArena): void;
  /** Augmented dictionaries (HashmapAug) have it. */
  readonly augmentation?: Augmentation<Value, Extra>;
}

/** What the nodes of an augmented dictionary add up. */
export interface Augmentation<Value, Extra> {
  /** What stands for a dictionary without entries. */
  readonly empty: Extra;
  /** The extra of one entry. */
  of(value: Value, arena: BuildingArena): Extra;
  /** The extra of a fork. */
  combine(left: Extra, right: Extra, arena: BuildingArena): Extra;
  read(slice: Slice): Extra;
  write(builder: CellBuilder, extra: Extra): void;
}
