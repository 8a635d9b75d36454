import Type from 'typebox';
import { Int64 } from '../../http/serializer.ts';
import type { FeeEstimate } from '../reads/estimate-fee.ts';

const Fees = Type.Object({
  '@type': Type.Literal('fees'),
  in_fwd_fee: Int64(),
  storage_fee: Int64(),
  gas_fee: Int64(),
  fwd_fee: Int64(),
});

/** `query.fees`; the fees of destinations are not estimated. */
export const QueryFees = Type.Object({
  '@type': Type.Literal('query.fees'),
  source_fees: Fees,
  destination_fees: Type.Array(Fees),
});

/** Writes `query.fees`. */
export function queryFees({ importFee, storageFee, gasFee, forwardFee }: FeeEstimate) {
  const source_fees = {
    '@type': 'fees' as const,
    in_fwd_fee: importFee,
    storage_fee: storageFee,
    gas_fee: gasFee,
    fwd_fee: forwardFee,
  };
  return { '@type': 'query.fees' as const, source_fees, destination_fees: [] };
}
