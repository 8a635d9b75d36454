import type { OperationExample } from '../../http/operation.ts';

const [ACTION, TRACE] = [
  'gIkGGGf3kFGzLYqWQkSKmm2ST/pHmpzdl2bGjEkUlSc=',
  'YYXihX8p3Pf5xrtWc0wXgcwVFgRMn6bD7Mr3sxlQZTg=',
];
const [ALICE, BOB] = ['1', '2'].map((digit) => `0:${digit.repeat(64)}`);
const [JETTON, SENDING, RECEIVING] = ['A', 'B', 'C'].map((digit) => `0:${digit.repeat(64)}`);

const entry = { user_friendly: null, domain: null, interfaces: [] };

/** A call for one action, and calls that are refused. */
export const ACTION_EXAMPLES: readonly OperationExample<never>[] = [
  {
    title: 'A transfer of jettons',
    params: { action_id: [ACTION], include_accounts: true },
    varies: true,
    result: {
      actions: [
        {
          trace_id: TRACE,
          action_id: ACTION,
          start_lt: '50000000000002',
          end_lt: '50000000000007',
          start_utime: 1730000000,
          end_utime: 1730000008,
          trace_end_lt: '50000000000009',
          trace_end_utime: 1730000010,
          trace_mc_seqno_end: 41000003,
          transactions: [TRACE],
          success: true,
          type: 'jetton_transfer',
          details: {
            asset: JETTON,
            sender: ALICE,
            receiver: BOB,
            sender_jetton_wallet: SENDING,
            receiver_jetton_wallet: RECEIVING,
            amount: '1000000',
            comment: 'for lunch',
            is_encrypted_comment: false,
            query_id: '0',
            response_destination: ALICE,
            custom_payload: null,
            forward_payload: null,
            forward_amount: '1',
          },
          trace_external_hash: TRACE,
          accounts: [ALICE, BOB, SENDING, RECEIVING],
          finality: 'finalized',
        },
      ],
      address_book: { [`${ALICE}`]: entry, [`${BOB}`]: entry },
      metadata: {},
    },
  },
  {
    title: 'A type that cannot be one',
    params: { action_type: ['jetton transfer'] },
    failure: { code: 422, text: 'action_type contains invalid characters' },
  },
  {
    title: 'A block that is not there',
    params: { mc_seqno: 2147483647 },
    failure: { code: 404, text: 'masterchain block 2147483647 not found' },
  },
];
