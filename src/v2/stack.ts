import type { TSchema } from 'typebox';
import Type from 'typebox';
import { type ClassicEntry, readClassicStack } from '../chain/stack/classic.ts';
import type { StackEntry } from '../chain/stack/entries.ts';
import { readTypedStack, type TypedEntry } from '../chain/stack/typed.ts';
import { ShownAs, schemaRef } from '../http/named-schemas.ts';
import type { Parameter } from '../http/operation.ts';
import { PlainText } from '../http/serializer.ts';
import { missingRefusal } from './parameters.ts';
import { BocText, TonlibObject, TvmCell } from './shapes.ts';

/** Required arguments of a get-method in the classic notation: pairs of type and value. */
export function classicStack(): Parameter<StackEntry[]> {
  return stack(
    Type.Array(ShownAs(Type.Array(Type.Unknown(), { minItems: 2, maxItems: 2 }), ClassicArgument)),
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

/** The elements of a tuple or list: entries of all kinds again, written as they are. */
const Elements = () =>
  ShownAs(Type.Unsafe<readonly TypedEntry[]>(Type.Array(Type.Unknown())), {
    type: 'array',
    items: schemaRef('TvmStackEntry'),
  });

const Decimal = TonlibObject('tvm.numberDecimal', 'TvmNumberDecimal', {
  number: PlainText({ pattern: '^-?[0-9]+$' }),
});

const TvmSlice = TonlibObject('tvm.slice', 'TvmSlice', { bytes: BocText() });

const TvmTuple = TonlibObject('tvm.tuple', 'TvmTuple', { elements: Elements() });

const TvmList = TonlibObject('tvm.list', 'TvmList', { elements: Elements() });

const TypedEntrySchema = Type.Union(
  [
    TonlibObject('tvm.stackEntryNumber', 'TvmStackEntryNumber', { number: Decimal }),
    TonlibObject('tvm.stackEntryCell', 'TvmStackEntryCell', { cell: TvmCell }),
    TonlibObject('tvm.stackEntrySlice', 'TvmStackEntrySlice', { slice: TvmSlice }),
    TonlibObject('tvm.stackEntryTuple', 'TvmStackEntryTuple', { tuple: TvmTuple }),
    TonlibObject('tvm.stackEntryList', 'TvmStackEntryList', { list: TvmList }),
    TonlibObject('tvm.stackEntryUnsupported', 'TvmStackEntryUnsupported', {}),
  ],
  { title: 'TvmStackEntry' },
);

/** A stack in the typed notation of v2. */
export const TypedStack = Type.Array(TypedEntrySchema);

/** A pair of type and value. */
function pair(type: object, value: object) {
  return { type: 'array', prefixItems: [type, value], items: {}, minItems: 2, maxItems: 2 };
}

const LegacyTvmCell = Type.Object(
  {
    data: Type.Object({ b64: BocText(), len: Type.Integer() }),
    refs: Type.Array(ShownAs(Type.Object({}), schemaRef('LegacyTvmCell')), { maxItems: 4 }),
    special: Type.Boolean(),
  },
  { title: 'LegacyTvmCell' },
);

const LegacyStackEntryCell = Type.Object(
  { bytes: BocText(), object: LegacyTvmCell },
  { title: 'LegacyStackEntryCell', description: 'A cell or a slice.' },
);

/** An entry of a result in the classic notation. */
const ClassicResult = {
  title: 'LegacyStackEntry',
  oneOf: [
    pair(Type.Literal('num'), PlainText({ pattern: '^-?0x[0-9a-f]+$' })),
    pair(Type.Literal('cell'), LegacyStackEntryCell),
    pair(Type.Literal('tuple'), TvmTuple),
    pair(Type.Literal('list'), TvmList),
    pair(Type.Literal('unsupported'), Type.Literal('')),
  ],
};

/** An argument in the classic notation. */
const ClassicArgument = {
  title: 'LegacyStackEntryInput',
  oneOf: [
    pair(Type.Enum(['num', 'int', 'number', 'integer']), { type: ['string', 'integer'] }),
    pair(Type.Enum(['tvm.Cell', 'tvm.Slice']), Type.String({ description: 'A bag of cells in base64.' })),
    pair(Type.Enum(['cell', 'slice']), {
      anyOf: [Type.Object({ bytes: Type.String() }), schemaRef('LegacyTvmCell'), Type.String()],
    }),
    pair(Type.Enum(['tuple', 'tvm.Tuple']), { anyOf: [TvmTuple, schemaRef('TvmStackEntryTuple')] }),
    pair(Type.Enum(['list', 'tvm.List']), { anyOf: [TvmList, schemaRef('TvmStackEntryList')] }),
  ],
};

/** A stack in the classic notation of v2. The serializer has no tuples of different types, so entries are written as they are. */
export const ClassicStack = Type.Unsafe<readonly ClassicEntry[]>(
  ShownAs(Type.Array(Type.Unknown()), {
    type: 'array',
    items: ClassicResult,
    description:
      'Entries `["num", "0x2a"]`, `["cell", {"bytes", "object"}]` (slices too), `["tuple", {"@type": "tvm.tuple", "elements"}]`, `["list", {"@type": "tvm.list", "elements"}]` (null is an empty list), `["unsupported", ""]`; elements are typed as in runGetMethodStd.',
  }),
);
