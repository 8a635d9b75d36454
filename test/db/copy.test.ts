import { finished } from 'node:stream/promises';
import fc from 'fast-check';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COPY_END, COPY_HEAD, CopyBuffer, copyStatement } from '../../src/db/copy.ts';
import {
  BLOCK_COLUMNS,
  MESSAGE_COLUMNS,
  SHARD_STATE_COLUMNS,
  TRANSACTION_COLUMNS,
} from '../../src/index/write/rows.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client?.end();
  await database?.drop();
});

/** Sends rows to a table of one row's columns and reads them back as text. */
async function roundTrip(columns: Record<string, string>, rows: CopyBuffer): Promise<unknown[][]> {
  const names = Object.keys(columns);
  await client.query('drop table if exists copied');
  await client.query(
    `create temporary table copied (${names.map((name) => `${name} ${columns[name]}`).join(', ')}, n serial)`,
  );
  const stream = client.query(copyFrom(copyStatement('copied', names)));
  stream.write(COPY_HEAD);
  stream.write(rows.rows().bytes);
  stream.end(COPY_END);
  await finished(stream);
  const text = names.map((name) => `${name}::text`).join(', ');
  const result = await client.query({ text: `select ${text} from copied order by n`, rowMode: 'array' });
  expect(result.rowCount).toBe(rows.rows().count);
  return result.rows;
}

test('COPY stores values of all types, and null for each of them', async () => {
  const columns = {
    a: 'smallint',
    b: 'integer',
    c: 'bigint',
    d: 'boolean',
    e: 'bytea',
    f: 'text',
    g: 'account_status',
    h: 'jsonb',
    i: 'numeric',
    j: 'integer[]',
    k: 'bigint[]',
  };
  const rows = new CopyBuffer(1);
  rows
    .row(11)
    .int2(-7)
    .int4(-2_147_483_648)
    .int8(-(2n ** 63n))
    .bool(true)
    .bytes(Buffer.from('0aff', 'hex'));
  rows.text('ünï €').text('frozen').json('{"7":"12"}').numeric(10n).int4Array([1, -1]).int8Array([-5n, 2]);
  rows.row(11).int2(undefined).int4(undefined).int8(undefined).bool(undefined).bytes(undefined);
  rows.text(undefined).text(undefined).json(undefined).numeric(undefined);
  rows.int4Array(undefined).int8Array(undefined);
  rows
    .row(11)
    .int2(32767)
    .int4(2_147_483_647)
    .int8(2 ** 53 - 1)
    .bool(false)
    .bytes(Buffer.alloc(100, 1));
  rows.text('x'.repeat(50)).text('nonexist').json('[]').numeric(0n).int4Array([]).int8Array([]);
  expect(await roundTrip(columns, rows)).toEqual([
    [
      '-7',
      '-2147483648',
      '-9223372036854775808',
      'true',
      '\\x0aff',
      'ünï €',
      'frozen',
      '{"7": "12"}',
      '10',
    ].concat(['{1,-1}', '{-5,2}']),
    Array(11).fill(null),
    ['32767', '2147483647', '9007199254740991', 'false', `\\x${'01'.repeat(100)}`, 'x'.repeat(50)].concat([
      'nonexist',
      '[]',
      '0',
      '{}',
      '{}',
    ]),
  ]);
});

test('COPY stores 64-bit integers and numerics of any size', async () => {
  const known = [
    0n,
    1n,
    -1n,
    9999n,
    10_000n,
    10n ** 30n,
    2n ** 120n - 1n,
    -(2n ** 120n),
    2n ** 256n,
    2n ** 53n,
  ];
  const numbers = known.concat(fc.sample(fc.bigInt({ min: -(2n ** 257n), max: 2n ** 257n }), 300));
  numbers.push(...fc.sample(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), 300));
  const rows = new CopyBuffer();
  for (const number of numbers) {
    const small = BigInt.asIntN(64, number);
    rows
      .row(3)
      .numeric(number)
      .int8(small)
      .int8(Number(BigInt.asIntN(53, number)));
  }
  const expected = numbers.map((number) => [
    String(number),
    String(BigInt.asIntN(64, number)),
    String(BigInt.asIntN(53, number)),
  ]);
  expect(await roundTrip({ a: 'numeric', b: 'bigint', c: 'bigint' }, rows)).toEqual(expected);
});

test('a field can be filled in later', async () => {
  const rows = new CopyBuffer(1);
  rows.row(2).int8(1).int8(0);
  const at = rows.position() - 8;
  rows.row(2).int8(0).int8(2);
  rows.rows().bytes.writeBigInt64BE(7n, at);
  expect(await roundTrip({ a: 'bigint', b: 'bigint' }, rows)).toEqual([
    ['1', '7'],
    ['0', '2'],
  ]);
});

test('numbers that do not fit are rejected', () => {
  const rows = new CopyBuffer(1).row(1);
  expect(() => rows.int4(2 ** 31)).toThrow(RangeError);
  expect(() => rows.int2(40_000)).toThrow(RangeError);
  expect(() => rows.int8(2n ** 63n)).toThrow(RangeError);
  expect(() => rows.int8(0.5)).toThrow(RangeError);
  expect(() => rows.numeric(10n ** 200n)).toThrow(RangeError);
});

test.each([
  ['blocks', BLOCK_COLUMNS],
  ['shard_states', SHARD_STATE_COLUMNS],
  ['transactions', TRANSACTION_COLUMNS],
  ['messages', MESSAGE_COLUMNS],
])('the COPY columns of %s match the table', async (table, columns) => {
  const { rows } = await client.query(
    'select column_name from information_schema.columns where table_name = $1',
    [table],
  );
  expect([...columns].sort()).toEqual(rows.map((row) => row.column_name).sort());
});
