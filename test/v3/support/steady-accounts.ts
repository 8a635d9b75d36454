import { formatAccount } from '../../../src/v3/account-bytes.ts';
import type { TestDatabase } from '../../support/database.ts';

/**
 * The accounts of an index of the demo, apart from those that act in its last block: a chain makes one when it starts,
 * and its time is another one each time.
 */
export async function steadyAccounts({
  database,
}: TestDatabase): Promise<{ readonly address: string; readonly status: string }[]> {
  const rows = await database.primary
    .selectFrom('latest_account_states')
    .select(['account', 'status'])
    .where('mc_seqno', '<', (query) =>
      query.selectFrom('latest_account_states').select((max) => max.fn.max('mc_seqno').as('last')),
    )
    .execute();
  return rows.map(({ account, status }) => ({ address: formatAccount(account), status }));
}
