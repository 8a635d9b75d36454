import Type from 'typebox';
import { formatClassicStack } from '../../chain/stack/classic-output.ts';
import { defineOperation } from '../../http/operation.ts';
import type { V2Call } from '../call.ts';
import { runGetMethodExamples } from '../examples/run-get-method.ts';
import { address } from '../params/address.ts';
import { masterchainSeqno } from '../params/masterchain-seqno.ts';
import { method } from '../params/method.ts';
import { classicStack } from '../params/stack.ts';
import { readAccountAt } from '../reads/account-at.ts';
import { runGetMethod as run } from '../reads/run-get-method.ts';
import { BlockIdExt, blockIdExt } from '../shapes/block-id.ts';
import { ClassicStack } from '../shapes/classic-stack.ts';
import { TransactionId, transactionId } from '../shapes/transaction-id.ts';

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
  handler: async ({ address, method, stack, seqno }, call: V2Call) => {
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
