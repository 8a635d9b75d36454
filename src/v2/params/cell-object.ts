import Type from 'typebox';
import type { CellBag } from '../../chain/boc/cell-bag.ts';
import { readCellObject } from '../../chain/stack/input-cell-object.ts';
import type { Parameter, ParameterInput } from '../../http/operation.ts';
import { Failure } from '../../lib/failure.ts';
import { missingRefusal } from './refusal.ts';

const SCHEMA = Type.Object({
  data: Type.Object({ b64: Type.String(), len: Type.Integer({ minimum: 0, maximum: 1023 }) }),
  refs: Type.Array(Type.Object({}), { maxItems: 4 }),
  special: Type.Optional(Type.Boolean({ default: false })),
});

const REFUSAL = 'Error while parsing cell object';

/** A required cell that is spelled out with everything below it. */
export function cellObject({
  description,
  refusal = REFUSAL,
}: {
  readonly description: string;
  readonly refusal?: string;
}): Parameter<CellBag> {
  return {
    schema: SCHEMA,
    description,
    required: true,
    read: (input) => {
      const cell = readCell(input, refusal);
      if (cell === undefined) throw missingRefusal(input);
      return cell;
    },
  };
}

/** An optional cell that is spelled out with everything below it. */
export function optionalCellObject(description: string): Parameter<CellBag | undefined> {
  return { schema: SCHEMA, description, required: false, read: (input) => readCell(input, REFUSAL) };
}

function readCell({ name, values: [given] }: ParameterInput, refusal: string): CellBag | undefined {
  if (given === undefined || given === null || given === '') return undefined;
  const bag = readCellObject(given);
  // What is left out of a proof is no message, and no part of one.
  if (bag === undefined || bag.levelMask(bag.root) !== 0)
    throw new Failure('bad_request', refusal, { details: { parameter: name } });
  return bag;
}
