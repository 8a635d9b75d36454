import { Slice } from '../boc/slice.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import { Dictionary } from './dictionary.ts';
import type { DictionaryForm } from './dictionary-form.ts';

/** A public library of the masterchain. */
export interface PublicLibrary {
  readonly library: number;
  /** The root of the set of accounts that publish it; `buildPublishers` makes it. */
  readonly publishers: number;
}

const PUBLISHERS: DictionaryForm<true> = { keyBits: 256, write: () => {} };

/** The public libraries by their hash. */
export const LIBRARIES: DictionaryForm<PublicLibrary> = {
  keyBits: 256,
  write: (builder, { library, publishers }, arena) =>
    // The set of publishers has no cell of its own.
    builder.uint(0b00, 2).ref(library).slice(new Slice(arena, publishers)),
};

/** Makes the set of accounts that publish a library, given by their ids in any order. */
export function buildPublishers(arena: BuildingArena, ids: readonly Buffer[]): number {
  const sorted = [...ids].sort(Buffer.compare);
  return new Dictionary(arena, PUBLISHERS).build(sorted.map((id) => [id, true]));
}
