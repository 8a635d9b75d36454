import { ACCOUNT_BYTES } from '../../../chain/address/account-key.ts';
import { orNotThat, refuse } from '../../../chain/contracts/not-that.ts';
import type { CellEntry } from '../../../chain/stack/stack-entry.ts';
import { walkDictionary } from '../../../chain/tlb/dictionary.ts';
import type { Detector } from '../detector.ts';
import { AnswerColumns } from './answer-columns.ts';

// The wallet itself knows no limit, but nobody needs so many.
const MAX_WHITELIST = 1000;

/** A vesting wallet. One whose whitelist is empty says null for it. */
export const VESTING: Detector<'vestings'> = {
  table: 'vestings',
  methods: [['get_vesting_data']],
  codes: new Set(['b48b531abec3b714638291f7d77ed6dc9f6a2729efca20477137374d4ae8b590']),
  async detect(probe) {
    const answer = (await probe.run('get_vesting_data')).atLeast(8);
    const columns = new AnswerColumns(answer);
    return {
      start_time: columns.int64(0),
      total_duration: columns.int64(1),
      unlock_period: columns.int64(2),
      cliff_duration: columns.int64(3),
      total_amount: columns.decimal(4),
      sender: columns.account(5),
      owner: columns.account(6),
      whitelist: readWhitelist(answer.maybeCell(7)),
    };
  },
};

/** The keys are accounts, workchain first, as columns have them too. */
function readWhitelist(dictionary: CellEntry | undefined): Buffer[] {
  const accounts: Buffer[] = [];
  if (dictionary === undefined) return accounts;
  orNotThat(() =>
    walkDictionary(dictionary.cells, dictionary.cell, ACCOUNT_BYTES * 8, (account) => {
      if (accounts.push(Buffer.from(account)) > MAX_WHITELIST) refuse('too long a whitelist');
    }),
  );
  return accounts;
}
