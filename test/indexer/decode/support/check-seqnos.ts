import { finished } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { expect } from 'vitest';
import { COPY_END, COPY_HEAD, copyStatement } from '../../../../src/db/copy.ts';
import {
  BLOCK_COLUMNS,
  MESSAGE_COLUMNS,
  SHARD_STATE_COLUMNS,
  TRANSACTION_COLUMNS,
} from '../../../../src/db/copy-columns.ts';
import {
  type CopyRows,
  type DecodedSeqno,
  IN_EXTERNAL,
  IN_INTERNAL,
  IN_NONE,
  IN_SYSTEM,
} from '../../../../src/indexer/decode/decoded-seqno.ts';
import type { FetchedSeqno } from '../../../../src/indexer/fetch/fetch-seqnos.ts';
import { createTestDatabase } from '../../../support/database.ts';
import { coreRows, type Row } from './core-rows.ts';

const STATE_COLUMNS = ['balance', 'balance_extra', 'code_hash', 'data_hash', 'frozen_hash'];

/** Loads decoded seqnos into tables and compares every row with what @ton/core reads from the same blocks. */
export async function expectSeqnosAsCore(
  tables: DecodedTables,
  seqnos: readonly (readonly [FetchedSeqno, DecodedSeqno])[],
): Promise<void> {
  const transactions: Row[] = [];
  const messages: Row[] = [];
  for (const [fetched, decoded] of seqnos) {
    const { mcSeqno, masterchain, shardBlocks, globalVersion } = fetched;
    const blocks = [masterchain, ...shardBlocks].map((block) => coreRows(mcSeqno, globalVersion, block));
    const rows = blocks.flatMap((block) => block.transactions);
    const sent = blocks.flatMap((block) => block.messages);
    expect(decoded).toMatchObject({ mcSeqno, blockCount: blocks.length });
    expectTraceFacts(decoded, rows, sent);
    transactions.push(...rows);
    messages.push(...sent);
    await tables.load(decoded);
  }
  expectRows(inOrder(withoutStates(await tables.rows('transactions'))), inOrder(transactions));
  expectRows(inOrder(await tables.rows('messages')), inOrder(messages));
}

/** Much faster than `toEqual` for thousands of rows, which only says what differs. */
function expectRows(found: readonly Row[], expected: readonly Row[]): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected);
}

function withoutStates(rows: readonly Row[]): Row[] {
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !STATE_COLUMNS.includes(name))),
  );
}

function inOrder(rows: readonly Row[]): Row[] {
  const keyed = rows.map((row) => {
    const { account, lt, tx_lt, ordinal } = row;
    return { row, key: `${account} ${tx_lt ?? lt} ${ordinal ?? ''}` };
  });
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ row }) => row);
}

const SYSTEM = `ff${'00'.repeat(32)}`;
const ZEROS = '00'.repeat(32);

/** Compares the input for traces with the rows of transactions and messages. */
function expectTraceFacts(
  { traces, transactions }: DecodedSeqno,
  rows: readonly Row[],
  messages: readonly Row[],
): void {
  expect(traces.count).toBe(rows.length);
  const sorted = [...rows].sort(byTime);
  const byTransaction = Map.groupBy(messages, ({ account, tx_lt }) => `${account} ${tx_lt}`);
  for (const [i, row] of sorted.entries()) {
    const own = byTransaction.get(`${row.account} ${row.lt}`) ?? [];
    const inbound = own.find(({ ordinal }) => ordinal === 0);
    const outbound = own
      .filter(({ ordinal }) => ordinal !== 0)
      .sort((a, b) => Number(a.ordinal) - Number(b.ordinal));
    const at = traces.traceIdAt[i]!;
    expect({
      hash: hex(traces.hashes, i, 32),
      account: hex(traces.accounts, i, 33),
      lt: `${traces.lts[i]}`,
      now: `${traces.nows[i]}`,
      kind: traces.inKinds[i],
      inHash: hex(traces.inHashes, i, 32),
      normHash: hex(traces.normHashes, i, 32),
      sent: Array.from({ length: traces.outFrom[i + 1]! - traces.outFrom[i]! }, (_, j) =>
        hex(traces.outHashes, traces.outFrom[i]! + j, 32),
      ),
      logs: traces.logs[i],
      traceId: transactions.bytes.toString('hex', at, at + 32),
    }).toEqual({
      hash: row.hash,
      account: row.account,
      lt: row.lt,
      now: row.now,
      kind: kindOf(inbound, traces.inKinds[i]),
      inHash: inbound?.hash ?? ZEROS,
      normHash: inbound?.hash_norm ?? ZEROS,
      sent: outbound.filter(({ value }) => value !== null).map(({ hash }) => hash),
      logs: outbound.filter(({ value }) => value === null).length,
      traceId: row.hash,
    });
  }
}

/** By lt, workchain and address. */
function byTime(a: Row, b: Row): number {
  const lts = Number(BigInt(`${a.lt}`) - BigInt(`${b.lt}`));
  if (lts !== 0) return lts;
  const [left, right] = [Buffer.from(`${a.account}`, 'hex'), Buffer.from(`${b.account}`, 'hex')];
  return left.readInt8(0) - right.readInt8(0) || left.compare(right);
}

/** Rows of one seqno cannot show which messages of the system address have no sending transaction. */
function kindOf(inbound: Row | undefined, found: number | undefined): number {
  if (inbound === undefined) return IN_NONE;
  if (inbound.value === null) return IN_EXTERNAL;
  return found === IN_SYSTEM && inbound.peer === SYSTEM ? IN_SYSTEM : IN_INTERNAL;
}

function hex(bytes: Buffer, index: number, size: number): string {
  return bytes.toString('hex', index * size, (index + 1) * size);
}

const TABLES = {
  blocks: { columns: BLOCK_COLUMNS, part: 'blocks' },
  shard_states: { columns: SHARD_STATE_COLUMNS, part: 'shardStates' },
  transactions: { columns: TRANSACTION_COLUMNS, part: 'transactions' },
  messages: { columns: MESSAGE_COLUMNS, part: 'messages' },
} as const;

type TableName = keyof typeof TABLES;

/** Tables of a real database for decoded rows. */
export interface DecodedTables {
  load(decoded: DecodedSeqno): Promise<void>;
  put(table: TableName, rows: CopyRows): Promise<void>;
  /** All rows of a table, without positions: only the writer knows them. */
  rows(table: TableName): Promise<Row[]>;
  close(): Promise<void>;
}

/** Creates a database whose tables accept all seqnos. */
export async function openDecodedTables(): Promise<DecodedTables> {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  for (const table of Object.keys(TABLES))
    await client.query(`create table ${table}_all partition of ${table} default`);
  async function put(table: TableName, { bytes, count }: CopyRows): Promise<void> {
    const stream = client.query(copyFrom(copyStatement(table, TABLES[table].columns)));
    stream.write(COPY_HEAD);
    stream.write(bytes);
    stream.end(COPY_END);
    await finished(stream);
    if (stream.rowCount !== count) throw new Error(`${stream.rowCount} rows in ${table}`);
  }

  return {
    async load(decoded) {
      for (const [table, { part }] of Object.entries(TABLES)) await put(table as TableName, decoded[part]);
    },
    put,
    async rows(table) {
      const { rows } = await client.query(`select * from ${table}`);
      return rows.map(({ at: _, ...row }: Row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])),
      );
    },
    async close() {
      await client.end();
      await database.drop();
    },
  };
}

function plain(value: unknown): unknown {
  return Buffer.isBuffer(value) ? value.toString('hex') : value;
}
