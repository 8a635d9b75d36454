import type { OperationExample } from '../http/operation.ts';

const [EXTERNAL, NORMALIZED, TRANSACTION, BODY] = [
  'YYXihX8p3Pf5xrtWc0wXgcwVFgRMn6bD7Mr3sxlQZTg=',
  'E1TvTjVBlpI0ZvaqNGm0xXY4hKkh6t5RhNzkJq4o4sU=',
  'gIkGGGf3kFGzLYqWQkSKmm2ST/pHmpzdl2bGjEkUlSc=',
  'lqKW0iTyhcZ77pPDD4owkVfw2qNdxbh+QQt4YwoJz8c=',
];
const ZERO_HASH = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';
const [ALICE, BOB] = ['1', '2'].map((digit) => `0:${digit.repeat(64)}`);
const ENTRY = { user_friendly: null, domain: null, interfaces: [] };
const ADDRESS_INFO = { address_book: { [`${ALICE}`]: ENTRY }, metadata: {} };

const unknownState = (hash: string) => ({
  hash,
  balance: null,
  extra_currencies: null,
  account_status: null,
  frozen_hash: null,
  data_hash: null,
  code_hash: null,
});

/** The predicted transaction of the examples. */
export const PENDING_TRANSACTION_EXAMPLE = {
  account: ALICE,
  hash: TRANSACTION,
  lt: '50000000000003',
  now: 1730000000,
  mc_block_seqno: 41000000,
  trace_external_hash: EXTERNAL,
  prev_trans_hash: ZERO_HASH,
  prev_trans_lt: '0',
  orig_status: 'active',
  end_status: 'active',
  total_fees: '1234567',
  total_fees_extra_currencies: {},
  description: {
    type: 'ord',
    aborted: true,
    destroyed: false,
    credit_first: true,
    is_tock: false,
    installed: false,
    storage_ph: { storage_fees_collected: '12', status_change: 'unchanged' },
    compute_ph: { skipped: true, reason: 'no_gas' },
  },
  block_ref: { workchain: 0, shard: '8000000000000000', seqno: 0 },
  in_msg: {
    hash: EXTERNAL,
    source: null,
    destination: ALICE,
    value: null,
    value_extra_currencies: null,
    fwd_fee: null,
    ihr_fee: null,
    extra_flags: null,
    created_lt: null,
    created_at: null,
    opcode: null,
    decoded_opcode: null,
    ihr_disabled: null,
    bounce: null,
    bounced: null,
    import_fee: '0',
    message_content: { hash: BODY, body: 'te6cckEBAQEAAgAAAEysuc0=', decoded: null },
    init_state: null,
    hash_norm: NORMALIZED,
  },
  out_msgs: [],
  account_state_before: unknownState(NORMALIZED),
  account_state_after: unknownState(BODY),
  emulated: true,
  finality: 'pending',
};

const action = {
  trace_id: null,
  action_id: BODY,
  start_lt: '50000000000003',
  end_lt: '50000000000005',
  start_utime: 1730000000,
  end_utime: 1730000000,
  trace_end_lt: '50000000000005',
  trace_end_utime: 1730000000,
  trace_mc_seqno_end: 41000000,
  transactions: [TRANSACTION],
  success: true,
  type: 'ton_transfer',
  details: {
    source: ALICE,
    destination: BOB,
    value: '1000000',
    value_extra_currencies: {},
    comment: 'hi',
    encrypted: false,
  },
  trace_external_hash: EXTERNAL,
  trace_external_hash_norm: NORMALIZED,
  accounts: [ALICE, BOB],
  finality: 'pending',
};

/** Transactions of an account. */
export const PENDING_TRANSACTIONS_EXAMPLE: OperationExample<never> = {
  title: 'Pending transactions of an account',
  params: { account: [ALICE] },
  varies: true,
  result: { transactions: [PENDING_TRANSACTION_EXAMPLE], address_book: ADDRESS_INFO.address_book },
};

/** A trace whose first transaction is predicted. */
export const PENDING_TRACES_EXAMPLE: OperationExample<never> = {
  title: 'The trace of a message',
  params: { ext_msg_hash: [EXTERNAL] },
  varies: true,
  result: {
    traces: [
      {
        trace_id: null,
        external_hash: EXTERNAL,
        mc_seqno_start: '41000000',
        mc_seqno_end: '41000000',
        start_lt: '50000000000003',
        start_utime: 1730000000,
        end_lt: '50000000000003',
        end_utime: 1730000000,
        trace_info: {
          trace_state: 'pending',
          messages: 1,
          transactions: 1,
          pending_messages: 1,
          classification_state: 'ok',
        },
        is_incomplete: false,
        actions: [action],
        trace: { tx_hash: TRANSACTION, in_msg_hash: EXTERNAL, children: [] },
        transactions_order: [TRANSACTION],
        transactions: { [`${TRANSACTION}`]: PENDING_TRANSACTION_EXAMPLE },
      },
    ],
    ...ADDRESS_INFO,
  },
};

/** Actions of an account. */
export const PENDING_ACTIONS_EXAMPLE: OperationExample<never> = {
  title: 'Pending actions of an account',
  params: { account: ALICE },
  varies: true,
  result: { actions: [action], ...ADDRESS_INFO },
};

/** A request without a filter. */
export const FILTER_REQUIRED_EXAMPLE: OperationExample<never> = {
  title: 'Neither an account nor a message',
  params: {},
  failure: { code: 422, text: 'account or ext_msg_hash should be specified' },
};
