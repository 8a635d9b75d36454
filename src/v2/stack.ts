import type { TSchema } from 'typebox';
import Type from 'typebox';
import { type ClassicEntry, readClassicStack } from '../chain/stack/classic.ts';
import type { StackEntry } from '../chain/stack/entries.ts';
import { readTypedStack, type TypedEntry } from '../chain/stack/typed.ts';
import type { Parameter } from '../http/operation.ts';
import { PlainText } from '../http/serializer.ts';
import { missingRefusal } from './parameters.ts';
import { BocText, TvmCell } from './shapes.ts';

/** Required arguments of a get-method in the classic notation: pairs of type and value. */
export function classicStack(): Parameter<StackEntry[]> {
  const entry = Type.Array(Type.Unknown(), { minItems: 2, maxItems: 2 });
  return stack(
    Type.Array(entry),
    'Arguments, each `[type, value]`: `["num", "0x2a"]`, `["tvm.Cell", "<base64>"]`, `["tvm.Slice", "<base64>"]`, `["tuple", {…}]`, `["list", {…}]`; `[]` for no arguments.',
    readClassicStack,
  );
}

/** Required arguments of a get-method in the typed notation. */
export function typedStack(): Parameter<StackEntry[]> {
  return stack(TypedStack, 'Arguments, each with its `@type`; `[]` for no arguments.', readTypedStack);
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

/** A stack in the classic notation of v2. The serializer has no tuples of different types, so entries are written as they are. */
export const ClassicStack = Type.Unsafe<readonly ClassicEntry[]>(
  Type.Array(Type.Unknown(), {
    description:
      'Entries `["num", "0x2a"]`, `["cell", {"bytes", "object"}]` (slices too), `["tuple", {"@type": "tvm.tuple", "elements"}]`, `["list", {"@type": "tvm.list", "elements"}]` (null is an empty list), `["unsupported", ""]`; elements are typed as in runGetMethodStd.',
  }),
);

/** The elements of a tuple or list: entries of all kinds again, written as they are. */
const Elements = () =>
  Type.Unsafe<readonly TypedEntry[]>(
    Type.Array(Type.Unknown(), { description: 'Nested entries of the same kinds.' }),
  );

const Decimal = Type.Object({
  '@type': Type.Literal('tvm.numberDecimal'),
  number: PlainText({ pattern: '^-?[0-9]+$' }),
});

/** A stack in the typed notation of v2. */
export const TypedStack = Type.Array(
  Type.Union([
    Type.Object({ '@type': Type.Literal('tvm.stackEntryNumber'), number: Decimal }),
    Type.Object({ '@type': Type.Literal('tvm.stackEntryCell'), cell: TvmCell }),
    Type.Object({
      '@type': Type.Literal('tvm.stackEntrySlice'),
      slice: Type.Object({ '@type': Type.Literal('tvm.slice'), bytes: BocText() }),
    }),
    Type.Object({
      '@type': Type.Literal('tvm.stackEntryTuple'),
      tuple: Type.Object({ '@type': Type.Literal('tvm.tuple'), elements: Elements() }),
    }),
    Type.Object({
      '@type': Type.Literal('tvm.stackEntryList'),
      list: Type.Object({ '@type': Type.Literal('tvm.list'), elements: Elements() }),
    }),
    Type.Object({ '@type': Type.Literal('tvm.stackEntryUnsupported') }),
  ]),
);
