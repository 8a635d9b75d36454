import Type from 'typebox';
import type { CellBag } from '../../chain/boc/cell-bag.ts';
import { CellFault } from '../../chain/boc/cell-fault.ts';
import { readRootBoc } from '../../chain/boc/read-root-boc.ts';
import { decodeBase64 } from '../../chain/stack/input-bytes.ts';
import { Failure } from '../../lib/failure.ts';
import type { ParameterKind } from './kind.ts';
import { type ScalarOptions, scalarParam } from './scalar.ts';

/** What v2 takes too. To hash larger bags would hold up everybody. */
const MAX_CHARS = 1024 * 1024;

const bagKind: ParameterKind<CellBag> = {
  schema: Type.String(),
  convert: (text) => {
    if (text.length > MAX_CHARS) return undefined;
    try {
      const bag = readRootBoc(decodeBase64(text));
      // Only hashes show whether Merkle cells hold what they say.
      bag.hashAll();
      return bag;
    } catch (error) {
      if (error instanceof CellFault || error instanceof Failure) return undefined;
      throw error;
    }
  },
  empty: 'absent',
  refusal: (name) =>
    `failed to decode: schema: error converting value for "${name}": expected a bag of cells in base64`,
};

/** A parameter with one cell and what is below it, as a bag of cells in base64. */
export function bagParam<const O extends ScalarOptions<CellBag>>(options: O) {
  return scalarParam(bagKind, options);
}
