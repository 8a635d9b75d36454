import Type from 'typebox';
import { defineOperation, type Parameter } from '../http/operation.ts';
import { Int64 } from '../http/serializer.ts';
import { estimateFee as estimate, type FeeEstimate } from '../live/fees.ts';
import type { LiveCall } from '../live/session.ts';
import { address, requireFriendlyForm } from './chain-parameters.ts';
import { estimateFeeExamples } from './examples/estimate-fee.ts';
import { estimateFeeSimpleExamples } from './examples/estimate-fee-simple.ts';
import { cellObject, optionalCellObject, readBag, readStateInit, stateInit } from './message-parameters.ts';
import { bytes, optionalBytes, parseRefusal } from './parameters.ts';

/** Whether checks of signatures succeed, which they do unless told otherwise; nothing but a JSON boolean will do. */
function ignoreSignature(): Parameter<boolean> {
  return {
    schema: Type.Boolean({ default: true }),
    description: 'Whether every check of a signature succeeds in the run.',
    required: false,
    read: (input) => {
      const given = input.values[0] ?? true;
      if (typeof given !== 'boolean') throw parseRefusal(input, 'must be a boolean');
      return given;
    },
  };
}

const Fees = Type.Object({
  '@type': Type.Literal('fees'),
  in_fwd_fee: Int64(),
  storage_fee: Int64(),
  gas_fee: Int64(),
  fwd_fee: Int64(),
});

/** `query.fees`; the fees of destinations are not estimated. */
const QueryFees = Type.Object({
  '@type': Type.Literal('query.fees'),
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

/** Estimates what a message from outside would cost. */
export const estimateFee = defineOperation({
  name: 'estimateFee',
  methods: ['POST'],
  tag: 'send',
  summary: 'Estimate the fees of a message',
  description:
    'Runs the contract on the message at the newest block. `gas_fee` and `fwd_fee` are 0 where the contract does not accept the message, as with a wrong seqno; `gas_fee` is the least there is where the account could not pay for any gas. What the receivers of its messages pay is not estimated.',
  parameters: {
    address: address('Address of the account that gets the message.'),
    body: bytes({ description: 'Body of the message as a bag of cells in base64.' }),
    init_code: optionalBytes('Code of a contract to be deployed, as a bag of cells in base64.'),
    init_data: optionalBytes('Data of a contract to be deployed; goes with its code.'),
    ignore_chksig: ignoreSignature(),
  },
  ignoreUnknownProperties: true,
  result: QueryFees,
  errors: [{ code: 500, when: 'no bag of cells, or a run that cannot be estimated, with the reason' }],
  cache: 'none',
  examples: [
    ...estimateFeeExamples,
    {
      title: 'a body that is not a bag of cells',
      params: { address: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N', body: 'AAAA' },
      failure: {
        code: 500,
        text: 'INVALID_BAG_OF_CELLS: bodycannot deserialize bag-of-cells: not enough bytes (3 present, 10 required)',
      },
    },
  ],
  handler: async ({ address, body, init_code, init_data, ignore_chksig }, call: LiveCall) => {
    requireFriendlyForm(address);
    const init = readStateInit(init_code, init_data);
    const question = { to: address, body: readBag('body', body), init, ignoreSignature: ignore_chksig };
    return queryFees(await estimate(call, question));
  },
});

/** Estimates what a message from outside would cost; its cells are spelled out. */
export const estimateFeeSimple = defineOperation({
  name: 'estimateFeeSimple',
  methods: ['POST'],
  tag: 'send',
  summary: 'Estimate the fees of a message that is spelled out',
  description: 'As estimateFee, with cells as objects. Older clients call it.',
  parameters: {
    address: address('Address of the account that gets the message.'),
    body: cellObject({ description: 'Body of the message.' }),
    init_code: optionalCellObject('Code of a contract to be deployed.'),
    init_data: optionalCellObject('Data of a contract to be deployed; goes with its code.'),
    ignore_chksig: ignoreSignature(),
  },
  result: QueryFees,
  errors: [
    { code: 400, when: 'a cell object that is none' },
    { code: 500, when: 'a run that cannot be estimated, with the reason' },
  ],
  cache: 'none',
  examples: [
    ...estimateFeeSimpleExamples,
    {
      title: 'a body that is no cell',
      params: { address: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N', body: { data: 'te6cck' } },
      failure: { code: 400, text: 'Error while parsing cell object' },
    },
  ],
  handler: async ({ address, body, init_code, init_data, ignore_chksig }, call: LiveCall) => {
    requireFriendlyForm(address);
    const init = stateInit(init_code, init_data);
    return queryFees(await estimate(call, { to: address, body, init, ignoreSignature: ignore_chksig }));
  },
});
