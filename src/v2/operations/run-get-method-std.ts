import Type from 'typebox';
import { formatTypedStack } from '../../chain/stack/typed-output.ts';
import { defineOperation } from '../../http/operation.ts';
import { Failure } from '../../lib/failure.ts';
import type { V2Call } from '../call.ts';
import { runGetMethodStdExamples } from '../examples/run-get-method-std.ts';
import { address } from '../params/address.ts';
import { masterchainSeqno } from '../params/masterchain-seqno.ts';
import { method } from '../params/method.ts';
import { typedStack } from '../params/stack.ts';
import { readAccountAt } from '../reads/account-at.ts';
import { runGetMethod } from '../reads/run-get-method.ts';
import { TypedStack } from '../shapes/typed-stack.ts';

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
  handler: async ({ address, method, stack, seqno }, call: V2Call) => {
    const at = await readAccountAt(call, address, seqno);
    const { exitCode, gasUsed, stack: result } = await runGetMethod(call, at, method, stack);
    if (exitCode !== 0) throw new Failure('lite_server', `Exit code ${exitCode} != 0`);
    return {
      '@type': 'smc.runResult' as const,
      gas_used: gasUsed,
      stack: formatTypedStack(result),
      exit_code: exitCode,
    };
  },
});
