import { CellBuilder } from '../boc/cell-builder.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import type { Validator, ValidatorSet } from '../tlb/validator-set.ts';
import { Dictionary } from './dictionary.ts';
import type { DictionaryForm } from './dictionary-form.ts';
import { indexKey } from './index-key.ts';

const VALIDATOR_SET_WITH_WEIGHT = 0x12;
const VALIDATOR = 0x53;
const VALIDATOR_WITH_ADNL = 0x73;
const PUBLIC_KEY = 0x8e81278a;

const VALIDATORS: DictionaryForm<Validator> = {
  keyBits: 16,
  write(builder, { publicKey, weight, adnlAddress }) {
    const hasAddress = adnlAddress.some((byte) => byte !== 0);
    builder.uint(hasAddress ? VALIDATOR_WITH_ADNL : VALIDATOR, 8);
    builder.uint(PUBLIC_KEY, 32).hash(publicKey).uint64(weight);
    if (hasAddress) builder.hash(adnlAddress);
  },
};

/** Makes the cell of a ValidatorSet with its total weight. */
export function buildValidatorSet(arena: BuildingArena, set: ValidatorSet): number {
  const { since, until, main, validators, totalWeight } = set;
  const list = new Dictionary(arena, VALIDATORS).build(
    validators.map((validator, i) => [indexKey(i), validator]),
  );
  const builder = new CellBuilder().uint(VALIDATOR_SET_WITH_WEIGHT, 8).uint(since, 32).uint(until, 32);
  builder.uint(validators.length, 16).uint(main, 16).uint64(totalWeight).maybeRef(list);
  return arena.build(builder);
}
