import Type, { type TSchema } from 'typebox';
import { readClassicStack } from '../../chain/stack/classic-input.ts';
import type { StackEntry } from '../../chain/stack/stack-entry.ts';
import { readTypedStack } from '../../chain/stack/typed-input.ts';
import type { Parameter } from '../../http/operation.ts';
import { TypedStack } from '../shapes/typed-stack.ts';
import { missingRefusal } from './refusal.ts';

/** Required arguments of a get-method in the classic dialect: pairs of a type and a value. */
export function classicStack(): Parameter<StackEntry[]> {
  const entry = Type.Array(Type.Unknown(), { minItems: 2, maxItems: 2 });
  return stack(
    Type.Array(entry),
    'Arguments, each `[type, value]`: `["num", "0x2a"]`, `["tvm.Cell", "<base64>"]`, `["tvm.Slice", "<base64>"]`, `["tuple", {…}]`, `["list", {…}]`; `[]` for none.',
    readClassicStack,
  );
}

/** Required arguments of a get-method in the typed dialect. */
export function typedStack(): Parameter<StackEntry[]> {
  return stack(TypedStack, 'Arguments, each with its `@type`; `[]` for none.', readTypedStack);
}

function stack(
  schema: TSchema,
  description: string,
  read: (given: unknown) => StackEntry[],
): Parameter<StackEntry[]> {
  return {
    schema,
    description,
    required: true,
    read: (input) => {
      const given = input.values[0];
      if (given === undefined || given === null) throw missingRefusal(input);
      return read(given);
    },
  };
}
