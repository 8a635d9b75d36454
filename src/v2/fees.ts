import Type from 'typebox';
import type { Parameter } from '../http/operation.ts';
import { Int64 } from '../http/serializer.ts';
import { estimateFee as estimate, type FeeEstimate } from '../live/fees.ts';
import {
  CELLS_BODY_BYTES,
  joinCells,
  MESSAGE_BODY_BYTES,
  messageCells,
  messageParts,
  readParts,
  SENDING,
} from './message-parameters.ts';
import { defineV2Operation } from './operation.ts';
import { parseRefusal } from './parameters.ts';
import { TonlibObject } from './shapes.ts';

/** Whether signature checks succeed, by default true; accepts nothing but a JSON boolean. */
function ignoreSignature(): Parameter<boolean> {
  return {
    schema: Type.Boolean({ default: true }),
    description: 'Whether every signature check succeeds.',
    required: false,
    read: (input) => {
      const given = input.values[0] ?? true;
      if (typeof given !== 'boolean') throw parseRefusal(input, 'must be a boolean');
      return given;
    },
  };
}

const Fees = TonlibObject('fees', 'Fees', {
  in_fwd_fee: Int64(),
  storage_fee: Int64(),
  gas_fee: Int64(),
  fwd_fee: Int64(),
});

/** `query.fees`; the fees of receivers are not estimated. */
const QueryFees = TonlibObject('query.fees', 'QueryFees', {
  source_fees: Fees,
  destination_fees: Type.Array(Fees),
});

/** Writes `query.fees`. */
function queryFees({ importFee, storageFee, gasFee, forwardFee }: FeeEstimate) {
  const source_fees = {
    '@type': 'fees' as const,
    in_fwd_fee: importFee,
    storage_fee: storageFee,
    gas_fee: gasFee,
    fwd_fee: forwardFee,
  };
  return { '@type': 'query.fees' as const, source_fees, destination_fees: [] };
}

export const estimateFee = defineV2Operation({
  name: 'estimateFee',
  ...SENDING,
  summary: 'Estimate the fees of an external message',
  description:
    'Runs the contract on the message at the newest block. `gas_fee` and `fwd_fee` are 0 if the contract does not accept the message, for example because of a wrong seqno; `gas_fee` is the minimum if the account cannot pay for any gas. Fees of the receivers of its messages are not estimated.',
  parameters: { ...messageParts(), ignore_chksig: ignoreSignature() },
  maxBodyBytes: MESSAGE_BODY_BYTES,
  ignoreUnknownProperties: true,
  result: QueryFees,
  errors: [{ code: 500, when: 'Invalid bag of cells, or the fees cannot be estimated' }],
  handler: async ({ ignore_chksig: ignoreSignature, ...parts }, call) =>
    queryFees(await estimate(call, { ...readParts(parts), ignoreSignature })),
});

export const estimateFeeSimple = defineV2Operation({
  name: 'estimateFeeSimple',
  ...SENDING,
  summary: 'Estimate the fees of an external message, with cells as objects',
  description: 'Same as estimateFee, with cells as objects. Kept for older clients.',
  parameters: { ...messageCells(), ignore_chksig: ignoreSignature() },
  maxBodyBytes: CELLS_BODY_BYTES,
  result: QueryFees,
  errors: [
    { code: 400, when: 'Invalid cell object' },
    { code: 500, when: 'The fees cannot be estimated' },
  ],
  handler: async ({ ignore_chksig: ignoreSignature, ...parts }, call) =>
    queryFees(await estimate(call, { ...joinCells(parts), ignoreSignature })),
});
