import type { Kysely } from 'kysely';
import type { Message } from '../chain/tlb/message.ts';
import type { MessageFilters } from '../db/queries/messages.ts';
import type { OrderKey, Page } from '../db/queries/pages.ts';
import { MAX_INT64 } from '../db/queries/time-bounds.ts';
import type { Tables } from '../db/tables.ts';
import { hashPrefix, type Position } from '../pages/position.ts';
import { compareKeys, type ListedPage, pageOfAll, signedAccountText } from './checked-list.ts';
import { type IndexedTransaction, isNamedBy, type TransactionReader } from './indexed-transactions.ts';
import {
  areRowsTrusted,
  findWithReceivers,
  hasOpcode,
  isAt,
  ltOf,
  positionsOf,
  type ReceivedRows,
} from './list-messages.ts';
import { receiverOf, senderOf } from './placed-transaction.ts';

/** Which messages the wanted transactions have. */
export interface ByMessageFilters {
  /** Hashes or normalized hashes; an empty list does not filter. */
  readonly hashes: readonly Buffer[];
  readonly bodyHash?: Buffer | undefined;
  /** Of a received message. */
  readonly opcode?: number | undefined;
  /** The transaction received the message, or sent it. */
  readonly direction?: 'in' | 'out' | undefined;
  /** An account, or null for external messages. */
  readonly source?: Buffer | null | undefined;
  /** An account, or null for messages to outside the chain. */
  readonly destination?: Buffer | null | undefined;
}

interface ByMessageQuery {
  readonly filters: ByMessageFilters;
  readonly sort: 'asc' | 'desc';
  readonly page: Page;
}

type ListKey = Pick<OrderKey, 'type' | 'direction'>;

/**
 * The order of the list. Hashes match few transactions, which are sorted by their logical time, then by account. Bodies
 * and opcodes may match millions, and their indexes are in the order of the logical time of the message.
 */
export function byMessageOrder({ hashes }: ByMessageFilters, direction: 'asc' | 'desc'): readonly ListKey[] {
  const keys: ListKey[] = [
    { type: 'bigint', direction },
    { type: 'bytea', direction: 'asc' },
  ];
  return hashes.length > 0 ? keys : [...keys, { type: 'bigint', direction }];
}

/** Reads a page of the transactions that have such messages, each once. */
export async function listByMessage(
  db: Kysely<Tables>,
  reader: TransactionReader,
  query: ByMessageQuery,
): Promise<ListedPage<IndexedTransaction>> {
  const { filters, sort, page } = query;
  const isWanted = createFilter(filters);
  if (isWanted === undefined) return { items: [], next: undefined };
  const keys = byMessageOrder(filters, sort);
  const toPage = (entries: readonly Entry[], passed = 0) => {
    const rest = { ...page, offset: page.offset - passed };
    const { items, next } = pageOfAll(entries, keys, rest, (entry) => keysOf(keys, entry));
    return { items: items.map(({ placed }) => placed), next };
  };
  if (filters.hashes.length === 0) {
    const { entries, passed } = await walkByContent(db, reader, query, isWanted);
    return toPage(entries, passed);
  }
  const found = await reader.readByMessage(filters.hashes);
  const fitting = found.filter((one) => firstWanted(one, isWanted, sort) !== undefined);
  return toPage(fitting.map((placed) => ({ placed, lt: placed.transaction.lt })));
}

/** A transaction in the list. */
interface Entry {
  readonly placed: IndexedTransaction;
  /** Of its first wanted message; of the transaction in lists by hash. */
  readonly lt: bigint;
}

/** The keys of an entry, as in cursors. */
function keysOf(
  keys: readonly ListKey[],
  { placed: { account, transaction }, lt }: Entry,
): readonly string[] {
  return [String(lt), signedAccountText(account), String(transaction.lt)].slice(0, keys.length);
}

/** On which sides of messages the wanted transactions are. */
interface WantedSides {
  readonly received: boolean;
  readonly sent: boolean;
}

function sidesOf({ opcode, direction, source, destination }: ByMessageFilters): WantedSides {
  return {
    received: direction !== 'out' && destination !== null,
    sent: direction !== 'in' && source !== null && opcode === undefined,
  };
}

/** Whether a message makes a transaction part of the list; `isReceived` tells on which side it is. */
type IsWanted = (message: Message, isReceived: boolean) => boolean;

/** Undefined for contradictory filters. */
function createFilter(filters: ByMessageFilters): IsWanted | undefined {
  const { hashes, bodyHash, opcode, source, destination } = filters;
  const { received, sent } = sidesOf(filters);
  if (!received && !sent) return undefined;
  const isNamed = hashes.length === 0 ? () => true : isNamedBy(hashes);
  return (message, isReceived) =>
    (isReceived ? received : sent) &&
    isAt(senderOf(message), source) &&
    isAt(receiverOf(message), destination) &&
    (bodyHash === undefined || message.bodyHash.equals(bodyHash)) &&
    (opcode === undefined || hasOpcode(message, opcode)) &&
    isNamed(message);
}

/** Messages to read at a time. */
const BATCH = 1000;

/** A part of the list that contains the page. */
interface ListPart {
  readonly entries: readonly Entry[];
  /** How many entries of the list come before it. */
  readonly passed: number;
}

/** Walks the messages in the order of logical time until the page is certain. */
async function walkByContent(
  db: Kysely<Tables>,
  reader: TransactionReader,
  query: ByMessageQuery,
  isWanted: IsWanted,
): Promise<ListPart> {
  const { filters, sort, page } = query;
  const order = { isWanted, sort };
  if (page.after === undefined && (await areRowsTrusted(db, filters, page))) {
    const { found, passed } = await walk(db, query, createPlaces(sidesOf(filters)));
    return { entries: await readEntries(reader, found, order), passed };
  }
  const keys = byMessageOrder(filters, sort);
  const isBehind = (entry: Entry) =>
    page.after === undefined || compareKeys(keys, keysOf(keys, entry), page.after) > 0;
  const { found, passed } = await walk(db, query, async (rows) => {
    const places = rows.flatMap((row) => positionsOf(row).map((at) => ({ ...row, at })));
    return (await readEntries(reader, places, order)).filter(isBehind);
  });
  return { entries: found, passed };
}

/** A transaction that has a message, as far as rows tell. */
interface Place extends Pick<ReceivedRows, 'lt' | 'hash8'> {
  readonly at: Position;
}

/** Turns the rows of a list, in its order, into the places of transactions, each at its first message. */
function createPlaces({ received, sent }: WantedSides): (rows: readonly ReceivedRows[]) => readonly Place[] {
  const seen = new Set<Position>();
  const isNew = ({ at }: Place) => !seen.has(at) && seen.add(at);
  const isOnSide = (ordinal: number) => (ordinal === 0 ? received : sent);
  return (rows) =>
    rows.flatMap(({ lt, hash8, sides, receivers }) => {
      const own = sides.filter(({ ordinal }) => isOnSide(ordinal)).map(({ at }) => at);
      return [...own, ...(received ? receivers : [])].map((at) => ({ lt, hash8, at })).filter(isNew);
    });
}

/**
 * Walks the messages in batches until the page is certain; what is before the page is counted only. Messages of the last
 * logical time of a batch may go on in the next one, so they wait for it.
 */
async function walk<Found extends { readonly lt: bigint }>(
  db: Kysely<Tables>,
  { filters: { bodyHash, opcode, source, destination }, sort, page }: ByMessageQuery,
  toFound: (rows: readonly ReceivedRows[]) => readonly Found[] | Promise<readonly Found[]>,
): Promise<{ readonly found: readonly Found[]; readonly passed: number }> {
  const filters: MessageFilters = {
    bodyHash,
    opcode,
    source,
    destination,
    // Rows do not tell on which sides the wanted transactions are, except that opcodes are those of received messages.
    direction: opcode === undefined ? undefined : 'in',
    onlyExternals: false,
    excludeExternals: false,
    span: {},
  };
  const needed = page.offset + page.limit;
  let passed = 0;
  let found: readonly Found[] = [];
  let after = page.after && keysBefore(page.after[0]!, sort);
  for (let limit = needed + 1; ; limit *= 2) {
    limit = Math.min(limit, BATCH);
    const { rows, last } = await findWithReceivers(db, { filters, sort, page: { limit, offset: 0, after } });
    found = [...found, ...(await toFound(rows))];
    if (last === undefined) return { found, passed };
    const border = BigInt(last[0]!);
    const certain = found.filter(({ lt }) => lt !== border).length;
    if (passed + certain >= needed) return { found, passed };
    if (passed + certain <= page.offset) {
      passed += certain;
      found = found.filter(({ lt }) => lt === border);
    }
    after = last;
  }
}

/** Keys of a row before all messages of a logical time. */
function keysBefore(lt: string, sort: 'asc' | 'desc'): readonly string[] {
  return sort === 'asc' ? [lt, String(-MAX_INT64 - 1n), '-1'] : [lt, String(MAX_INT64), String(MAX_INT64)];
}

/** The transactions at some places, each once and only if its first wanted message is that of one of the places. */
async function readEntries(
  reader: TransactionReader,
  places: readonly Place[],
  { isWanted, sort }: { readonly isWanted: IsWanted; readonly sort: 'asc' | 'desc' },
): Promise<Entry[]> {
  const placed = await reader.read(places.map(({ at }) => at));
  const listed = new Set(places.map(({ lt, hash8 }) => `${lt} ${hash8}`));
  return [...placed.values()].flatMap((one) => {
    const message = firstWanted(one, isWanted, sort);
    if (message === undefined) return [];
    const lt = ltOf(message, one);
    return listed.has(`${lt} ${hashPrefix(message.hash)}`) ? [{ placed: one, lt }] : [];
  });
}

/** The first wanted message of a transaction in list order: it receives before it sends. */
function firstWanted(
  { transaction: { inMessage, outMessages } }: IndexedTransaction,
  isWanted: IsWanted,
  sort: 'asc' | 'desc',
): Message | undefined {
  const received = inMessage !== undefined && isWanted(inMessage, true) ? inMessage : undefined;
  if (sort === 'asc') return received ?? outMessages.find((message) => isWanted(message, false));
  return outMessages.findLast((message) => isWanted(message, false)) ?? received;
}
