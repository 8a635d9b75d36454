import Type from 'typebox';
import { parseMethodId } from '../chain/contracts/method-ids.ts';
import { formatClassicStack } from '../chain/stack/classic.ts';
import { formatTypedStack } from '../chain/stack/typed.ts';
import { defineOperation, type Parameter } from '../http/operation.ts';
import { Failure } from '../lib/errors.ts';
import { readAccountAt } from '../live/accounts.ts';
import { runGetMethod as run } from '../live/get-methods.ts';
import type { LiveCall } from '../live/session.ts';
import { address, masterchainSeqno } from './chain-parameters.ts';
import { runGetMethodExamples } from './examples/run-get-method.ts';
import { runGetMethodStdExamples } from './examples/run-get-method-std.ts';
import { missingRefusal } from './parameters.ts';
import { BlockIdExt, blockIdExt, TransactionId, transactionId } from './shapes.ts';
import { ClassicStack, classicStack, TypedStack, typedStack } from './stack.ts';

/** A required get-method, read as its id. */
function method(): Parameter<number> {
  return {
    schema: Type.Union([Type.String(), Type.Integer()]),
    description: 'Name or id of the get-method; a text that is a number (`"85143"`, `"0x14c97"`) is an id.',
    required: true,
    read: (input) => {
      const given = input.values[0];
      if (given === undefined || given === null) throw missingRefusal(input);
      return parseMethodId(given);
    },
  };
}

/** Runs a get-method; arguments and result in the classic dialect. */
export const runGetMethod = defineOperation({
  name: 'runGetMethod',
  methods: ['POST'],
  tag: 'get-methods',
  summary: 'Run a get-method',
  description:
    'Runs with at most 4 000 000 gas. A run that fails is answered with its `exit_code` (0 and 1 are success, -13 an account without code). The configuration is always the newest one, also with `seqno`.',
  parameters: { address: address(), method: method(), stack: classicStack(), seqno: masterchainSeqno() },
  ignoreUnknownProperties: true,
  result: Type.Object({
    '@type': Type.Literal('smc.runResult'),
    gas_used: Type.Integer(),
    stack: ClassicStack,
    exit_code: Type.Integer(),
    block_id: BlockIdExt,
    last_transaction_id: TransactionId,
  }),
  errors: [
    { code: 533, when: 'The result is nested too deeply' },
    { code: 542, when: 'An argument is of a type that is not supported' },
  ],
  cache: 'head',
  examples: [
    ...runGetMethodExamples,
    {
      title: 'arguments that are no array',
      params: {
        address: 'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF',
        method: 'active_election_id',
        stack: 'none',
      },
      failure: { code: 422, text: 'Stack should be array' },
    },
    {
      title: 'an argument of a type that cannot be given',
      params: {
        address: 'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF',
        method: 'active_election_id',
        stack: [['tvm.Builder', '']],
      },
      failure: { code: 542, text: 'Unsupported stack entry type: tvm.Builder' },
    },
  ],
  handler: async ({ address, method, stack, seqno }, call: LiveCall) => {
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

/** Runs a get-method; arguments and result in the typed dialect, and a run that fails is an error. */
export const runGetMethodStd = defineOperation({
  name: 'runGetMethodStd',
  methods: ['POST'],
  tag: 'get-methods',
  summary: 'Run a get-method, with typed arguments and result',
  description:
    'Runs with at most 4 000 000 gas. Every exit code but 0 is an error, also 1, which TVM counts as a success. The configuration is always the newest one, also with `seqno`.',
  parameters: { address: address(), method: method(), stack: typedStack(), seqno: masterchainSeqno() },
  result: Type.Object({
    '@type': Type.Literal('smc.runResult'),
    gas_used: Type.Integer(),
    stack: TypedStack,
    exit_code: Type.Integer(),
  }),
  errors: [
    { code: 500, when: 'The run did not end with exit code 0, or a lite server failed' },
    { code: 533, when: 'The result is nested too deeply' },
  ],
  cache: 'head',
  examples: [
    ...runGetMethodStdExamples,
    {
      title: 'arguments that are no array',
      params: {
        address: 'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF',
        method: 'active_election_id',
        stack: {},
      },
      failure: { code: 422, text: 'Stack should be array' },
    },
  ],
  handler: async ({ address, method, stack, seqno }, call: LiveCall) => {
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
