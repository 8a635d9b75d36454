import type { Static } from 'typebox';
import type { transactionsSchema } from './load-transactions.ts';

const ACCOUNT = '-1:3333333333333333333333333333333333333333333333333333333333333333';
const CODE_HASH = 'dgTu3VcLHIC70qMzT4CXbIHWbTSvZKOVYWiPBsPfJ1k=';
const STATE = {
  hash: 'E1TvTjVBlpI0ZvaqNGm0xXY4hKkh6t5RhNzkJq4o4sU=',
  balance: '1000000000',
  extra_currencies: {},
  account_status: 'active',
  frozen_hash: null,
  data_hash: 'YYXihX8p3Pf5xrtWc0wXgcwVFgRMn6bD7Mr3sxlQZTg=',
  code_hash: CODE_HASH,
};

/** An answer with a transaction as examples show it. */
export const EXAMPLE_TRANSACTIONS: Static<typeof transactionsSchema> = {
  transactions: [
    {
      account: ACCOUNT,
      hash: 'gIkGGGf3kFGzLYqWQkSKmm2ST/pHmpzdl2bGjEkUlSc=',
      lt: '4000001',
      now: 1730000000,
      mc_block_seqno: 2,
      trace_id: 'gIkGGGf3kFGzLYqWQkSKmm2ST/pHmpzdl2bGjEkUlSc=',
      prev_trans_hash: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
      prev_trans_lt: '0',
      orig_status: 'active',
      end_status: 'active',
      total_fees: '0',
      total_fees_extra_currencies: {},
      description: {
        type: 'tick_tock',
        aborted: false,
        destroyed: false,
        is_tock: false,
        storage_ph: { storage_fees_collected: '0', status_change: 'unchanged' },
        compute_ph: {
          skipped: false,
          success: true,
          msg_state_used: false,
          account_activated: false,
          gas_fees: '0',
          gas_used: '1314',
          gas_limit: '70000000',
          mode: 0,
          exit_code: 0,
          vm_steps: 35,
          vm_init_state_hash: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
          vm_final_state_hash: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
        },
      },
      block_ref: { workchain: -1, shard: '8000000000000000', seqno: 2 },
      in_msg: null,
      out_msgs: [],
      account_state_before: STATE,
      account_state_after: STATE,
      emulated: false,
      finality: 'finalized',
    },
  ],
  address_book: {
    [ACCOUNT]: {
      user_friendly: 'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF',
      domain: null,
      interfaces: null,
    },
  },
};
