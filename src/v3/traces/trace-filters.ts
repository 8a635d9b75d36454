import type { TraceHashes } from '../../db/queries/trace-ids.ts';
import type { TraceFilters } from '../../db/queries/trace-order.ts';
import type { ParameterValues } from '../../http/operation.ts';
import { toAccountBytes } from '../account-bytes.ts';
import { addressParam } from '../params/address.ts';
import { hashKind } from '../params/hash.ts';
import { int32Param } from '../params/int32.ts';
import { refuse } from '../params/kind.ts';
import { listParam } from '../params/list.ts';
import { spanParams, toSpan } from '../span.ts';

const MAX_HASHES = 1000;
const ONE_OF = 'only one of account, trace_id, tx_hash, msg_hash should be specified';

/** The parameters that choose traces. */
export function traceFilterParams() {
  return {
    account: addressParam({ description: 'An account that has a transaction in the trace.' }),
    trace_id: listParam(hashKind, { description: 'Ids of traces.', max: MAX_HASHES }),
    tx_hash: listParam(hashKind, { description: 'Hashes of transactions in the trace.', max: MAX_HASHES }),
    msg_hash: listParam(hashKind, {
      description: 'Hashes of messages in the trace, normalized or not.',
      max: MAX_HASHES,
    }),
    mc_seqno: int32Param({ description: 'The masterchain block in which the trace ended.' }),
    ...spanParams({ utime: 'Time of the last transaction', lt: 'Greatest logical time of a transaction' }),
  };
}

/** What a request wants of traces. */
export function toTraceFilters(params: ParameterValues<ReturnType<typeof traceFilterParams>>): TraceFilters {
  const lists: readonly TraceHashes[] = [
    { of: 'traces', values: params.trace_id },
    { of: 'transactions', values: params.tx_hash },
    { of: 'messages', values: params.msg_hash },
  ];
  const [hashes, ...others] = lists.filter(({ values }) => values.length > 0);
  if (others.length > 0 || (hashes && params.account)) throw refuse('account', ONE_OF);
  return {
    account: params.account && toAccountBytes(params.account),
    hashes,
    mcSeqno: params.mc_seqno,
    span: toSpan(params),
  };
}
