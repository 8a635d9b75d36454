import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { payloadBag, readTokenRequest } from '../../src/chain/messages/token-requests.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
import { accountPrefix } from '../../src/index/format/position.ts';
import { type PlacedSlot, readPlacedSlots } from './stored-pages.ts';

const EVENT_TABLES = ['jetton_transfers', 'jetton_burns', 'nft_transfers'] as const;

/** A transfer or a burn, with everything that the index has about it. */
export interface StoredEvent {
  readonly account: Buffer;
  readonly lt: bigint;
  readonly mcSeqno: number;
  readonly now: number;
  readonly hash: Buffer;
  readonly traceId: Buffer;
  readonly aborted: boolean;
  readonly queryId: bigint;
  readonly amount: bigint | undefined;
  readonly source: Buffer;
  readonly destination: Buffer | undefined;
  readonly responseDestination: Buffer | undefined;
  readonly customPayload: Buffer | undefined;
  readonly forwardAmount: bigint | undefined;
  readonly forwardPayload: Buffer | undefined;
  /** The jetton or the collection. */
  readonly token: Buffer | undefined;
  /** Of an NFT. */
  readonly index: string | undefined;
}

export type StoredEvents = Readonly<Record<(typeof EVENT_TABLES)[number], readonly StoredEvent[]>>;

/**
 * Reads all transfers and burns of the index, ordered by logical time and account, and checks that their rows are what the
 * transactions in the pages say.
 */
export async function readStoredEvents(db: Kysely<Tables>): Promise<StoredEvents> {
  const slots = new Map((await readPlacedSlots(db)).map((one) => [String(one.at), one]));
  const events: Record<string, readonly StoredEvent[]> = {};
  for (const table of EVENT_TABLES) {
    const { rows } = await sql<Row>`select * from ${sql.table(table)}`.execute(db);
    events[table] = rows.map((row) => toStored(table, row, slots.get(row.at as string))).sort(inOrder);
  }
  return events as StoredEvents;
}

type Row = Readonly<Record<string, unknown>>;

function toStored(table: string, row: Row, placed: PlacedSlot | undefined): StoredEvent {
  const request = placed && readTokenRequest(placed.transaction);
  if (placed === undefined || `${request?.kind}s` !== table)
    throw new Error(`Row of ${table} has no request: ${JSON.stringify(row)}`);
  const { transaction, page, slot, traceId } = placed;
  const { kind: _, customPayload, forwardPayload, ...said } = request!;
  const event = {
    ...said,
    account: page.account(slot),
    lt: transaction.lt,
    mcSeqno: page.place(slot).mcSeqno,
    now: transaction.now,
    hash: transaction.hash,
    traceId,
    customPayload: payloadBag(transaction, customPayload),
    forwardPayload: payloadBag(transaction, forwardPayload),
    token: ((row.jetton ?? row.collection) as Buffer | null | undefined) ?? undefined,
    index: row.index as string | undefined,
  };
  const expected = rowOf(event);
  const stored = Object.fromEntries(Object.keys(expected).map((column) => [column, row[column] ?? null]));
  if (!isDeepStrictEqual(stored, expected))
    throw new Error(`Row of ${table} is ${JSON.stringify(row)} instead of ${JSON.stringify(expected)}`);
  return event;
}

/** The columns that follow from an event. */
function rowOf({ account, lt, now, source, destination, token, mcSeqno, aborted }: StoredEvent): Row {
  const prefix = (of: Buffer | undefined) => (of === undefined ? null : String(accountPrefix(of)));
  return {
    acc8: prefix(account),
    lt: String(lt),
    now: String(now),
    src8: prefix(source),
    dst8: prefix(destination),
    token8: prefix(token),
    mc_seqno: mcSeqno,
    aborted,
  };
}

function inOrder(a: StoredEvent, b: StoredEvent): number {
  if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1;
  return Buffer.compare(a.account, b.account);
}
