import { accountKey } from '../../chain/address.ts';
import { MASTERCHAIN } from '../../chain/block-id.ts';
import { NOMINATOR_POOL_CODES, readNominators } from '../../chain/contracts/nominator-pool.ts';
import { mismatchOnCellError } from '../../chain/contracts/probe.ts';
import type { Detector } from '../detection.ts';
import { ResultColumns } from './result-columns.ts';

/** A nominator pool. Validator wallets are in the masterchain, so it returns only the hash of one. */
export const NOMINATOR_POOL: Detector<'nominator_pools'> = {
  table: 'nominator_pools',
  methods: [['get_pool_data']],
  codes: NOMINATOR_POOL_CODES,
  async detect(probe) {
    // Not stored: withdrawals (10), and validator fields after the time of the stake (11).
    const result = (await probe.run('get_pool_data')).atLeast(17);
    const columns = new ResultColumns(result);
    const dictionary = result.maybeCell(9);
    const nominators = mismatchOnCellError(() =>
      dictionary === undefined ? [] : [...readNominators(dictionary.cells, dictionary.cell)],
    );
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
      nominators: nominators.map(([account]) => Buffer.from(account, 'hex')),
      nominator_balances: nominators.map(([, { balance }]) => balance),
      nominator_pending_balances: nominators.map(([, { pending }]) => pending),
    };
  },
};
