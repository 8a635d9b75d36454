import { finished } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import {
  BLOCK_COLUMNS,
  MESSAGE_COLUMNS,
  SHARD_STATE_COLUMNS,
  TRANSACTION_COLUMNS,
} from '../../../src/db/copy/columns.ts';
import { COPY_END, COPY_HEAD, copyStatement } from '../../../src/db/copy/copy-frame.ts';
import type { CopyRows, DecodedSeqno } from '../../../src/indexer/decode/decoded-seqno.ts';
import { createTestDatabase } from '../../support/database.ts';
import type { Row } from './core-rows.ts';

const TABLES = {
  blocks: { columns: BLOCK_COLUMNS, part: 'blocks' },
  shard_states: { columns: SHARD_STATE_COLUMNS, part: 'shardStates' },
  transactions: { columns: TRANSACTION_COLUMNS, part: 'transactions' },
  messages: { columns: MESSAGE_COLUMNS, part: 'messages' },
} as const;

type TableName = keyof typeof TABLES;

/** Tables of a real database that take rows as they were decoded. */
export interface DecodedTables {
  load(decoded: DecodedSeqno): Promise<void>;
  put(table: TableName, rows: CopyRows): Promise<void>;
  /** All rows of a table. */
  rows(table: TableName): Promise<Row[]>;
  close(): Promise<void>;
}

/** Creates a database whose tables take all seqnos. */
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
      return rows.map((row: Row) =>
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
