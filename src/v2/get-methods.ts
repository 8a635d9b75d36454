import type { TSchema } from 'typebox';
import Type from 'typebox';
import { MAX_METHOD_ID, MIN_METHOD_ID, parseMethodId } from '../chain/contracts/method-ids.ts';
import { type ClassicEntry, formatClassicStack, readClassicStack } from '../chain/stack/classic.ts';
import type { StackEntry } from '../chain/stack/entries.ts';
import { formatTypedStack, readTypedStack, type TypedEntry } from '../chain/stack/typed.ts';
import { ShownAs, schemaRef } from '../http/named-schemas.ts';
import type { Parameter } from '../http/operation.ts';
import { PlainText } from '../http/serializer.ts';
import { Failure } from '../lib/errors.ts';
import { readAccountAt } from '../live/accounts.ts';
import { admitGetMethod, runGetMethod as run } from '../live/get-methods.ts';
import { defineV2Operation } from './operation.ts';
import { address, masterchainSeqno, missingRefusal } from './parameters.ts';
import {
  BlockIdExt,
  BocText,
  blockIdExt,
  TonlibObject,
  TransactionId,
  TvmCell,
  transactionId,
} from './shapes.ts';

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

export const TypedStack = Type.Array(TypedEntrySchema);

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

/** Lite servers take 64 kB of arguments, which are longer in base64 and longest as objects. */
const STACK_BODY_BYTES = 256 * 1024;

function method(): Parameter<number> {
  return {
    schema: Type.Union([Type.String(), Type.Integer({ minimum: MIN_METHOD_ID, maximum: MAX_METHOD_ID })]),
    description: 'Name or id of the get-method; a numeric string (`"85143"`, `"0x14c97"`) is an id.',
    required: true,
    read: (input) => {
      const given = input.values[0];
      if (given === undefined || given === null) throw missingRefusal(input);
      return parseMethodId(given);
    },
  };
}

export const runGetMethod = defineV2Operation({
  name: 'runGetMethod',
  methods: ['POST'],
  tag: 'get-methods',
  summary: 'Run a get-method',
  description:
    'The gas limit is 4 000 000. A failed run is returned with its `exit_code` (0 and 1 are success, -13 is an account without code). The config is always the newest one, even with `seqno`.',
  parameters: { address: address(), method: method(), stack: classicStack(), seqno: masterchainSeqno() },
  maxBodyBytes: STACK_BODY_BYTES,
  ignoreUnknownProperties: true,
  result: TonlibObject('smc.runResult', 'RunGetMethodResult', {
    gas_used: Type.Integer(),
    stack: ClassicStack,
    exit_code: Type.Integer(),
    block_id: BlockIdExt,
    last_transaction_id: TransactionId,
  }),
  errors: [
    { code: 533, when: 'The result is nested too deeply' },
    { code: 542, when: 'An argument has an unsupported type' },
  ],
  cache: 'head',
  handler: async ({ address, method, stack, seqno }, call) => {
    admitGetMethod(call);
    const at = await readAccountAt(call, address, seqno);
    const { exitCode, gasUsed, stack: result } = await run(call, at, method, stack);
    return {
      '@type': 'smc.runResult' as const,
      gas_used: gasUsed,
      stack: formatClassicStack(result),
      exit_code: exitCode,
      block_id: blockIdExt(at.block),
      last_transaction_id: transactionId(at.proven.lastTransLt, at.proven.lastTransHash),
    };
  },
});

export const runGetMethodStd = defineV2Operation({
  name: 'runGetMethodStd',
  methods: ['POST'],
  tag: 'get-methods',
  summary: 'Run a get-method, with typed arguments and result',
  description:
    'The gas limit is 4 000 000. Every exit code but 0 is an error, even 1, which TVM counts as success. The config is always the newest one, even with `seqno`.',
  parameters: { address: address(), method: method(), stack: typedStack(), seqno: masterchainSeqno() },
  maxBodyBytes: STACK_BODY_BYTES,
  result: TonlibObject('smc.runResult', 'RunGetMethodStdResult', {
    gas_used: Type.Integer(),
    stack: TypedStack,
    exit_code: Type.Integer(),
  }),
  errors: [
    { code: 500, when: 'The exit code is not 0, or a lite server failed' },
    { code: 533, when: 'The result is nested too deeply' },
  ],
  cache: 'head',
  handler: async ({ address, method, stack, seqno }, call) => {
    admitGetMethod(call);
    const at = await readAccountAt(call, address, seqno);
    const { exitCode, gasUsed, stack: result } = await run(call, at, method, stack);
    if (exitCode !== 0) throw new Failure('lite_server', `Exit code ${exitCode} != 0`);
    return {
      '@type': 'smc.runResult' as const,
      gas_used: gasUsed,
      stack: formatTypedStack(result),
      exit_code: exitCode,
    };
  },
});
