import type { Message } from '../../chain/tlb/message.ts';
import { receiverOf, senderOf } from '../../chain/tlb/placed-transaction.ts';
import type { Db } from '../../db/tables/tables.ts';
import { mapInSlices } from '../../lib/slices.ts';
import { hashPrefix, type Position } from '../format/position.ts';
import {
  compareKeys,
  EMPTY_SLICE,
  type ListWindow,
  type OrderKey,
  signedAccountText,
  sliceOfAll,
} from './lists.ts';
import {
  areRowsTrusted,
  findWithReceivers,
  hasOpcode,
  isAt,
  ltOf,
  type MessageFilters,
  positionsOf,
  type ReceivedRows,
} from './messages.ts';
import { intersect, isTimed, MAX_INT64, readBoundsOfLt } from './time-bounds.ts';
import {
  type IndexedTransaction,
  isNamedBy,
  type TransactionReader,
  type UnreadTransaction,
} from './transaction-reader.ts';
import {
  areFew,
  createTransactionFilter,
  createUnreadFilter,
  findTransactions,
  isContradiction,
  type TransactionFilters,
  transactionKeys,
  transactionOrder,
  withoutOffset,
} from './transactions.ts';

/** Which messages the wanted transactions have: all conditions hold for one and the same message. */
export interface ByMessageFilters
  extends Pick<MessageFilters, 'bodyHash' | 'opcode' | 'direction' | 'source' | 'destination'> {
  /** Hashes or normalized hashes; an empty list does not filter. */
  readonly hashes: readonly Buffer[];
  readonly transactions: TransactionFilters;
}

interface ByMessageQuery {
  readonly filters: ByMessageFilters;
  readonly sort: 'asc' | 'desc';
  readonly page: ListWindow;
}

type ListKey = Pick<OrderKey, 'type' | 'direction'>;

/** Whether transactions are found by their own filters or by hashes of messages, which match few. */
function areFewWanted({ hashes, transactions }: ByMessageFilters): boolean {
  return hashes.length > 0 || transactions.hashes.length > 0 || areFew(transactions);
}

/**
 * The order of the list. Few transactions are sorted as in lists without filters on messages. Bodies, opcodes and accounts
 * may match millions, and their indexes are in the order of the logical time of the message.
 */
export function byMessageOrder(filters: ByMessageFilters, direction: 'asc' | 'desc'): readonly ListKey[] {
  return areFewWanted(filters) ? transactionOrder(filters.transactions, direction) : messageOrder(direction);
}

/** By the logical time of the first wanted message, the account, and the logical time of the transaction. */
function messageOrder(direction: 'asc' | 'desc'): readonly ListKey[] {
  return [
    { type: 'bigint', direction },
    { type: 'bytea', direction },
    { type: 'bigint', direction },
  ];
}

/** Reads a page of the transactions that have such messages, each once. */
export async function listByMessage(reader: TransactionReader, query: ByMessageQuery) {
  const { filters, sort, page } = query;
  const isWanted = createFilter(filters);
  if (isWanted === undefined || isContradiction(filters.transactions)) return EMPTY_SLICE;
  if (!areFewWanted(filters)) {
    const { entries, passed } = await walkByContent(reader, query, isWanted);
    const rest = { ...page, offset: page.offset - passed };
    const { items, next } = sliceOfAll(entries, messageOrder(sort), rest, keysOf);
    return { items: items.map(({ placed }) => placed), next };
  }
  const { transactions } = filters;
  const keys = transactionOrder(transactions, sort);
  const isFitting = createTransactionFilter(transactions);
  const found = await readFew(reader, filters);
  const fitting = found.filter((one) => isFitting(one) && firstWanted(one, isWanted, sort) !== undefined);
  const part = transactions.hashes.length > 0 ? withoutOffset(page) : page;
  return sliceOfAll(fitting, keys, part, (one) => transactionKeys(keys, one));
}

async function readFew(reader: TransactionReader, { hashes, transactions }: ByMessageFilters) {
  if (hashes.length > 0) return reader.readByMessage(hashes);
  if (transactions.hashes.length > 0) return reader.readByHash(transactions.hashes);
  const found: IndexedTransaction[] = [];
  for (let after: readonly string[] | undefined; ; ) {
    const page = { limit: BATCH, offset: 0, after };
    const rows = await findTransactions(reader.db, { filters: transactions, sort: 'asc', page });
    found.push(...(await reader.read(rows.map(({ at }) => at))).values());
    if (rows.length < BATCH) return found;
    after = rows.at(-1)!.keys;
  }
}

interface Entry {
  readonly placed: IndexedTransaction;
  /** Of its first wanted message. */
  readonly lt: bigint;
}

function keysOf({ placed: { account, transaction }, lt }: Entry): readonly string[] {
  return [String(lt), signedAccountText(account), String(transaction.lt)];
}

/** On which sides of messages the wanted transactions are. */
interface WantedSides {
  readonly received: boolean;
  readonly sent: boolean;
}

function sidesOf({ direction, source, destination }: ByMessageFilters): WantedSides {
  return {
    received: direction !== 'out' && destination !== null,
    sent: direction !== 'in' && source !== null,
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

const BATCH = 1000;

/** Walks the messages in the order of logical time until the page is certain. */
async function walkByContent(reader: TransactionReader, query: ByMessageQuery, isWanted: IsWanted) {
  const { filters, sort, page } = query;
  const { db } = reader;
  const order = { isWanted, sort };
  const walks = await walksOf(db, filters);
  const [only, ...others] = walks;
  if (
    only !== undefined &&
    others.length === 0 &&
    page.after === undefined &&
    isUnfiltered(filters.transactions) &&
    (await areRowsTrusted(db, filters, page))
  ) {
    const { found, passed } = await walk(db, { ...query, filters: only }, createPlaces(sidesOf(filters)));
    return { entries: await readEntries(reader, found, order), passed };
  }
  const keys = messageOrder(sort);
  const isFitting = createUnreadFilter(filters.transactions);
  const isListed = (entry: Entry) =>
    page.after === undefined || compareKeys(keys, keysOf(entry), page.after) > 0;
  const toEntries = async (rows: readonly ReceivedRows[]) => {
    const places = rows.flatMap((row) => positionsOf(row).map((at) => ({ ...row, at })));
    return (await readEntries(reader, places, { ...order, isFitting })).filter(isListed);
  };
  if (only !== undefined && others.length === 0) {
    const { found, passed } = await walk(db, { ...query, filters: only }, toEntries);
    return { entries: found, passed };
  }
  const entries = new Map<Position, Entry>();
  for (const one of walks) {
    // Nothing may be passed: what comes before the page is divided among the walks.
    const whole = { ...page, limit: page.offset + page.limit, offset: 0 };
    const { found } = await walk(db, { filters: one, sort, page: whole }, toEntries);
    for (const entry of found) entries.set(entry.placed.at, entry);
  }
  return { entries: [...entries.values()], passed: 0 };
}

/** Whether all transactions with a message are wanted. */
function isUnfiltered({ workchain, shard, accounts, excluded, span }: TransactionFilters): boolean {
  const hasBounds = Object.values(span).some((bound) => bound !== undefined);
  return (
    workchain === undefined && shard === undefined && accounts.length + excluded.length === 0 && !hasBounds
  );
}

/** A message arrives at most a day later, on a chain with 2.5 blocks per second: 86400 seconds of 2.5 million each. */
const MAX_DELIVERY_LT = 216_000_000_000n;
/** The logical times of the messages that a transaction sends follow its own. */
const MAX_SENT_LT = 1000n;

/** The messages to walk: of wanted accounts those received and those sent are walked apart, by their own indexes. */
async function walksOf(db: Db, filters: ByMessageFilters): Promise<readonly MessageFilters[]> {
  const { bodyHash, opcode, source, destination, transactions } = filters;
  const { received, sent } = sidesOf(filters);
  const { accounts, span } = transactions;
  const { startLt, endLt } = intersect(span, isTimed(span) ? await readBoundsOfLt(db, span) : {});
  const all: MessageFilters = {
    bodyHash,
    opcode,
    source,
    destination,
    // Rows do not tell on which sides the wanted transactions are, but whether a message has a receiver.
    direction: sent ? undefined : 'in',
    onlyExternals: false,
    excludeExternals: false,
    span: {},
    ofTransactions: transactions,
    reach: {
      startLt: startLt === undefined || startLt < MAX_DELIVERY_LT ? undefined : startLt - MAX_DELIVERY_LT,
      endLt: endLt === undefined ? undefined : endLt + MAX_SENT_LT,
    },
  };
  if (accounts.length === 0) return [all];
  return [
    ...(received ? [{ ...all, direction: 'in' as const, destinations: accounts }] : []),
    ...(sent ? [{ ...all, direction: 'out' as const, sources: accounts }] : []),
  ];
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

/** Most lists are found in so few rows, for which a simple statement takes the least time. */
const DENSE = 50;

interface MessageWalk extends Omit<ByMessageQuery, 'filters'> {
  readonly filters: MessageFilters;
}

/**
 * Walks the messages in batches until the page is certain; what is before the page is counted only. Messages of the last
 * logical time of a batch may go on in the next one, so they wait for it.
 */
async function walk<Found extends { readonly lt: bigint }>(
  db: Db,
  { filters, sort, page }: MessageWalk,
  toFound: (rows: readonly ReceivedRows[]) => readonly Found[] | Promise<readonly Found[]>,
): Promise<{ readonly found: readonly Found[]; readonly passed: number }> {
  const needed = page.offset + page.limit;
  let passed = 0;
  let found: readonly Found[] = [];
  let after = page.after && keysBefore(page.after[0]!, sort);
  for (let limit = needed + 1; ; limit *= 2) {
    limit = Math.min(limit, BATCH);
    const { rows, last } = await findWithReceivers(db, {
      filters: limit > DENSE ? filters : { ...filters, ofTransactions: undefined },
      sort,
      page: { limit, offset: 0, after },
    });
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

interface EntryOrder {
  readonly isWanted: IsWanted;
  /** Known before the transactions are read, which takes far longer. */
  readonly isFitting?: (one: UnreadTransaction) => boolean;
  readonly sort: 'asc' | 'desc';
}

/** The fitting transactions at some places, each once and only if its first wanted message is that of one of the places. */
async function readEntries(
  reader: TransactionReader,
  places: readonly Place[],
  { isWanted, isFitting, sort }: EntryOrder,
): Promise<Entry[]> {
  const positions = places.map(({ at }) => at);
  const placed = await reader.read(positions, isFitting);
  const listed = new Set(places.map(({ lt, hash8 }) => `${lt} ${hash8}`));
  const toEntry = (one: IndexedTransaction): Entry[] => {
    const message = firstWanted(one, isWanted, sort);
    if (message === undefined) return [];
    const lt = ltOf(message, one);
    return listed.has(`${lt} ${hashPrefix(message.hash)}`) ? [{ placed: one, lt }] : [];
  };
  return (await mapInSlices([...placed.values()], toEntry, reader.signal)).flat();
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
