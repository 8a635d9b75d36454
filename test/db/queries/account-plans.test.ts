import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  readAccountData,
  readAccountStates,
  readCodes,
  readTopAccounts,
} from '../../../src/db/queries/accounts.ts';
import type { Tables } from '../../../src/db/tables.ts';
import type { TestDatabase } from '../../support/database.ts';
import { openFilledIndex } from '../support/filled-index.ts';
import { openPlans, type PlanReader } from '../support/query-plan.ts';

const ASKED = 200;

let test: TestDatabase;
let reader: PlanReader;
let db: Kysely<Tables>;

beforeAll(async () => {
  test = await openFilledIndex();
  reader = openPlans(test.url);
  db = reader.db;
}, 120_000);
afterAll(async () => {
  await reader?.close();
  await test?.drop();
});

async function expectFewRows(work: () => Promise<readonly unknown[]>): Promise<void> {
  const { result, plans } = await reader.run(work);
  const plan = plans.at(-1)!;
  expect(plan.seqScans, plan.text).toEqual([]);
  expect(plan.touchedRows, plan.text).toBeLessThan(ASKED + 1200);
  expect(result.length).toBeGreaterThan(0);
}

describe('account queries', { timeout: 60_000 }, () => {
  it('find accounts, data and codes by key', async () => {
    const rows = await db.selectFrom('latest_account_states').select('account').limit(ASKED).execute();
    const accounts = rows.map(({ account }) => account);
    await expectFewRows(() => readAccountStates(db, { accounts }));
    await expectFewRows(() => readAccountData(db, { accounts }));
    await db
      .insertInto('contract_codes')
      .columns(['hash', 'boc'])
      .expression(db.selectFrom('latest_account_states').select(['account', 'hash']))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await sql`vacuum analyze contract_codes`.execute(db);
    await expectFewRows(() => readCodes(db, { hashes: accounts }));
  });

  it('read top accounts from the index of balances', async () => {
    await expectFewRows(() => readTopAccounts(db, { page: { limit: 100, offset: 1000 } }));
    const [row] = await readTopAccounts(db, { page: { limit: 1, offset: 1000 } });
    await expectFewRows(() => readTopAccounts(db, { page: { limit: 100, offset: 0, after: row!.cursor } }));
  });
});
