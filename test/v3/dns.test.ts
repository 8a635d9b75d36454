import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatAccount } from '../../src/v3/values.ts';
import { hashOf } from '../db/support/filled-index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { checkCombinations, checkForms, checkRefusals } from './support/list-checks.ts';
import { isNamed, sortBy } from './support/list-queries.ts';
import { made, rawMade, stateOf } from './support/made-rows.ts';

/** Some wallets have many domains of different lengths; one domain occurs twice. */
const DOMAINS = Array.from({ length: 40 }, (_, i) => ({
  ...stateOf('domain', i),
  domain: i >= 38 ? 'twice.ton' : `${'n'.repeat(1 + (i % 4))}${String.fromCharCode(97 + ((i * 7) % 26))}.ton`,
  owner: i % 5 === 0 ? null : made('person', i % 3),
  wallet: i % 7 === 0 ? null : made('person', i % 2),
  next_resolver: i % 2 === 0 ? null : made('resolver', 0),
  site_adnl: i % 3 === 0 ? hashOf('adnl') : null,
  storage_bag_id: i % 4 === 0 ? hashOf('bag') : null,
}));

let test: TestDatabase;
let app: FastifyInstance;

beforeAll(async () => {
  test = await createTestDatabase();
  await test.database.primary.insertInto('dns_entries').values(DOMAINS).execute();
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
});
afterAll(async () => {
  await app?.close();
  await test.drop();
});

const ask = async (query: string) => (await app.inject({ url: `/api/v3/dns/records?${query}` })).json();

describe('dns/records', () => {
  it('lists domains by wallet and by name, whole and in pages', async () => {
    const rows = await checkCombinations(app, {
      name: 'dns/records',
      key: 'records',
      choices: {},
      bases: [
        ...[0, 1, 9].map((number) => ({ wallet: rawMade('person', number) })),
        ...['twice.ton', 'nb.ton', 'NB.TON', 'nothing.ton', "'"].map((domain) => ({ domain })),
      ],
      idOf: (row) => row.nft_item_address!,
      expected: (query) => {
        const found = DOMAINS.filter(
          ({ wallet, domain }) =>
            isNamed(query, 'wallet', wallet) && (query.domain === undefined || domain === query.domain),
        );
        const sorted = sortBy(
          found,
          ({ domain }) => domain.length,
          ({ domain }) => domain,
          (row) => row.account,
        );
        return sorted.map(({ account }) => formatAccount(account));
      },
    });
    expect(rows).toBeGreaterThan(30);
  });

  it('returns the records of a domain', async () => {
    const [row] = DOMAINS.filter(({ account }) => account.equals(made('domain', 12)));
    const { records, address_book } = await ask(`domain=${row!.domain}`);
    expect(records).toContainEqual({
      nft_item_address: rawMade('domain', 12),
      nft_item_owner: rawMade('person', 0),
      domain: row!.domain,
      dns_next_resolver: null,
      dns_wallet: rawMade('person', 0),
      dns_site_adnl: hashOf('adnl').toString('base64'),
      dns_storage_bag_id: hashOf('bag').toString('base64'),
    });
    expect(address_book).toHaveProperty([rawMade('domain', 12)]);
    expect(address_book).toHaveProperty([rawMade('person', 0)]);
  });

  it('matches the contract', async () => {
    await checkForms(app, 'dns/records', [{ wallet: rawMade('person', 0) }, { domain: 'twice.ton' }]);
  });

  it('refuses missing, conflicting and malformed parameters', async () => {
    await checkRefusals(
      app,
      'dns/records',
      { wallet: ['x', ''], domain: ['\0', 'a.ton'] },
      { wallet: rawMade('person', 1) },
    );
    const both = `domain=a.ton&wallet=${rawMade('person', 1)}`;
    expect((await ask('')).error).toBe('either wallet address or domain is required');
    expect((await ask(both)).error).toBe('provide either wallet address or domain, not both');
  });
});
