import { type Cell, loadTransactionDescription, type Slice } from '@ton/core';
import { sql } from 'kysely';
import type { Db } from '../db/tables/tables.ts';
import type { ChainTransaction } from './chain-block.ts';
import type { SeqnoContext } from './check-context.ts';
import { accountBytes, accountPrefix, readBytes } from './core-readers.ts';
import { type ExpectedRow, keyOf, type Row, rowsByKey } from './differences.ts';
import { type KnownPlace, type PlacedTransaction, positionColumn } from './expected-rows.ts';

/** By what rows are paired: first by all columns, then by what a row with a wrong value still shares with the right one. */
const SAME_EVENT = [
  ['acc8', 'lt', 'now', 'at', 'src8', 'mc_seqno', 'aborted'],
  ['acc8', 'lt'],
  ['at'],
  ['lt'],
];
const WAITING_KEY = ['mc_seqno', 'account', 'lt'];

/** The contract table of each event table, and the column of the token that both have. */
const TOKENS: Readonly<
  Record<EventTable, readonly [table: string, token: string, columns: readonly string[]]>
> = {
  jetton_transfers: ['jetton_wallets', 'jetton', ['jetton']],
  jetton_burns: ['jetton_wallets', 'jetton', ['jetton']],
  nft_transfers: ['nft_items', 'collection', ['collection', 'index']],
};

type EventContext = Pick<SeqnoContext, 'db' | 'findings' | 'seen' | 'mcSeqno' | 'placed'>;

/**
 * Compares the transfers and burns of one seqno. Accounts that are tokens now must have all of theirs while they had the
 * same code; other accounts may have some from when they were tokens.
 */
export async function checkEvents(context: EventContext): Promise<void> {
  const { db, findings, seen, mcSeqno, placed } = context;
  const events = expectedEvents(mcSeqno, placed);
  for (const table of EVENT_TABLES) {
    const own = events.filter((event) => event.table === table);
    // Tokens first: rows that are written meanwhile then do not count as surplus.
    const tokens = await tokensOf(db, table, own);
    const rows = await eventsOf(context, table);
    seen.add(table, mcSeqno, rows.length);
    const expected = own.map((event) => {
      const token = tokens.get(event.placed.account.toString('hex'));
      const isToken = token !== undefined && hadCode(event.placed, token.code_hash);
      return expectedRow(event, isToken ? token : undefined);
    });
    findings.compareRows(table, expected, rows, SAME_EVENT);
  }
  await checkWaiting(context, events);
}

/** The row of an event; it may be missing if its account is not known to be a token. */
function expectedRow({ table, placed, columns, dst8 }: ExpectedEvent, token: Row | undefined): ExpectedRow {
  const { account, transaction } = placed;
  return {
    name: `transaction ${transaction.hash.toString('hex')} (${account.toString('hex')}, lt ${transaction.lt})`,
    columns: {
      acc8: accountPrefix(account),
      ...columns,
      ...(table !== 'jetton_burns' && { dst8 }),
      ...(token && ofToken(table, token)),
    },
    isOptional: token === undefined,
  };
}

function ofToken(table: EventTable, token: Row): Row {
  const [, name, columns] = TOKENS[table];
  const account = token[name];
  return {
    token8: Buffer.isBuffer(account) ? accountPrefix(account) : null,
    ...Object.fromEntries(columns.map((column) => [column, token[column]])),
  };
}

async function tokensOf(
  db: Db,
  table: EventTable,
  events: readonly ExpectedEvent[],
): Promise<Map<string, Row>> {
  if (events.length === 0) return new Map();
  const accounts = events.map(({ placed }) => placed.account);
  const { rows } = await sql<Row>`
    select * from ${sql.table(TOKENS[table][0])} where account = any(${accounts}::bytea[])`.execute(db);
  return rowsByKey(rows, ['account']);
}

/** Whether the account had this code at the end of its block. */
function hadCode({ block, transaction }: PlacedTransaction, code: unknown): boolean {
  const state = block.after.get(transaction.address.toString('hex'));
  return Buffer.isBuffer(code) && state?.codeHash?.equals(code) === true;
}

/** The rows of a seqno with the logical times of its transactions: there is no index by seqno. */
async function eventsOf({ db, mcSeqno, placed }: EventContext, table: EventTable): Promise<readonly Row[]> {
  const lts = new Set(placed.map(({ transaction }) => transaction.lt));
  const { rows } = await sql<Row>`
    select * from ${sql.table(table)} where lt = any(${[...lts]}::bigint[]) and mc_seqno = ${mcSeqno}`.execute(
    db,
  );
  return rows;
}

/** Events may only wait while their account is undetected. */
async function checkWaiting(
  { db, findings, mcSeqno }: EventContext,
  events: readonly ExpectedEvent[],
): Promise<void> {
  const { rows } = await sql<Row>`
    select w.*, m.account is not null as is_unknown from waiting_events w
    left join missing_cells m using (account) where w.mc_seqno = ${mcSeqno}`.execute(db);
  const expected = new Map(events.map((event) => [keyOf(waitingRow(event), WAITING_KEY), waitingRow(event)]));
  for (const [key, row] of rowsByKey(rows, WAITING_KEY)) {
    const event = expected.get(key);
    if (event === undefined || row.is_unknown !== true) findings.addSurplus('waiting_events', key);
    else findings.compareRow('waiting_events', key, event, row);
  }
}

function waitingRow({ table, placed, columns, dst8 }: ExpectedEvent): Row {
  return { account: placed.account, ...columns, dst8, kind: table.slice(0, -1) };
}

export const EVENT_TABLES = ['jetton_transfers', 'jetton_burns', 'nft_transfers'] as const;

type EventTable = (typeof EVENT_TABLES)[number];

/** A token request received by a transaction; it must have a row if its account is a token. */
interface ExpectedEvent {
  readonly table: EventTable;
  readonly placed: PlacedTransaction;
  /** The columns that all tables have. */
  readonly columns: Row;
  /** Null for burns. */
  readonly dst8: bigint | null;
}

/** The expected events of the transactions of a seqno. */
export function expectedEvents(
  mcSeqno: number,
  transactions: readonly (PlacedTransaction & Partial<Pick<KnownPlace, 'at'>>)[],
): ExpectedEvent[] {
  return transactions.flatMap((placed) => {
    const { lt, now } = placed.transaction;
    const event = readEvent(placed.transaction);
    if (event === undefined) return [];
    const { table, source, destination, aborted } = event;
    const columns = {
      lt,
      now,
      ...positionColumn(placed.at),
      src8: accountPrefix(source),
      mc_seqno: mcSeqno,
      aborted,
    };
    return [{ table, placed, columns, dst8: destination && accountPrefix(destination) }];
  });
}

function readEvent({ inMessage, endStatus, description }: ChainTransaction) {
  if (inMessage?.kind !== 'internal' || inMessage.source === null || endStatus !== 'active') return undefined;
  if (inMessage.body.isExotic) return undefined;
  const slice = inMessage.body.beginParse();
  const request = slice.remainingBits < 32 ? undefined : REQUESTS[slice.loadUint(32)];
  if (request === undefined) return undefined;
  const aborted = readAborted(description);
  if (request.table !== 'nft_transfers' && aborted === undefined) return undefined;
  const destination = whatFits(() => request.read(slice));
  if (destination === undefined) return undefined;
  return { table: request.table, source: inMessage.source, destination, aborted: aborted ?? false };
}

/** Whether an ordinary transaction was aborted; undefined for other kinds. */
function readAborted(description: Cell): boolean | undefined {
  const read = loadTransactionDescription(description.beginParse());
  return read.type === 'generic' ? read.aborted : undefined;
}

interface RequestForm {
  readonly table: EventTable;
  /** Reads all fields after the opcode, because malformed requests are no events; returns the new owner. */
  readonly read: (slice: Slice) => Buffer | null;
}

const REQUESTS: Readonly<Record<number, RequestForm>> = {
  260734629: {
    table: 'jetton_transfers',
    read: (slice) => {
      slice.skip(64);
      slice.loadCoins();
      return readForward(slice);
    },
  },
  1499400124: {
    table: 'jetton_burns',
    read: (slice) => {
      slice.skip(64);
      slice.loadCoins();
      readPlace(slice);
      slice.loadMaybeRef();
      return null;
    },
  },
  1607220500: {
    table: 'nft_transfers',
    read: (slice) => {
      slice.skip(64);
      return readForward(slice);
    },
  },
};

/** Reads the fields of a transfer from the new owner on. */
function readForward(slice: Slice): Buffer | null {
  const destination = readPlace(slice);
  readPlace(slice);
  slice.loadMaybeRef();
  slice.loadCoins();
  slice.loadMaybeRef();
  return destination;
}

/** An account, or null for addr_none and external addresses; throws for other forms. */
function readPlace(slice: Slice): Buffer | null {
  const form = slice.loadUint(2);
  if (form === 1) slice.skip(slice.loadUint(9));
  if (form < 2) return null;
  if (form === 3 || slice.loadBit()) throw new Error('unexpected address form');
  return accountBytes(slice.loadInt(8), readBytes(slice));
}

function whatFits<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
