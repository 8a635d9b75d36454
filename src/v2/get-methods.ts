import Type from 'typebox';
import { parseMethodId } from '../chain/contracts/method-ids.ts';
import { formatClassicStack } from '../chain/stack/classic.ts';
import { formatTypedStack } from '../chain/stack/typed.ts';
import type { Parameter } from '../http/operation.ts';
import { Failure } from '../lib/errors.ts';
import { readAccountAt } from '../live/accounts.ts';
import { runGetMethod as run } from '../live/get-methods.ts';
import { admitGetMethod } from '../live/vm-time.ts';
import { address, masterchainSeqno } from './chain-parameters.ts';
import { defineV2Operation } from './operation.ts';
import { missingRefusal } from './parameters.ts';
import { BlockIdExt, blockIdExt, TonlibObject, TransactionId, transactionId } from './shapes.ts';
import { ClassicStack, classicStack, TypedStack, typedStack } from './stack.ts';

/** Lite servers take 64 kB of arguments, which are longer in base64 and longest as objects. */
const STACK_BODY_BYTES = 256 * 1024;

/** A required get-method, read as its id. */
function method(): Parameter<number> {
  return {
    schema: Type.Union([Type.String(), Type.Integer()]),
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
