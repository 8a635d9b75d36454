import { finished } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { expect } from 'vitest';
import type { Transaction } from '../../../../src/chain/tlb/transaction.ts';
import { COPY_END, COPY_HEAD, copyStatement } from '../../../../src/db/copy.ts';
import { OpenPage, planPages } from '../../../../src/index/format/page.ts';
import type { ShownStates, SlotPlace } from '../../../../src/index/format/slots.ts';
import {
  type CopyRows,
  type DecodedSeqno,
  IN_EXTERNAL,
  IN_INTERNAL,
  IN_NONE,
  IN_SYSTEM,
} from '../../../../src/index/write/decoded-seqno.ts';
import {
  BLOCK_COLUMNS,
  MESSAGE_COLUMNS,
  SHARD_STATE_COLUMNS,
  TRANSACTION_COLUMNS,
} from '../../../../src/index/write/rows.ts';
import type { FetchedSeqno } from '../../../../src/ingest/fetch/fetch-seqnos.ts';
import { createTestDatabase } from '../../../support/database.ts';
import { type CoreMessage, type CoreTransaction, type Row, readCoreBlock } from './core-rows.ts';

/** Loads decoded seqnos into tables and compares every row with what @ton/core reads from the same blocks. */
export async function expectSeqnosAsCore(
  tables: DecodedTables,
  seqnos: readonly (readonly [FetchedSeqno, DecodedSeqno])[],
): Promise<void> {
  const transactions: Row[] = [];
  const messages: Row[] = [];
  for (const [fetched, decoded] of seqnos) {
    const { mcSeqno, masterchain, shardBlocks } = fetched;
    const blocks = [masterchain, ...shardBlocks];
    const core = blocks.flatMap((block) => readCoreBlock(mcSeqno, block)).sort(byTime);
    expect(decoded).toMatchObject({ mcSeqno, blockCount: blocks.length });
    expectTraceFacts(decoded, core);
    expectSlots(decoded, core);
    transactions.push(...core.map(({ row }) => row));
    messages.push(
      ...core.flatMap((one) =>
        [...(one.inbound ? [one.inbound] : []), ...one.outbound].map(({ row }) => row),
      ),
    );
    await tables.load(decoded);
  }
  expectRows(inOrder(await tables.rows('transactions')), inOrder(transactions));
  expectRows(inOrder(await tables.rows('messages')), inOrder(messages));
}

/** Much faster than `toEqual` for thousands of rows, which only says what differs. */
function expectRows(found: readonly Row[], expected: readonly Row[]): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected);
}

function inOrder(rows: readonly Row[]): Row[] {
  const named = rows.map((row) =>
    Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))),
  );
  const keyed = named.map((row) => ({ row, key: JSON.stringify(row) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ row }) => row);
}

const SYSTEM = `ff${'00'.repeat(32)}`;
const ZEROS = '00'.repeat(32);

/** Compares the input for traces, and which rows of receivers are left to the writer. */
function expectTraceFacts({ traces, received }: DecodedSeqno, core: readonly CoreTransaction[]): void {
  expect(traces.count).toBe(core.length);
  for (const [i, { hash, account, lt, now, inbound, outbound }] of core.entries()) {
    expect({
      hash: hex(traces.hashes, i, 32),
      account: hex(traces.accounts, i, 33),
      lt: traces.lts[i],
      now: traces.nows[i],
      kind: traces.inKinds[i],
      inHash: hex(traces.inHashes, i, 32),
      normHash: hex(traces.normHashes, i, 32),
      sent: Array.from({ length: traces.outFrom[i + 1]! - traces.outFrom[i]! }, (_, j) =>
        hex(traces.outHashes, traces.outFrom[i]! + j, 32),
      ),
      logs: traces.logs[i],
    }).toEqual({
      hash,
      account,
      lt,
      now,
      kind: kindOf(inbound, traces.inKinds[i]),
      inHash: inbound?.hash ?? ZEROS,
      normHash: inbound?.normalizedHash ?? ZEROS,
      sent: outbound.filter(({ kind }) => kind === 'internal').map((message) => message.hash),
      logs: outbound.filter(({ kind }) => kind === 'external-out').length,
    });
    expect(received.rowFrom[i + 1]! > received.rowFrom[i]!).toBe(traces.inKinds[i] === IN_INTERNAL);
  }
}

/** Compares the slots of pages: the hash of a transaction tells all its fields. */
function expectSlots(decoded: DecodedSeqno, core: readonly CoreTransaction[]): void {
  const found = readSlots(decoded).map(({ place, transaction }) => ({
    hash: transaction.hash.toString('hex'),
    workchain: place.workchain,
    shard: place.shard,
    seqno: place.blockSeqno,
  }));
  expect(found).toEqual(
    core.map(({ hash, id: { workchain, shard, seqno } }) => ({ hash, workchain, shard, seqno })),
  );
}

/** A transaction as its page will have it. */
interface Slot {
  readonly place: SlotPlace;
  readonly states: ShownStates;
  readonly transaction: Transaction;
}

/** The transactions of a seqno, read from its pages. */
export function readSlots(decoded: DecodedSeqno): Slot[] {
  const { pages } = planPages([decoded], { width: Number.MAX_SAFE_INTEGER });
  return pages.flatMap(({ page: number, raw }) => {
    const page = new OpenPage(number, raw);
    return Array.from({ length: page.count }, (_, slot) => ({
      place: page.place(slot),
      states: page.states(slot),
      transaction: page.transaction(slot),
    }));
  });
}

/** By lt, workchain and address. */
function byTime(a: CoreTransaction, b: CoreTransaction): number {
  if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1;
  return a.id.workchain - b.id.workchain || (a.account < b.account ? -1 : 1);
}

/** One seqno cannot show which messages of the system address have no sending transaction. */
function kindOf(inbound: CoreMessage | undefined, found: number | undefined): number {
  if (inbound === undefined) return IN_NONE;
  if (inbound.kind !== 'internal') return IN_EXTERNAL;
  return found === IN_SYSTEM && inbound.source === SYSTEM ? IN_SYSTEM : IN_INTERNAL;
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
  /** Loads all rows, those of receivers too. */
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
      const { bytes, rowFrom } = decoded.received;
      const count = decoded.traces.inKinds.filter((kind) => kind === IN_INTERNAL).length;
      expect(rowFrom.at(-1)).toBe(bytes.length);
      await put('messages', { bytes, count });
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
