import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createV3Operations } from '../../src/v3/operations.ts';
import type { TestDatabase } from '../support/database.ts';
import { sampled, sampleOf } from '../support/long-run.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { readIndexedDemo } from './support/indexed-demo.ts';
import {
  bothOrders,
  createListClient,
  expectRefusals,
  filterPairs,
  type ListQuery,
  pageSizes,
  type ValuesToTry,
} from './support/list-queries.ts';
import {
  listReferenceTransactions,
  readSlowTransactions,
  type SlowTransaction,
} from './support/reference-transactions.ts';
import { contractCheck, documentCheck, missingContract } from './support/response-schemas.ts';

const LIMITS = { defaultLimit: 10, maxLimit: 1000 };
const BARE = { x_no_address_book: '1' };

let test: TestDatabase;
let app: FastifyInstance;
let asker: ReturnType<typeof createListClient>;
let all: SlowTransaction[];
beforeAll(async () => {
  test = await readIndexedDemo();
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
  asker = createListClient(app, 'transactions');
  all = await readSlowTransactions(test.database.primary);
});
afterAll(async () => {
  await app?.close();
  await test?.drop();
});

const hashesOf = (rows: readonly { readonly hash: string }[]) => rows.map(({ hash }) => hash);

/** Accounts by number of transactions, the largest first. */
function busyAccounts(): string[] {
  return [...Map.groupBy(all, ({ account }) => account)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([account]) => account);
}

/** Values of some transactions, a few per parameter. */
function valuesOf(): ValuesToTry {
  const sorted = all.toSorted((a, b) => Number(a.lt - b.lt));
  const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))]!;
  const [first, second, third] = busyAccounts();
  const basechain = all.find(({ workchain }) => workchain === 0)!.account;
  return {
    workchain: ['0', '-1', '5', '256'],
    shard: [at(0.4).shard.toUpperCase(), '8000000000000000'],
    seqno: [`${at(0.5).seqno}`, `${at(0.9).seqno}`],
    mc_seqno: [`${at(0.3).mcSeqno}`, `${at(0.8).mcSeqno}`],
    account: [first!, basechain, [second!, third!, basechain], [first!, `0:${'0'.repeat(64)}`]],
    exclude_account: [first!, [second!, third!]],
    hash: [at(0.6).hash, all.slice(0, 20).map(({ hash }) => hash)],
    lt: [`${at(0.5).lt}`, `${2n ** 64n - 1n}`],
    root_hash: [at(0.1).hash],
    start_utime: ['0', `${at(0.4).now}`],
    end_utime: [`${at(0.7).now}`, '4294967295'],
    start_lt: ['1', `${at(0.3).lt}`, `${2n ** 64n - 1n}`],
    end_lt: [`${at(0.6).lt}`, `${2n ** 64n - 1n}`],
  };
}

describe('transactions', () => {
  it('matches a naive evaluation for every pair of filters and both orders', async () => {
    const queries = filterPairs(valuesOf());
    expect(queries.length).toBeGreaterThan(sampled(25, 700));
    let found = 0;
    for (const query of queries) {
      const { transactions } = await asker.ask({ ...query, ...BARE, limit: '20' });
      expect(hashesOf(transactions), JSON.stringify(query)).toEqual(
        listReferenceTransactions(all, query).slice(0, 20),
      );
      if (transactions.length > 0) found++;
    }
    expect(found).toBeGreaterThan(queries.length / 3);
  });

  it('matches a naive evaluation for any number of filters', async () => {
    const values = Object.entries(valuesOf());
    let found = 0;
    for (const i of sampleOf([...Array(80).keys()], 15)) {
      const chosen = values.filter((_, at) => (i * 2654435761 + at * 40503 * (i + 7)) % 5 === 0);
      const query = Object.fromEntries(chosen.map(([name, each]) => [name, each[i % each.length]!]));
      const limit = sampled(20, 1000);
      const { transactions } = await asker.ask({ ...query, ...BARE, limit: `${limit}` });
      const rows = hashesOf(transactions);
      expect(rows, JSON.stringify(query)).toEqual(listReferenceTransactions(all, query).slice(0, limit));
      if (rows.length > 0) found++;
    }
    expect(found).toBeGreaterThan(sampled(1, 8));
  });

  it('by hash are in the order of the texts of hashes, whatever the offset', async () => {
    const hash = all.slice(0, 12).map((one) => one.hash);
    const ascending = hash.toSorted((a, b) => (a < b ? -1 : 1));
    for (const [sort, expected] of [
      ['asc', ascending],
      ['desc', ascending.toReversed()],
    ] as const) {
      const rows = await asker.ask({ hash, sort, limit: '5', offset: '3', ...BARE });
      expect(hashesOf(rows.transactions)).toEqual(expected.slice(0, 5));
    }
  });

  const LISTS: readonly (() => ListQuery)[] = [
    () => ({}),
    () => ({ start_utime: '1' }),
    () => ({ account: busyAccounts()[0]! }),
    () => ({ account: busyAccounts()[0]!, start_utime: '1' }),
    () => ({ account: busyAccounts().slice(1, 5) }),
    () => ({ account: busyAccounts().slice(1, 5), end_utime: '4294967295' }),
    () => ({ mc_seqno: valuesOf().mc_seqno![1]! }),
    () => ({ seqno: valuesOf().seqno![0]! }),
    () => ({ hash: all.slice(0, 12).map(({ hash }) => hash) }),
    () => ({ lt: `${all[0]!.lt}` }),
    () => ({ workchain: '-1' }),
  ];
  it.each(LISTS.map((query, at) => [at, query] as const))(
    'pages of list %i add up to the list',
    async (at, query) => {
      for (const asked of sampleOf(bothOrders([{ ...query(), ...BARE }]), 1, at)) {
        const whole = listReferenceTransactions(all, asked);
        expect(whole.length).toBeGreaterThan(0);
        for (const limit of pageSizes(whole.length, at)) {
          if (!('hash' in asked)) expect(hashesOf(await asker.byOffset(asked, limit))).toEqual(whole);
          expect(hashesOf(await asker.byCursor(asked, limit))).toEqual(whole);
        }
      }
    },
    300_000,
  );

  it(`matches the contract${missingContract}`, async () => {
    const answer = await asker.ask({ limit: '1000' });
    expect(answer.transactions).toHaveLength(all.length);
    expect(documentCheck()('transactions', answer)).toBe('');
    if (missingContract === '') expect(contractCheck()('transactions', answer)).toBe('');
  });

  it('has accounts, senders and receivers in the address book', async () => {
    const { transactions, address_book } = await asker.ask({ limit: '200' });
    const named = new Set<string>();
    for (const { account, in_msg, out_msgs } of transactions)
      for (const one of [
        account,
        in_msg?.source,
        ...out_msgs.map((m: { destination: string }) => m.destination),
      ])
        if (one) named.add(one);
    expect(new Set(Object.keys(address_book))).toEqual(named);
    expect((await asker.ask({ ...BARE })).address_book).toEqual({});
  });

  it('answers 404 for an unknown masterchain block', async () => {
    for (const seqno of ['-1', '0', '999999']) {
      const answer = await asker.inject({ mc_seqno: seqno });
      const error = `masterchain block ${seqno} not found`;
      expect([answer.statusCode, answer.json()]).toEqual([404, { code: 404, error }]);
    }
  });

  it('refuses malformed values and names the parameter', async () => {
    const operation = createV3Operations(LIMITS).find(({ name }) => name === 'transactions')!;
    const [hash, number, int] = [
      ['zz', 'AAAA'],
      ['-1', '1.5'],
      ['x', '2147483648'],
    ];
    const [address, time] = [
      ['0:12', 'x'],
      ['-1', 'x', ''],
    ];
    await expectRefusals(operation, asker, {
      workchain: int,
      shard: ['x', '0xg', ''],
      seqno: int,
      mc_seqno: int,
      account: address,
      exclude_account: address,
      hash,
      lt: number,
      root_hash: [...hash, ''],
      file_hash: [...hash, ''],
      start_utime: time,
      end_utime: time,
      start_lt: number,
      end_lt: number,
      limit: ['0', '-1', '1001', 'x'],
      offset: ['-1', 'x'],
      sort: ['up'],
      cursor: ['x', 'W10', 'e30'],
    });
  });
});
