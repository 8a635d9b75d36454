import Type from 'typebox';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { Int64 } from '../../http/serializer.ts';
import type { V3Call } from '../call.ts';
import { bagParam } from '../params/bag.ts';
import { booleanParam } from '../params/boolean.ts';
import { refuse } from '../params/kind.ts';
import { anyAddressParam } from './any-address.ts';

const feesSchema = Type.Object({
  in_fwd_fee: Int64(),
  storage_fee: Int64(),
  gas_fee: Int64(),
  fwd_fee: Int64(),
});

const ELECTOR = '-1:3333333333333333333333333333333333333333333333333333333333333333';
const EMPTY_CELL = 'te6cckEBAQEAAgAAAEysuc0=';

/** Estimates what a message from outside would cost. */
export function createEstimateFee(): Operation<V3Call> {
  return defineOperation({
    name: 'estimateFee',
    methods: ['POST'],
    tag: 'api/v2',
    summary: 'Estimate the fees of a message',
    description:
      'Runs the contract on the message at the newest block. `gas_fee` and `fwd_fee` are 0 where the contract does not accept the message. What the receivers of its messages pay is not estimated.',
    parameters: {
      address: anyAddressParam('Account that gets the message.'),
      body: bagParam({ description: 'Body of the message as a bag of cells in base64.', required: true }),
      init_code: bagParam({ description: 'Code of a contract to be deployed, as a bag of cells in base64.' }),
      init_data: bagParam({ description: 'Data of a contract to be deployed; goes with its code.' }),
      ignore_chksig: booleanParam({
        description: 'Whether every check of a signature succeeds in the run.',
        fallback: false,
      }),
    },
    result: Type.Object({ source_fees: feesSchema, destination_fees: Type.Array(feesSchema) }),
    errors: [{ code: 500, when: 'a run that cannot be estimated, with the reason' }],
    cache: 'none',
    examples: [
      {
        title: 'An empty body',
        params: { address: ELECTOR, body: EMPTY_CELL, ignore_chksig: true },
        varies: true,
        result: {
          source_fees: { in_fwd_fee: 1000000, storage_fee: 300, gas_fee: 3308000, fwd_fee: 1000000 },
          destination_fees: [],
        },
      },
      {
        title: 'No account',
        params: { body: EMPTY_CELL },
        failure: { code: 422, text: 'address is required' },
      },
      { title: 'No body', params: { address: ELECTOR }, failure: { code: 422, text: 'body is required' } },
    ],
    handler: async (params, call: V3Call) => {
      const { address: to, body, init_code: code, init_data: data, ignore_chksig: ignoreSignature } = params;
      if (code !== undefined && data === undefined)
        throw refuse('init_data', 'init_data is required with init_code');
      // As in v2, data without code counts as none.
      const init = code && data && { code, data };
      const fees = await call.ports.live.estimateFee({ to, body, init, ignoreSignature }, call);
      return {
        source_fees: {
          in_fwd_fee: fees.importFee,
          storage_fee: fees.storageFee,
          gas_fee: fees.gasFee,
          fwd_fee: fees.forwardFee,
        },
        destination_fees: [],
      };
    },
  });
}
