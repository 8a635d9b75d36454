import { expect } from 'vitest';
import type { BuildingArena } from '../../../src/chain/state/building-arena.ts';
import { configParam, configParams } from '../../../src/chain/tlb/config.ts';
import { readValidatorSet } from '../../../src/chain/tlb/validator-set.ts';
import { CONFIG, configKey } from '../../../src/chain/tlb-write/config.ts';
import { Dictionary } from '../../../src/chain/tlb-write/dictionary.ts';
import type { DictionaryForm } from '../../../src/chain/tlb-write/dictionary-form.ts';
import { buildValidatorSet } from '../../../src/chain/tlb-write/validator-set.ts';

const VALIDATOR_SET_PARAMS = [32, 33, 34, 35, 36, 37];

/** What is read in an arena and written again in it: equal cells have equal numbers there. */
export interface Rewriter {
  readonly arena: BuildingArena;
  /** How many there were of each kind. */
  readonly counts: Record<string, number>;
  count(kind: string): void;
  /** Checks that what was written is what was read; gives it. */
  same(name: string, read: number, written: number): number;
  /** Makes a dictionary of sorted entries at once, and for small ones checks that one by one gives the same. */
  dictionary<Value, Extra>(
    name: string,
    form: DictionaryForm<Value, Extra>,
    entries: readonly (readonly [Buffer, Value])[],
  ): number;
  /** Makes a configuration again, with the validator sets in it. */
  config(root: number): number;
}

const SMALL = 60;

/** Makes a rewriter over an arena. */
export function createRewriter(arena: BuildingArena): Rewriter {
  const counts: Record<string, number> = {};
  const count = (kind: string): void => {
    counts[kind] = (counts[kind] ?? 0) + 1;
  };
  const same: Rewriter['same'] = (name, read, written) => {
    count(name);
    if (written !== read) expect.fail(`${name} is written in another way than it was`);
    return written;
  };
  const dictionary: Rewriter['dictionary'] = (name, form, entries) => {
    const all = new Dictionary(arena, form);
    const root = all.build(entries);
    if (entries.length > SMALL) return root;
    let grown = -1;
    for (const [key, value] of entries.toReversed()) grown = all.set(grown, key, value);
    return same(`${name} one by one`, root, grown);
  };
  const config = (root: number): number => {
    for (const index of VALIDATOR_SET_PARAMS) {
      const cell = configParam(arena, root, index);
      if (cell >= 0) same('validator set', cell, buildValidatorSet(arena, readValidatorSet(arena, cell)));
    }
    const params = configParams(arena, root).map(({ index, cell }) => [configKey(index), cell] as const);
    return same('config', root, dictionary('config', CONFIG, params));
  };
  return { arena, counts, count, same, dictionary, config };
}
