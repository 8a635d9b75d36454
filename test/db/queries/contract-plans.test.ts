import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAddressBook } from '../../../src/db/queries/address-book.ts';
import { readTokenInfos } from '../../../src/db/queries/token-metadata.ts';
import type { Tables } from '../../../src/db/tables.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { contractOf, fillContracts } from '../support/filled-contracts.ts';
import { openPlans, type PlanReader } from '../support/query-plan.ts';

let test: TestDatabase;
let reader: PlanReader;
let db: Kysely<Tables>;

beforeAll(async () => {
  test = await createTestDatabase();
  await fillContracts(test.database);
  reader = openPlans(test.url);
  db = reader.db;
});
afterAll(async () => {
  await reader.close();
  await test.drop();
});

/** The plan of the single query of some work. */
async function planOfWork(work: () => Promise<unknown>) {
  const { plans } = await reader.run(work);
  expect(plans).toHaveLength(1);
  return plans[0]!;
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i * 13 + 1);

describe('contract queries with 20 000 rows per table', () => {
  it.each([1, 100, 1000])('readAddressBook of %i accounts reads only their rows', async (count) => {
    const accounts = numbers(count).map((number) => contractOf('a', number));
    const rows = await readAddressBook(db, { accounts });
    expect(rows.filter((row) => row.known && row.domain !== null && row.methods?.length === 21)).toHaveLength(
      count,
    );
    const plan = await planOfWork(() => readAddressBook(db, { accounts }));
    expect(
      plan.seqScans.filter((table) => table !== 'contract_codes'),
      plan.text,
    ).toEqual([]);
    expect(plan.touchedRows, plan.text).toBeLessThan(4 * count + 250);
  });

  it.each([1, 25, 250])('readTokenInfos looks up %i accounts of each role by key', async (count) => {
    const accounts = (['w', 'c', 'n'] as const).flatMap((letter) =>
      numbers(count).map((number) => contractOf(letter, number)),
    );
    const rows = await readTokenInfos(db, { accounts });
    expect(rows.filter(({ kind }) => kind === 'jetton_wallets')).toHaveLength(count);
    expect(rows.filter(({ kind }) => kind === 'nft_collections')).toHaveLength(count);
    expect(rows.filter((row) => row.kind === 'nft_items' && row.name === 'name')).toHaveLength(count);
    const jettons = new Set(numbers(count).map((number) => Math.floor((number - 1) / 10)));
    expect(rows.filter((row) => row.kind === 'jetton_masters' && row.valid)).toHaveLength(jettons.size);
    const plan = await planOfWork(() => readTokenInfos(db, { accounts }));
    expect(plan.seqScans, plan.text).toEqual([]);
    expect(plan.touchedRows, plan.text).toBeLessThan(30 * count);
  });
});
