import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import {
  readAccountData,
  readAccountStates,
  readCodes,
  readTopAccounts,
  topAccountKeys,
} from '../../../src/index/read/accounts.ts';
import { copyFilledIndex } from '../../db/support/filled-index.ts';
import { usePlans } from '../../db/support/query-plan.ts';

const ASKED = 200;

const index = usePlans(copyFilledIndex);

async function expectFewRows(work: () => Promise<readonly unknown[]>): Promise<void> {
  const { result } = await index.expectFewRows(work, { rows: ASKED + 1200 });
  expect(result.length).toBeGreaterThan(0);
}

describe('account queries', () => {
  it('find accounts, data and codes by key', async () => {
    const { db } = index;
    const rows = await db.selectFrom('latest_account_states').select('account').limit(ASKED).execute();
    const accounts = rows.map(({ account }) => account);
    await expectFewRows(() => readAccountStates(db, accounts));
    await expectFewRows(() => readAccountData(db, accounts));
    await db
      .insertInto('contract_codes')
      .columns(['hash', 'boc'])
      .expression(db.selectFrom('latest_account_states').select(['account', 'hash']))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await sql`vacuum analyze contract_codes`.execute(db);
    await expectFewRows(() => readCodes(db, accounts));
  });

  it('read top accounts from the index of balances', async () => {
    const { db } = index;
    await expectFewRows(() => readTopAccounts(db, { page: { limit: 100, offset: 1000 } }));
    const [row] = await readTopAccounts(db, { page: { limit: 1, offset: 1000 } });
    await expectFewRows(() =>
      readTopAccounts(db, { page: { limit: 100, offset: 0, after: topAccountKeys(row!) } }),
    );
  });
});
