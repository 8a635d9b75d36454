import type { Cell, Slice } from '@ton/core';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import type { ChainTransaction } from './chain-block.ts';
import type { SeenRows } from './check-strays.ts';
import { accountBytes, HAS_CRC, hashInside, readAmount, readBytes } from './core-readers.ts';
import { type Findings, keyOf, type Row, rowsByKey } from './differences.ts';
import type { PlacedTransaction } from './expected-rows.ts';

const KEY = ['mc_seqno', 'account', 'lt'];

/** The contract table of each event table, with the columns that events copy. */
const TOKENS: Readonly<Record<EventTable, readonly [table: string, columns: readonly string[]]>> = {
  jetton_transfers: ['jetton_wallets', ['jetton']],
  jetton_burns: ['jetton_wallets', ['jetton']],
  nft_transfers: ['nft_items', ['collection', 'index']],
};

/**
 * Compares the transfers and burns of one seqno. Accounts that are tokens now must have all of theirs while they had the
 * same code; other accounts may have some from when they were tokens.
 */
export async function checkEvents(
  db: Kysely<Tables>,
  findings: Findings,
  mcSeqno: number,
  placed: readonly PlacedTransaction[],
  seen: SeenRows,
): Promise<void> {
  const events = expectedEvents(mcSeqno, placed);
  for (const table of EVENT_TABLES) {
    const own = events.filter((event) => event.table === table);
    // Tokens first: rows that are written meanwhile then do not count as surplus.
    const tokens = await tokensOf(db, table, own);
    const found = rowsByKey(await eventsOf(db, table, mcSeqno, placed), KEY);
    seen.add(table, mcSeqno, found.size);
    const expected = byKey(own);
    for (const [key, event] of expected) {
      const token = tokens.get(event.placed.account.toString('hex'));
      const columns = token !== undefined && hadCode(event.placed, token.code_hash) ? token : undefined;
      const row = found.get(key);
      if (columns === undefined && row === undefined) continue;
      findings.compareRow(table, key, { ...event.row, ...ofToken(table, columns) }, row);
    }
    for (const key of found.keys()) if (!expected.has(key)) findings.addSurplus(table, key);
  }
  await checkWaiting(db, findings, mcSeqno, byKey(events));
}

function byKey(events: readonly ExpectedEvent[]): Map<string, ExpectedEvent> {
  return new Map(events.map((event) => [keyOf(event.row, KEY), event]));
}

async function tokensOf(
  db: Kysely<Tables>,
  table: EventTable,
  events: readonly ExpectedEvent[],
): Promise<Map<string, Row>> {
  if (events.length === 0) return new Map();
  const accounts = events.map(({ placed }) => placed.account);
  const { rows } = await sql<Row>`
    select * from ${sql.table(TOKENS[table][0])} where account = any(${accounts}::bytea[])`.execute(db);
  return rowsByKey(rows, ['account']);
}

function ofToken(table: EventTable, token: Row | undefined): Row {
  return token === undefined
    ? {}
    : Object.fromEntries(TOKENS[table][1].map((column) => [column, token[column]]));
}

/** Whether the account had this code at the end of its block. */
function hadCode({ block, transaction }: PlacedTransaction, code: unknown): boolean {
  const state = block.after.get(transaction.address.toString('hex'));
  return Buffer.isBuffer(code) && state?.codeHash?.equals(code) === true;
}

/** The rows of the transactions of a seqno, with hashes instead of cells. */
async function eventsOf(
  db: Kysely<Tables>,
  table: EventTable,
  mcSeqno: number,
  placed: readonly PlacedTransaction[],
): Promise<Row[]> {
  const accounts = placed.map(({ account }) => account);
  const lts = placed.map(({ transaction }) => String(transaction.lt));
  const { rows } = await sql<Row>`
    select e.* from unnest(${accounts}::bytea[], ${lts}::bigint[]) as page (account, lt)
    join ${sql.table(table)} e on e.account = page.account and e.lt = page.lt and e.mc_seqno = ${mcSeqno}`.execute(
    db,
  );
  return rows.map(withHashes);
}

function withHashes(row: Row): Row {
  const hashOf = (boc: unknown) => (Buffer.isBuffer(boc) ? hashInside(boc, HAS_CRC) : boc);
  return {
    ...row,
    custom_payload: hashOf(row.custom_payload),
    forward_payload: hashOf(row.forward_payload),
  };
}

/** Events may only wait while their account is undetected. */
async function checkWaiting(
  db: Kysely<Tables>,
  findings: Findings,
  mcSeqno: number,
  events: ReadonlyMap<string, ExpectedEvent>,
): Promise<void> {
  const { rows } = await sql<Row>`
    select w.*, m.account is not null as is_unknown from waiting_events w
    left join missing_cells m using (account) where w.mc_seqno = ${mcSeqno}`.execute(db);
  for (const [key, row] of rowsByKey(rows.map(withHashes), KEY)) {
    const event = events.get(key);
    if (event === undefined || row.is_unknown !== true) findings.addSurplus('waiting_events', key);
    else findings.compareRow('waiting_events', key, waitingRow(event), row);
  }
}

function waitingRow({ table, row }: ExpectedEvent): Row {
  const { forward_ton_amount: ton, owner, old_owner: oldOwner, new_owner: newOwner, ...same } = row;
  return {
    amount: null,
    ...same,
    kind: table.slice(0, -1),
    source: same.source ?? owner ?? oldOwner,
    destination: same.destination ?? newOwner,
    forward_amount: same.forward_amount ?? ton,
  };
}

/** The event tables. */
export const EVENT_TABLES = ['jetton_transfers', 'jetton_burns', 'nft_transfers'] as const;

/** Name of an event table. */
type EventTable = (typeof EVENT_TABLES)[number];

/** A token request received by a transaction; it must have a row if its account is a token. */
interface ExpectedEvent {
  readonly table: EventTable;
  readonly placed: PlacedTransaction;
  /** The expected columns, with hashes instead of cells. */
  readonly row: Row;
}

/** The expected events of the transactions of a seqno. */
export function expectedEvents(mcSeqno: number, placed: readonly PlacedTransaction[]): ExpectedEvent[] {
  return placed.flatMap((one) => {
    const { account, transaction } = one;
    const event = readEvent(transaction);
    if (event === undefined) return [];
    const { lt, now } = transaction;
    return [
      { table: event.table, placed: one, row: { account, lt, mc_seqno: mcSeqno, now, ...event.columns } },
    ];
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
  const fields = whatFits(() => request.read(slice));
  const common = { aborted: aborted ?? false, [request.sender]: inMessage.source };
  return fields && { table: request.table, columns: { ...common, ...fields } };
}

/** Whether an ordinary transaction was aborted; undefined for other kinds. */
function readAborted(description: Cell): boolean | undefined {
  const slice = description.beginParse();
  if (slice.loadUint(4) !== 0) return undefined;
  const skipMaybeCoins = () => {
    if (slice.loadBit()) slice.loadCoins();
  };
  slice.skip(1);
  if (slice.loadBit()) {
    slice.loadCoins();
    skipMaybeCoins();
    // The change of the status: one bit, or two.
    if (slice.loadBit()) slice.skip(1);
  }
  if (slice.loadBit()) {
    skipMaybeCoins();
    readAmount(slice);
  }
  if (slice.loadBit()) {
    slice.skip(3);
    slice.loadCoins();
    slice.loadRef();
  } else if (slice.loadUint(2) === 3) slice.skip(1);
  slice.loadMaybeRef();
  return slice.loadBit();
}

interface RequestForm {
  readonly table: EventTable;
  readonly sender: string;
  readonly read: (slice: Slice) => Row;
}

const REQUESTS: Readonly<Record<number, RequestForm>> = {
  260734629: {
    table: 'jetton_transfers',
    sender: 'source',
    read: (slice) => {
      const head = { query_id: slice.loadUintBig(64), amount: slice.loadCoins() };
      const places = { destination: readPlace(slice), response_destination: readPlace(slice) };
      const custom = readPayload(slice);
      const ton = slice.loadCoins();
      const forward = { forward_ton_amount: ton, forward_payload: readPayload(slice) };
      return { ...head, ...places, custom_payload: custom, ...forward };
    },
  },
  1499400124: {
    table: 'jetton_burns',
    sender: 'owner',
    read: (slice) => {
      const head = { query_id: slice.loadUintBig(64), amount: slice.loadCoins() };
      return { ...head, response_destination: readPlace(slice), custom_payload: readPayload(slice) };
    },
  },
  1607220500: {
    table: 'nft_transfers',
    sender: 'old_owner',
    read: (slice) => {
      const head = { query_id: slice.loadUintBig(64), new_owner: readPlace(slice) };
      const response = readPlace(slice);
      const custom = readPayload(slice);
      const forward = { forward_amount: slice.loadCoins(), forward_payload: readPayload(slice) };
      return { ...head, response_destination: response, custom_payload: custom, ...forward };
    },
  },
};

/** Reads a Maybe ^Cell. */
function readPayload(slice: Slice): Buffer | null {
  return slice.loadMaybeRef()?.hash() ?? null;
}

/** An account, or null for addr_none and external addresses; throws for other forms. */
function readPlace(slice: Slice): Buffer | null {
  const form = slice.loadUint(2);
  if (form === 1) slice.skip(slice.loadUint(9));
  if (form < 2) return null;
  if (form === 3 || slice.loadBit()) throw new Error('unexpected address form');
  return accountBytes(slice.loadInt(8), readBytes(slice));
}

function whatFits(read: () => Row): Row | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
