import { accountKey } from '../../../chain/address.ts';
import { MASTERCHAIN } from '../../../chain/block-id.ts';
import type { Detector } from '../detection.ts';
import { ResultColumns } from './result-columns.ts';

/** A nominator pool. Validator wallets are in the masterchain, so it returns only the hash of one. */
export const NOMINATOR_POOL: Detector<'nominator_pools'> = {
  table: 'nominator_pools',
  methods: [['get_pool_data']],
  codes: new Set(['9a3ec14bc098f6b44064c305222caea2800f17dda85ee6a8198a7095ede10dcf']),
  async detect(probe) {
    // Not stored: nominators (9), withdrawals (10), and validator fields after the time of the stake (11).
    const columns = new ResultColumns((await probe.run('get_pool_data')).atLeast(17));
    return {
      state: columns.int64(0),
      nominators_count: columns.int64(1),
      stake_amount_sent: columns.decimal(2),
      validator_amount: columns.decimal(3),
      validator: accountKey(MASTERCHAIN, columns.bits256(4)),
      validator_reward_share: columns.int64(5),
      max_nominators_count: columns.int64(6),
      min_validator_stake: columns.decimal(7),
      min_nominator_stake: columns.decimal(8),
      stake_at: columns.int64(11),
    };
  },
};
