import type { OperationError, OperationExample } from '../../http/operation.ts';

const TRACE = 'gIkGGGf3kFGzLYqWQkSKmm2ST/pHmpzdl2bGjEkUlSc=';

/** The refusal of a masterchain block that is not in the index. */
export const NO_BLOCK: OperationError = { code: 404, when: 'The masterchain block is not in the index' };

/** A call for one trace; the answer has it under the given name. */
export function traceExample<K extends string>(name: K): OperationExample<never> {
  const trace = {
    trace_id: TRACE,
    external_hash: 'YYXihX8p3Pf5xrtWc0wXgcwVFgRMn6bD7Mr3sxlQZTg=',
    mc_seqno_start: '41000000',
    mc_seqno_end: '41000321',
    start_lt: '50000000000001',
    start_utime: 1730000000,
    end_lt: '50000300000005',
    end_utime: 1730000900,
    trace_info: {
      trace_state: 'complete',
      messages: 9213,
      transactions: 4607,
      pending_messages: 0,
      classification_state: 'unclassified',
    },
    is_incomplete: true,
    warning: 'trace is too large',
    actions: [],
  };
  return {
    title: 'A trace with more transactions than are shown',
    params: { trace_id: [TRACE], include_actions: true },
    varies: true,
    result: { [name]: [trace], address_book: {}, metadata: {} },
  };
}

/** Calls that are refused. */
export const TRACE_REFUSALS: readonly OperationExample<never>[] = [
  {
    title: 'A transaction and a message',
    params: { tx_hash: [TRACE], msg_hash: [TRACE] },
    failure: { code: 422, text: 'only one of account, trace_id, tx_hash, msg_hash should be specified' },
  },
  {
    title: 'A block that is not there',
    params: { mc_seqno: 2147483647 },
    failure: { code: 404, text: 'masterchain block 2147483647 not found' },
  },
];
