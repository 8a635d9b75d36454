import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePartitions } from '../../../src/db/partitions.ts';
import { readTransactionDetails, type TransactionKey } from '../../../src/db/queries/transaction-details.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { accountOf, hashOf } from '../support/filled-index.ts';

const NONEXISTENT = Buffer.from('90aec8965afabb16ebc3cb9b408ebae71b618d78788bc80d09843593cac98da4', 'hex');

interface Row {
  readonly name: string;
  readonly lt: number;
  readonly seqno: number;
  readonly prevLt?: number;
  readonly before?: Buffer;
  readonly balance: number | null;
  /** JSON; undefined for no extra currencies, `null` for those of the state before. */
  readonly extra?: string;
}

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
  const db = test.database.primary;
  await ensurePartitions(db, { from: 0, to: 29, width: 10 });
  await sql`insert into index_origin (zero_state, first_seqno, partition_seqnos) values ('', 1, 10)`.execute(
    db,
  );
  for (const row of ROWS) await put(row);
  await db
    .insertInto('account_states')
    .values([
      {
        account: accountOf(2),
        hash: hashOf('2 old'),
        balance: 3,
        balance_extra: '{"2":"7"}',
        status: 'frozen',
        frozen_hash: hashOf('f'),
      },
    ])
    .execute();
});
afterAll(() => test.drop());

const stateOf = (name: string, lt: number) => hashOf(`${name} ${lt}`);

function put({ name, lt, seqno, prevLt = lt - 1, before, balance, extra }: Row) {
  return sql`
    insert into transactions (trace_id, account, lt, hash, mc_seqno, block_shard, block_seqno, prev_hash, prev_lt, now,
      kind, orig_status, end_status, total_fees, state_hash_before, state_hash_after, balance, balance_extra, code_hash)
    values ('', ${accountOf(Number(name))}, ${lt}, ${hashOf(`t ${name} ${lt}`)}, ${seqno}, 0, 1, '', ${prevLt}, 1, 'ord',
      'active', 'active', 0, ${before ?? stateOf(name, prevLt)}, ${stateOf(name, lt)}, ${balance},
      ${extra ?? null}::jsonb, ${balance === null ? null : hashOf('code')})`.execute(test.database.primary);
}

const LONG = 150;
const ROWS: readonly Row[] = [
  { name: '1', lt: 1, seqno: 1, prevLt: 0, before: NONEXISTENT, balance: 10, extra: '{"1":"5"}' },
  { name: '1', lt: 2, seqno: 2, balance: null },
  { name: '1', lt: 3, seqno: 2, balance: 9, extra: 'null' },
  { name: '1', lt: 4, seqno: 15, balance: 8, extra: 'null' },
  { name: '1', lt: 5, seqno: 25, balance: 7 },
  { name: '2', lt: 9, seqno: 11, prevLt: 8, before: hashOf('2 old'), balance: 1, extra: 'null' },
  { name: '3', lt: 9, seqno: 11, prevLt: 8, balance: 1, extra: 'null' },
  { name: '4', lt: 1, seqno: 1, prevLt: 0, before: NONEXISTENT, balance: 1, extra: '{"9":"1"}' },
  ...Array.from({ length: LONG }, (_, at) => ({
    name: '4',
    lt: at + 2,
    seqno: 1,
    balance: 1,
    extra: 'null',
  })),
];

const keyOf = ({ name, lt, seqno }: Row): TransactionKey => ({
  account: accountOf(Number(name)),
  lt: `${lt}`,
  mc_seqno: seqno,
});

async function extrasOf(rows: readonly Row[]) {
  const found = await readTransactionDetails(test.database.primary, { keys: rows.map(keyOf) });
  expect(found.map(({ row }) => `${row.lt}`)).toEqual(rows.map(({ lt }) => `${lt}`));
  return found.map(({ before, after }) =>
    [before, after].map(({ known }) => known && (known.balance_extra ?? 'unknown')),
  );
}

const [FIVE, SEVEN] = [{ 1: '5' }, { 2: '7' }];

describe('account states around transactions', () => {
  const first = ROWS.filter(({ name }) => name === '1');
  const expected = [
    [undefined, FIVE],
    [FIVE, undefined],
    [undefined, FIVE],
    [FIVE, FIVE],
    [FIVE, {}],
  ];

  it('have the extra currencies that blocks did not show, with and without the other rows of the page', async () => {
    expect(await extrasOf(first)).toEqual(expected);
    expect(await extrasOf(first.toReversed())).toEqual(expected.toReversed());
    for (const [at, row] of first.entries()) expect(await extrasOf([row])).toEqual([expected[at]]);
  });

  it('are found among states without an indexed transaction', async () => {
    expect(await extrasOf([ROWS[5]!])).toEqual([[SEVEN, SEVEN]]);
    const [whole] = await readTransactionDetails(test.database.primary, { keys: [keyOf(ROWS[5]!)] });
    expect(whole!.before.known).toMatchObject({ status: 'frozen', balance: '3', frozen_hash: hashOf('f') });
  });

  it('are unknown if the index does not have them', async () => {
    expect(await extrasOf([ROWS[6]!])).toEqual([[undefined, 'unknown']]);
    expect(await extrasOf([])).toEqual([]);
  });

  it('are searched over a limited number of transactions', async () => {
    const long = ROWS.filter(({ name }) => name === '4');
    const NINE = { 9: '1' };
    expect(await extrasOf([long[50]!, long[99]!, long[LONG]!])).toEqual([
      [NINE, NINE],
      [NINE, NINE],
      ['unknown', 'unknown'],
    ]);
    // Rows on the same page fill in each other.
    expect((await extrasOf(long)).slice(1)).toEqual(long.slice(1).map(() => [NINE, NINE]));
    expect((await extrasOf(long.toReversed())).at(-2)).toEqual([NINE, NINE]);
    expect((await extrasOf(long.slice(60))).at(-1)).toEqual([NINE, NINE]);
    expect((await extrasOf(long.slice(120))).at(-1)).toEqual(['unknown', 'unknown']);
    const whole = await readTransactionDetails(test.database.primary, { keys: [keyOf(long[3]!)] });
    expect(whole[0]!.after).toMatchObject({
      hash: stateOf('4', 4),
      known: { balance: '1', code_hash: hashOf('code') },
    });
  });
});
