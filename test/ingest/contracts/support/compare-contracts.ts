import { hash as hashOnce } from 'node:crypto';
import { Address, type Cell, Dictionary, loadTransaction, type Message, type Slice } from '@ton/core';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { type BlockId, MASTERCHAIN } from '../../../../src/chain/block-id.ts';
import { CONTRACT_TABLES } from '../../../../src/db/tables/contract-tables.ts';
import type { LitePool } from '../../../../src/lite/pool.ts';
import type { TestDatabase } from '../../../support/database.ts';
import { readStoredEvents, type StoredEvents } from '../../../support/stored-events.ts';
import { readStoredTraces } from '../../../support/stored-traces.ts';
import { readStoredTransactions } from '../../../support/stored-transactions.ts';
import {
  accountHex,
  addressOf,
  COLUMN_READERS,
  findTonZone,
  GetMethodClient,
  type PlainRow,
  plainRow,
} from './get-method-rows.ts';

const CONCURRENCY = 16;
const EVENT_TABLES = ['jetton_transfers', 'jetton_burns', 'nft_transfers'] as const;
const TOKEN_TABLES = ['jetton_masters', 'nft_collections', 'nft_items'] as const;

/** Rows by table. */
type Rows = Record<string, PlainRow[]>;

/**
 * Compares all contracts of the index with their get-methods at the block of their last transaction, and events with the
 * transactions of the chain. Returns the row counts by table.
 */
export async function compareContracts(
  { database }: Pick<TestDatabase, 'database'>,
  pool: LitePool,
): Promise<Record<string, number>> {
  const db = database.primary;
  const chain = new GetMethodClient(pool);
  const blocks = await readBlocks(db);
  const masterchain = new Map(
    blocks.filter(({ id }) => id.workchain === MASTERCHAIN).map(({ id }) => [id.seqno, id]),
  );
  const head = [...masterchain.values()].reduce((a, b) => (a.seqno > b.seqno ? a : b));
  const zone = await findTonZone(chain, head);
  const expected: Rows = Object.fromEntries(CONTRACT_TABLES.map((table) => [table, []]));
  const transactions = new Map(
    (await readStoredTransactions(db)).map((one) => [placeOf(one.account, one.lt), one]),
  );
  await forEachConcurrently(
    await readStates(db),
    async ({ account, last_trans_lt, code_hash, data_hash }) => {
      // Accounts of the zero state may have no transaction.
      const { mcSeqno } = transactions.get(placeOf(account, last_trans_lt)) ?? { mcSeqno: head.seqno };
      const at = masterchain.get(mcSeqno)!;
      for (const [table, readColumns] of Object.entries(COLUMN_READERS)) {
        const columns = await readColumns({ chain, at, address: addressOf(account), zone });
        const state = { account, last_transaction_lt: last_trans_lt, code_hash, data_hash };
        if (columns !== undefined) expected[table]!.push(plainRow({ ...state, ...columns }));
      }
    },
  );
  const events: ExpectedEvent[] = [];
  await forEachConcurrently(blocks, async ({ id, mcSeqno }) => {
    events.push(...eventsOfBlock(await chain.block(id), mcSeqno, id));
  });
  const known = eventRows(events, expected);
  const counts: Record<string, number> = {};
  for (const table of CONTRACT_TABLES) {
    const found = (await readRows(db, table)).map(({ id: _, ...row }) => row);
    expect({ table, rows: sorted(found) }).toEqual({ table, rows: sorted(expected[table]!) });
    counts[table] = found.length;
  }
  const stored = await readStoredEvents(db);
  for (const table of EVENT_TABLES) {
    const found = stored[table].map(({ hash: _, traceId: __, ...event }) => plainRow(present(event)));
    expect({ table, rows: sorted(found) }).toEqual({ table, rows: sorted(known.rows[table]!) });
    counts[table] = found.length;
  }
  await compareMetadata(db, expected);
  await compareTransactions(db, stored, known.hashes);
  return counts;
}

type Db = TestDatabase['database']['primary'];

/** The expected event rows: requests to known tokens, with the columns that come from the token. */
function eventRows(events: readonly ExpectedEvent[], contracts: Rows): { rows: Rows; hashes: Set<string> } {
  const wallets = new Map(contracts.jetton_wallets!.map((row) => [row.account, { token: row.jetton }]));
  const items = new Map(
    contracts.nft_items!.map(({ account, collection, index }) => [
      account,
      { ...(collection !== null && { token: collection }), index },
    ]),
  );
  const rows: Rows = { jetton_transfers: [], jetton_burns: [], nft_transfers: [] };
  const hashes = new Set<string>();
  for (const { table, account, hash, columns } of events) {
    const token = (table === 'nft_transfers' ? items : wallets).get(accountHex(account));
    if (token === undefined) continue;
    rows[table]!.push({ ...plainRow(present(columns)), ...token });
    hashes.add(hash.toString('hex'));
  }
  return { rows, hashes };
}

async function compareMetadata(db: Db, contracts: Rows): Promise<void> {
  const expectedRows = TOKEN_TABLES.flatMap((kind) => contracts[kind]!.map((row) => metadataOf(kind, row)));
  const found = (await readRows(db, 'token_metadata')).map(
    ({ source_hash, next_try, priority: _, ...row }) => {
      expect(source_hash).toHaveLength(64);
      return { ...row, isDue: next_try !== null };
    },
  );
  expect(sorted(found)).toEqual(sorted(expectedRows));
}

const placeOf = (account: Buffer, lt: string | bigint) => `${account.toString('hex')} ${lt}`;

/** Each event has a transaction with a trace. */
async function compareTransactions(db: Db, stored: StoredEvents, hashes: ReadonlySet<string>): Promise<void> {
  const traces = new Set((await readStoredTraces(db)).map(({ traceId }) => traceId.toString('hex')));
  const found: string[] = [];
  for (const { hash, traceId } of Object.values(stored).flat()) {
    expect(traces).toContain(traceId.toString('hex'));
    found.push(hash.toString('hex'));
  }
  expect(found.sort()).toEqual([...hashes].sort());
}

async function readRows(db: Db, table: string): Promise<PlainRow[]> {
  const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db);
  return rows.map(plainRow);
}

async function readStates(db: Db) {
  return db
    .selectFrom('latest_account_states')
    .select(['account', 'last_trans_lt', 'code_hash', 'data_hash'])
    .where('code_hash', 'is not', null)
    .where('data_hash', 'is not', null)
    .execute();
}

async function readBlocks(db: Db): Promise<{ readonly id: BlockId; readonly mcSeqno: number }[]> {
  const rows = await db
    .selectFrom('blocks')
    .select(['mc_seqno', 'workchain', 'shard', 'seqno', 'root_hash', 'file_hash'])
    .execute();
  return rows.map(({ mc_seqno, workchain, shard, seqno, root_hash, file_hash }) => ({
    id: { workchain, shard: BigInt(shard), seqno, rootHash: root_hash, fileHash: file_hash },
    mcSeqno: mc_seqno,
  }));
}

async function forEachConcurrently<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = all.values();
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (const one of left) await work(one);
    }),
  );
}

function sorted(rows: readonly PlainRow[]): PlainRow[] {
  const key = ({ account, lt, kind }: PlainRow) => `${account} ${String(lt).padStart(20, '0')} ${kind}`;
  return rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** A request to a token, read from a transaction with @ton/core, and the hash of the transaction. */
interface ExpectedEvent {
  readonly table: 'jetton_transfers' | 'jetton_burns' | 'nft_transfers';
  readonly account: Address;
  readonly hash: Buffer;
  /** All columns except those that come from the token itself. */
  readonly columns: Readonly<Record<string, unknown>>;
}

/** The requests to possible tokens in a block. */
function eventsOfBlock(block: Cell, mcSeqno: number, { workchain }: BlockId): ExpectedEvent[] {
  const cells = new Map<string, Cell>();
  collect(block.refs[3]!.refs[2]!, cells);
  return [...cells.values()].flatMap((cell) => eventOf(cell, mcSeqno, workchain) ?? []);
}

/** All transactions below a dictionary cell: cells of their format that are not inside another one. */
function collect(cell: Cell, found: Map<string, Cell>): void {
  const isTransaction =
    cell.bits.length > 650 && cell.refs.length >= 3 && cell.beginParse().loadUint(4) === 7;
  if (isTransaction) found.set(cell.hash().toString('hex'), cell);
  else for (const child of cell.refs) collect(child, found);
}

function eventOf(cell: Cell, mcSeqno: number, workchain: number): ExpectedEvent | undefined {
  const transaction = loadTransaction(cell.beginParse());
  const { inMessage, description, lt, now, endStatus } = transaction;
  if (inMessage?.info.type !== 'internal' || endStatus !== 'active') return undefined;
  const request = requestOf(inMessage);
  if (request === undefined) return undefined;
  const hash = Buffer.from(transaction.address.toString(16).padStart(64, '0'), 'hex');
  const account = new Address(workchain, hash);
  const aborted = description.type === 'generic' && description.aborted;
  const { table, ...columns } = request;
  return {
    table,
    account,
    hash: cell.hash(),
    columns: { account, lt, mcSeqno, now, aborted, ...columns },
  };
}

function requestOf({ body, info }: Message) {
  if (info.type !== 'internal') return undefined;
  try {
    const slice = body.beginParse();
    const op = slice.loadUint(32);
    const query = { source: info.src, queryId: slice.loadUintBig(64) };
    if (op === 0x0f8a7ea5) {
      const amount = slice.loadCoins();
      return { table: 'jetton_transfers' as const, ...query, amount, ...forwarded(slice) };
    }
    if (op === 0x5fcc3d14) return { table: 'nft_transfers' as const, ...query, ...forwarded(slice) };
    if (op !== 0x595f07bc) return undefined;
    const amount = slice.loadCoins();
    const responseDestination = slice.loadMaybeAddress();
    return {
      table: 'jetton_burns' as const,
      ...query,
      amount,
      responseDestination,
      customPayload: slice.loadMaybeRef(),
    };
  } catch {
    return undefined;
  }
}

/** The row without fields that have no value; addresses outside the chain are not compared. */
function present(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).filter(
      ([name, value]) => name !== 'outside' && value !== null && value !== undefined,
    ),
  );
}

function forwarded(slice: Slice) {
  return {
    destination: slice.loadMaybeAddress(),
    responseDestination: slice.loadMaybeAddress(),
    customPayload: slice.loadMaybeRef(),
    forwardAmount: slice.loadCoins(),
    // An inline payload is not shown.
    forwardPayload: slice.loadBit() ? slice.loadRef() : null,
  };
}

const SHOWN = ['name', 'description', 'image', 'symbol'] as const;
const NEEDED = {
  jetton_masters: ['symbol'],
  nft_collections: ['name', 'description', 'image'],
  nft_items: ['name', 'domain'],
} as const;

/** The metadata of a token before any fetch, from its own content. */
function metadataOf(kind: keyof typeof NEEDED, { account, content }: PlainRow): PlainRow {
  const left = { ...(content as Record<string, string>) };
  const isUsable = NEEDED[kind].some((name) => left[name]);
  const isDue = (left.uri ?? '') !== '';
  const shown = Object.fromEntries(SHOWN.map((name) => [name, left[name] ?? null]));
  for (const name of SHOWN) delete left[name];
  const valid = isUsable || (isDue ? null : false);
  return {
    account,
    kind,
    valid,
    ...shown,
    extra: Object.keys(left).length === 0 ? null : left,
    error: valid === false ? 'the contract has no displayable content' : null,
    is_nsfw: false,
    is_scam: false,
    updated_at: null,
    expires_at: null,
    tries: '0',
    isDue,
  };
}

const NAMES = [
  'uri',
  'name',
  'description',
  'image',
  'image_data',
  'symbol',
  'decimals',
  'amount_style',
  'render_type',
];

/** Reads the content of a token (TEP-64) with @ton/core; undefined if it is malformed. */
export function ownTokenContent(cell: Cell): Record<string, string> | undefined {
  try {
    const slice = cell.beginParse();
    const layout = slice.loadUint(8);
    if (layout === 1) return { uri: textOf(snake(slice)) };
    return layout === 0 ? attributes(slice) : undefined;
  } catch {
    return undefined;
  }
}

function attributes(slice: Slice): Record<string, string> {
  const values = slice.loadDict(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
  const content: Record<string, string> = {};
  for (const name of NAMES) {
    const value = values.get(hashOnce('sha256', name, 'buffer'))?.beginParse();
    if (value === undefined) continue;
    const form = value.loadUint(8);
    const bytes = form === 0 ? snake(value) : chunks(value);
    content[name] = name === 'image_data' ? bytes.toString('base64') : textOf(bytes);
  }
  return content;
}

function chunks(slice: Slice): Buffer {
  const parts = slice.loadDict(Dictionary.Keys.Uint(32), Dictionary.Values.Cell());
  return Buffer.concat([...parts.keys()].map((key) => bytesOf(parts.get(key)!.beginParse())));
}

function snake(slice: Slice): Buffer {
  const bytes = bytesOf(slice);
  return slice.remainingRefs > 0 ? Buffer.concat([bytes, snake(slice.loadRef().beginParse())]) : bytes;
}

function bytesOf(slice: Slice): Buffer {
  return slice.loadBuffer(slice.remainingBits / 8);
}

function textOf(bytes: Buffer): string {
  return new TextDecoder('utf8', { fatal: true, ignoreBOM: true }).decode(bytes).replaceAll('\0', '');
}
