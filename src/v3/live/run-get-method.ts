import Type from 'typebox';
import { readMethodId } from '../../chain/stack/method-id.ts';
import { formatV3Stack, type V3Entry } from '../../chain/stack/v3-output.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import type { V3Call } from '../call.ts';
import { plainStringParam } from '../params/plain-string.ts';
import { anyAddressParam } from './any-address.ts';
import { asServerFault } from './as-server-fault.ts';
import { stackParam } from './stack-param.ts';

const ELECTOR = '-1:3333333333333333333333333333333333333333333333333333333333333333';

/** Entries hold entries again, so they are written as they are. */
const stackSchema = Type.Unsafe<readonly V3Entry[]>(
  Type.Array(Type.Unknown(), {
    description:
      'Entries `{"type", "value"}`: `num` in hex (`0x…`, `-0x…`), `cell` and `slice` as a bag of cells in base64, `tuple` and `list` as an array of entries.',
  }),
);

/** Runs a get-method of a contract as it is now. */
export function createRunGetMethod(): Operation<V3Call> {
  return defineOperation({
    name: 'runGetMethod',
    methods: ['POST'],
    tag: 'api/v2',
    summary: 'Run a get-method',
    description:
      'Runs on the newest state that lite servers know, which the index may not have yet, with at most 4 000 000 gas. A method that fails is told by `exit_code`.',
    parameters: {
      address: anyAddressParam('The contract.'),
      method: plainStringParam({
        description: 'Name of the get-method; a text that is a number (`"85143"`, `"0x14c97"`) is its id.',
        required: true,
      }),
      stack: stackParam(),
    },
    result: Type.Object({ gas_used: Type.Integer(), exit_code: Type.Integer(), stack: stackSchema }),
    errors: [
      { code: 500, when: 'A lite server failed' },
      { code: 501, when: 'The result has a value that cannot be shown' },
    ],
    cache: 'none',
    examples: [
      {
        title: 'A method without arguments',
        params: { address: ELECTOR, method: 'active_election_id' },
        varies: true,
        result: { gas_used: 1015, exit_code: 0, stack: [{ type: 'num', value: '0x0' }] },
      },
      {
        title: 'No contract',
        params: { method: 'seqno' },
        failure: { code: 422, text: 'address is required' },
      },
      {
        title: 'No method',
        params: { address: ELECTOR, method: '' },
        failure: { code: 422, text: 'method is required' },
      },
      {
        title: 'An argument of another type',
        params: { address: ELECTOR, method: 'seqno', stack: [{ type: 'tuple', value: [] }] },
        failure: { code: 422, text: 'unsupported stack parameter type: tuple' },
      },
    ],
    handler: async ({ address: account, method, stack }, call: V3Call) => {
      const run = { account, methodId: readMethodId(method), stack };
      const {
        gasUsed,
        exitCode,
        stack: result,
      } = await asServerFault(call.ports.live.runGetMethod(run, call));
      return { gas_used: gasUsed, exit_code: exitCode, stack: formatV3Stack(result) };
    },
  });
}
