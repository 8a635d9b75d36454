import { describe, expect, it } from 'vitest';
import { readAddressBook, readTokenInfos } from '../../../src/index/read/address-info.ts';
import { contractOf, fillContracts } from '../../db/support/filled-contracts.ts';
import { usePlans } from '../../db/support/query-plan.ts';
import { createTestDatabase } from '../../support/database.ts';

const index = usePlans(async () => {
  const test = await createTestDatabase();
  await fillContracts(test.database);
  return test;
});

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i * 13 + 1);

describe('contract queries with 20 000 rows per table', () => {
  it.each([1, 100, 1000])('readAddressBook of %i accounts reads only their rows', async (count) => {
    const accounts = numbers(count).map((number) => contractOf('a', number));
    const { result: rows, plans } = await index.expectFewRows((db) => readAddressBook(db, { accounts }), {
      rows: 4 * count + 250,
      small: /^contract_codes$/,
    });
    expect(plans).toHaveLength(1);
    expect(rows.filter((row) => row.known && row.domain !== null && row.methods?.length === 21)).toHaveLength(
      count,
    );
  });

  it.each([1, 25, 250])('readTokenInfos looks up %i accounts of each role by key', async (count) => {
    const accounts = (['w', 'c', 'n'] as const).flatMap((letter) =>
      numbers(count).map((number) => contractOf(letter, number)),
    );
    const { result: rows, plans } = await index.expectFewRows((db) => readTokenInfos(db, { accounts }), {
      rows: 30 * count,
    });
    expect(plans).toHaveLength(1);
    expect(rows.filter(({ kind }) => kind === 'jetton_wallets')).toHaveLength(count);
    expect(rows.filter(({ kind }) => kind === 'nft_collections')).toHaveLength(count);
    expect(rows.filter((row) => row.kind === 'nft_items' && row.name === 'name')).toHaveLength(count);
    const jettons = new Set(numbers(count).map((number) => Math.floor((number - 1) / 10)));
    expect(rows.filter((row) => row.kind === 'jetton_masters' && row.valid)).toHaveLength(jettons.size);
  });
});
