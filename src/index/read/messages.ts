import { type RawBuilder, sql } from 'kysely';
import { type Message, readMessage } from '../../chain/tlb/message.ts';
import { receiverOf, senderOf } from '../../chain/tlb/placed-transaction.ts';
import { readRows } from '../../db/driver.ts';
import type { Db } from '../../db/tables/tables.ts';
import { bytesKey, type HashKey } from '../../lib/bytes-key.ts';
import type { JsonText } from '../../lib/json-text.ts';
import { mapInSlices } from '../../lib/slices.ts';
import { accountPrefix, accountPrefixes, hashPrefix, type Position } from '../format/position.ts';
import { isShown } from '../snapshot.ts';
import {
  allOf,
  areLoneAccounts,
  bytesText,
  hashOfKey,
  type ListSlice,
  type ListWindow,
  type OrderKey,
  readCheckedList,
  sliceOfAll,
  sliceParts,
} from './lists.ts';
import { type ReadyCache, ReadyText } from './ready-cache.ts';
import {
  findTimeWindow,
  inStoredSpan,
  intersect,
  isTimed,
  isWithin,
  MAX_INT64,
  readTimeRange,
  type Span,
  unixTimeOf,
} from './time-bounds.ts';
import { locateByMessage, locateReceivers } from './transaction-pages.ts';
import {
  type IndexedTransaction,
  isNamedBy,
  type OutlinedTransaction,
  type TransactionReader,
} from './transaction-reader.ts';
import { createRowCondition, isOneOf, type TransactionFilters } from './transactions.ts';

export interface MessageFilters {
  readonly bodyHash?: Buffer | undefined;
  /** An account, or null for external messages. */
  readonly source?: Buffer | null | undefined;
  /** An account, or null for messages to outside the chain. */
  readonly destination?: Buffer | null | undefined;
  readonly sources?: readonly Buffer[] | undefined;
  readonly destinations?: readonly Buffer[] | undefined;
  readonly opcode?: number | undefined;
  /** Only received, or only sent. */
  readonly direction?: 'in' | 'out' | undefined;
  readonly onlyExternals: boolean;
  readonly excludeExternals: boolean;
  /** Of the creation of messages, which external messages do not have. */
  readonly span: Span;
  /** Logical times in the list beyond which nothing is wanted. */
  readonly reach?: Pick<Span, 'startLt' | 'endLt'> | undefined;
  /** Messages that no such transaction sent or received may be left out. */
  readonly ofTransactions?: TransactionFilters | undefined;
}

interface MessageKey extends Pick<OrderKey, 'type' | 'direction'> {
  readonly name: 'lt' | 'created_at' | 'hash';
}

interface MessageList {
  readonly filters: MessageFilters;
  readonly sort: 'asc' | 'desc';
}

/** The order of a list of messages; external messages are placed where they were received. */
export function messageOrder({ filters: { span }, sort }: MessageList): readonly MessageKey[] {
  return [
    { name: isTimed(span) ? 'created_at' : 'lt', type: 'bigint', direction: sort },
    { name: 'hash', type: 'bytea', direction: sort },
  ];
}

interface RowSide {
  readonly at: Position;
  /** 0 at the receiver; otherwise the number of the out message. */
  readonly ordinal: number;
}

/** The rows of a message. They hold prefixes, so the message itself must be checked; it may even be two messages. */
interface MessageRows {
  readonly lt: bigint;
  readonly hash8: bigint;
  /** Where it was sent, or, if that is not in the index or in an older partition, where it was received; or both. */
  readonly sides: readonly RowSide[];
}

interface FoundMessages {
  readonly rows: readonly MessageRows[];
  /** Of the index: changes whenever indexed blocks are taken back. Undefined without rows. */
  readonly history: string | undefined;
  /** The keys of the last row; undefined at the end of the list. */
  readonly last: readonly string[] | undefined;
}

interface RowsQuery extends MessageList {
  /** Its `after` has the keys of a row. */
  readonly page: ListWindow;
}

const CREATED_AT = unixTimeOf(sql`created_at`);

/** What rows are ordered by: the keys of the list, with the prefix of the hash, and the logical time. */
function rowOrder({ filters: { span }, sort }: MessageList): readonly OrderKey[] {
  const columns = [isTimed(span) ? CREATED_AT : sql`lt`, sql`hash8`, sql`lt`];
  return columns.map((by) => ({ by, type: 'bigint', direction: sort }));
}

/** The keys of a row just before all rows that may be those of a message, which is given by its keys in a cursor. */
function messageRowKeysBefore({ sort }: MessageList, after: readonly string[]): readonly string[] {
  const [first, hash] = after as [string, string];
  return [first, String(hashPrefix(hashOfKey(hash))), sort === 'asc' ? '-1' : String(MAX_INT64)];
}

/** Rows of a message: one where it was sent, and one where it was received if the index may keep that one longer. */
const ROWS_PER_MESSAGE = 2;

interface FoundRow {
  readonly lt: string;
  readonly hash8: string;
  readonly positions: readonly string[];
  readonly ordinals: readonly number[];
  readonly keys: readonly string[];
  readonly total: string;
  readonly history: string | null;
  /** In the list, counted from 1, if rows are left out. */
  readonly place?: string;
}

/** Finds the messages of a page, in list order. Whether messages were received is not known. */
async function findMessages(db: Db, query: RowsQuery): Promise<FoundMessages> {
  const { filters, page } = query;
  if (isContradictory(filters)) return { rows: [], history: undefined, last: undefined };
  const { where: after, order, tail, cursor } = sliceParts(rowOrder(query), page);
  const conditions = [after, ...conditionsOf(filters), isShown(db, sql`mc_seqno`)];
  const reach = await reachOf(db, query, conditions);
  const where = allOf([inStoredSpan(reach, sql`created_at`, sql`lt`), ...conditions]);
  const maxRows = ROWS_PER_MESSAGE * (page.offset + page.limit);
  const source = isTimed(filters.span)
    ? sql`(select * from messages where ${where} offset 0) found`
    : firstRows(where, query, maxRows);
  const isPossible = filters.ofTransactions && mayBeOf(db, filters.ofTransactions);
  const marks =
    isPossible === undefined
      ? sql``
      : sql`, count(*) over () as listed, row_number() over (${order}) as place, bool_or(${isPossible}) as "isPossible"`;
  const list = sql`
    select lt, hash8, array_agg(at order by ordinal) as positions, array_agg(ordinal order by ordinal) as ordinals,
      ${cursor} as keys, sum(count(*)) over () as total, (select history_id::text from index_origin) as history ${marks}
    from ${source} group by ${isTimed(filters.span) ? sql`created_at, ` : sql``} lt, hash8 ${tail}`;
  // The last row says where to go on.
  const lastPlace = page.offset + page.limit;
  const rows =
    isPossible === undefined
      ? await readRows<FoundRow>(db)`${list}`
      : await readRows<FoundRow>(db)`
        select * from (${list}) one where "isPossible" or place = least(listed, ${lastPlace}) order by place`;
  const { total = 0, place = rows.length + page.offset } = rows.at(-1) ?? {};
  const isEnd = Number(place) < lastPlace && Number(total) < maxRows;
  const history = rows[0]?.history ?? undefined;
  return {
    rows: await mapInSlices(rows, toRows),
    history,
    last: isEnd ? undefined : rows.at(-1)!.keys,
  };
}

/** The condition that a transaction that sent or received the message of a row may be wanted, as far as rows tell. */
function mayBeOf(db: Db, filters: TransactionFilters): RawBuilder<unknown> | undefined {
  const isPossible = createRowCondition(db, filters);
  if (isPossible === undefined) return undefined;
  const account = sql`case when ordinal = 0 then dst8 else src8 end`;
  const isOwn = isPossible({ acc8: account, mcSeqno: sql`found.mc_seqno`, lt: undefined });
  const received = { acc8: sql`received.acc8`, mcSeqno: sql`received.mc_seqno`, lt: sql`received.lt` };
  return sql`(${isOwn} or (ordinal > 0 and exists (
    select from transactions received where received.in8 = found.hash8 and ${isPossible(received)} offset 0)))`;
}

function toRows({ lt, hash8, positions, ordinals }: FoundRow): MessageRows {
  return {
    lt: BigInt(lt),
    hash8: BigInt(hash8),
    sides: positions.map((at, i) => ({ at: Number(at), ordinal: ordinals[i]! })),
  };
}

/** The first rows in the order of lt; the planner must not choose another order. */
function firstRows(where: RawBuilder<unknown>, { sort }: MessageList, count: number): RawBuilder<unknown> {
  const direction = sql.raw(sort);
  return sql`(select * from messages where ${where}
    order by lt ${direction}, hash8 ${direction} limit ${count}) found`;
}

/** A span that contains the page: rows are indexed by lt, so a page in the order of time is sorted from those around it. */
async function reachOf(db: Db, query: RowsQuery, conditions: readonly RawBuilder<unknown>[]) {
  const { filters, sort, page } = query;
  const { span } = filters;
  if (!isTimed(span)) {
    const after = page.after?.[0] === undefined ? undefined : BigInt(page.after[0]);
    const rest = intersect(span, sort === 'asc' ? { startLt: after } : { endLt: after });
    return filters.reach === undefined ? rest : intersect(rest, filters.reach);
  }
  return findTimeWindow(db, { span, sort, page }, (rest, count) => {
    const where = allOf([inStoredSpan(rest, sql`created_at`, sql`lt`), ...conditions]);
    const taken = sql`select ${CREATED_AT} as time from ${firstRows(where, query, ROWS_PER_MESSAGE * count)}
      group by created_at, lt, hash8 order by lt ${sql.raw(sort)} limit ${count}`;
    return readTimeRange(db, { query: taken, count });
  });
}

function isExternal({ source, onlyExternals }: MessageFilters): boolean {
  return onlyExternals || source === null;
}

/** Whether only messages with a time of creation are wanted: all but external ones to an account. */
function hasCreation({ source, excludeExternals, span }: MessageFilters): boolean {
  return Boolean(source) || excludeExternals || Object.values(span).some((bound) => bound !== undefined);
}

/** Whether filters contradict each other: a search for rows that cannot exist would scan to the end. */
function isContradictory(filters: MessageFilters): boolean {
  const { destination, direction } = filters;
  if (isExternal(filters) && (hasCreation(filters) || direction === 'out')) return true;
  return destination === null && (direction === 'in' || isExternal(filters));
}

function conditionsOf(filters: MessageFilters): RawBuilder<unknown>[] {
  const { bodyHash, source, destination, sources, destinations, opcode, direction } = filters;
  const conditions: RawBuilder<unknown>[] = [];
  if (bodyHash !== undefined) conditions.push(sql`body8 = ${hashPrefix(bodyHash)}`);
  if (source) conditions.push(sql`src8 = ${accountPrefix(source)}`);
  if (destination) conditions.push(sql`dst8 = ${accountPrefix(destination)}`);
  if (destination === null) conditions.push(sql`dst8 is null`);
  if (sources !== undefined) conditions.push(isOneOf(sql`src8`, accountPrefixes(sources)));
  if (destinations !== undefined) conditions.push(isOneOf(sql`dst8`, accountPrefixes(destinations)));
  if (direction === 'in') conditions.push(sql`dst8 is not null`);
  if (opcode !== undefined) conditions.push(sql`opcode = ${opcode}`);
  if (direction === 'out') conditions.push(sql`ordinal > 0`);
  if (hasCreation(filters)) conditions.push(sql`created_at is not null`);
  if (isExternal(filters)) conditions.push(sql`created_at is null`);
  return conditions;
}

/** A side of a message: the transaction that received or sent it. */
type MessageSide = Pick<OutlinedTransaction, 'hash' | 'account' | 'hasExtraFlags'>;

/** A message with its transactions, as far as they are wanted and in the index. */
export interface ListedMessage extends MessageHead {
  readonly message: Message;
  readonly receiver: MessageSide | undefined;
  readonly sender: MessageSide | undefined;
  /** By which it may be cached, if nothing but its history can change what is shown of it. */
  readonly origin: MessageOrigin | undefined;
}

/** The rows of a message that was read, and the history of the index then. */
interface MessageOrigin {
  readonly key: string;
  readonly history: string;
}

/** A message of the index, or all that responses show of it. */
export type FoundMessage = ListedMessage | ReadyMessage;

interface MessagesQuery {
  /** Hashes or normalized hashes; an empty list does not filter. */
  readonly hashes: readonly Buffer[];
  readonly filters: MessageFilters;
  readonly sort: 'asc' | 'desc';
  readonly page: ListWindow;
}

export async function listMessages(
  reader: TransactionReader,
  { hashes, filters, sort, page }: MessagesQuery,
): Promise<ListSlice<FoundMessage>> {
  const list = { filters, sort };
  const keys = messageOrder(list);
  const textsOf = (one: FoundMessage) => keysOf(keys, one);
  const isWanted = createMessageFilter(filters);
  if (hashes.length > 0) {
    const found = await findByHash(reader, { hashes, filters });
    return sliceOfAll(found.filter(isWanted), keys, page, textsOf);
  }
  return readCheckedList({
    keys,
    page,
    skips: await skipsOf(reader.db, filters, page),
    rowKeysBefore: (after) => messageRowKeysBefore(list, after),
    find: (part) => findWithReceivers(reader.db, { ...list, page: part }, reader.cache),
    read: async (rows) => (await readMessages(reader, rows, list)).filter(isWanted),
    keysOf: textsOf,
  });
}

/** Finds messages by hash, with their wanted sides, in no particular order. */
async function findByHash(
  reader: TransactionReader,
  { hashes, filters }: Pick<MessagesQuery, 'hashes' | 'filters'>,
): Promise<FoundMessage[]> {
  const { db, cache } = reader;
  const readFrom = (transactions: Iterable<IndexedTransaction>) =>
    messagesOf(transactions, isNamedBy(hashes)).map((one) => withSides(one, filters));
  const [only, ...others] = hashes;
  if (cache === undefined || others.length > 0) return readFrom(await reader.readByMessage(hashes));
  // What was shown before needs no pages. A side that is indexed later adds a position.
  const { positions, history } = await locateByMessage(db, hashes);
  const key = `message ${filters.direction} ${bytesKey(only!)} ${positions}`;
  const origin = history === undefined ? undefined : { key, history };
  const shown = origin && cache.find(ReadyMessage, key, origin);
  if (shown !== undefined) return [shown];
  const found = readFrom((await reader.read(positions)).values());
  return found.length === 1 ? found.map((one) => ({ ...one, origin })) : found;
}

/** How messages before a page are skipped: rows do not tell whether a message was received. */
async function skipsOf(db: Db, filters: MessageFilters, page: ListWindow) {
  if (!(await areRowsTrusted(db, filters, page))) return 'read';
  return filters.direction === 'in' ? 'unread' : 'unseen';
}

/** Offsets up to which bodies are compared: to read millions of messages with a common body would take minutes. */
const MAX_COMPARED = 1000;

/** Whether messages before a page can be skipped by what their rows tell: prefixes of accounts and of bodies. */
export async function areRowsTrusted(
  db: Db,
  { bodyHash, source, destination }: Pick<MessageFilters, 'bodyHash' | 'source' | 'destination'>,
  { offset }: ListWindow,
): Promise<boolean> {
  if (offset === 0 || (bodyHash !== undefined && offset <= MAX_COMPARED)) return false;
  return areLoneAccounts(
    db,
    [source, destination].flatMap((account) => account ?? []),
  );
}

/** The messages of transactions that fit, each once, with their transactions among the given ones. */
function messagesOf(transactions: Iterable<IndexedTransaction>, isFitting: (message: Message) => boolean) {
  const found = new Map<string, ListedMessage>();
  const add = (message: Message, side: Sides, lt: bigint) => {
    if (!isFitting(message)) return;
    const key = `${bytesKey(message.hash)}${lt}`;
    found.set(key, toListed(message, lt, { ...found.get(key), ...side }));
  };
  for (const one of transactions) {
    const { inMessage, outMessages } = one.transaction;
    if (inMessage !== undefined) add(inMessage, { receiver: one }, ltOf(inMessage, one));
    for (const message of outMessages) add(message, { sender: one }, ltOf(message, one));
  }
  return [...found.values()];
}

type Sides = Partial<Pick<ListedMessage, 'receiver' | 'sender'>>;

function toListed(message: Message, lt: bigint, { receiver, sender }: Sides): ListedMessage {
  const { info, hash, bodyHash, opcode } = message;
  return {
    message,
    hash,
    bodyHash,
    opcode,
    source: senderOf(message),
    destination: receiverOf(message),
    lt,
    createdAt: info.kind === 'external-in' ? undefined : info.createdAt,
    receiver,
    sender,
    origin: undefined,
  };
}

/** The logical time of a message in lists. */
export function ltOf({ info }: Message, { lt }: Pick<IndexedTransaction, 'lt'>): bigint {
  return info.kind === 'external-in' ? lt : info.createdLt;
}

/** The rows of a message, and where else it was received, by the prefix of its hash. */
export interface ReceivedRows extends MessageRows {
  readonly receivers: readonly Position[];
  /** By which it may be cached. */
  readonly origin: MessageOrigin | undefined;
  /** What other responses showed of it; then its receivers are not looked up. */
  readonly shown: ReadyMessage | undefined;
}

/** Finds messages with their receivers. Messages are only left out because of the side if they were not received. */
export async function findWithReceivers(db: Db, query: RowsQuery, cache?: ReadyCache) {
  const { direction } = query.filters;
  const { rows, history, last } = await findMessages(db, query);
  const found = await mapInSlices(rows, (row) => {
    const origin = history === undefined ? undefined : { key: keyOf(row, direction), history };
    return { ...row, origin, shown: origin && cache?.find(ReadyMessage, origin.key, origin) };
  });
  const isSent = ({ sides }: MessageRows) => sides.every(({ ordinal }) => ordinal > 0);
  const sent = direction === 'out' ? [] : found.filter((row) => row.shown === undefined && isSent(row));
  const located = await locateReceivers(db, [...new Set(sent.map(({ hash8 }) => hash8))]);
  const receivers = Map.groupBy(located, ({ in8 }) => in8);
  const all = found.map((row) => ({
    ...row,
    receivers: isSent(row) ? (receivers.get(row.hash8) ?? []).map(({ at }) => at) : [],
  }));
  const isReceived = (row: ReceivedRows) =>
    row.shown !== undefined || row.receivers.length > 0 || !isSent(row);
  return { rows: direction === 'in' ? all.filter(isReceived) : all, last };
}

/** What tells the rows of a message apart in a cache. The sides that are shown depend on the direction. */
function keyOf({ lt, sides }: MessageRows, direction: MessageFilters['direction']): string {
  return `message ${direction} ${lt} ${sides.map(({ at, ordinal }) => `${at}:${ordinal}`)}`;
}

/** The transactions that a message may belong to. */
export function positionsOf({ sides, receivers }: ReceivedRows): readonly Position[] {
  return [...sides.map(({ at }) => at), ...receivers];
}

/** Reads the messages of rows with their wanted transactions, in list order. */
async function readMessages(
  reader: TransactionReader,
  rows: readonly ReceivedRows[],
  { filters, sort }: Pick<MessagesQuery, 'filters' | 'sort'>,
): Promise<FoundMessage[]> {
  const sign = sort === 'asc' ? 1 : -1;
  const unread = rows.filter(({ shown }) => shown === undefined);
  const outlines = await reader.readOutlines(unread.flatMap(positionsOf));
  const read = (row: ReceivedRows): readonly FoundMessage[] => {
    if (row.shown !== undefined) return [row.shown];
    const found = messagesOfRows(row, outlines).map((one) => withSides(one, filters));
    if (found.length > 1) return found.sort((a, b) => sign * a.hash.compare(b.hash));
    return found.map((one) => ({ ...one, origin: isComplete(one, filters) ? row.origin : undefined }));
  };
  return (await mapInSlices(rows, read, reader.signal)).flat();
}

/** The messages of rows: more than one if their prefixes are the same. */
function messagesOfRows(row: ReceivedRows, outlines: ReadonlyMap<Position, OutlinedTransaction>) {
  const found = new Map<HashKey, { readonly at: MessageAt; readonly sides: Sides }>();
  const add = (one: OutlinedTransaction, cell: number, side: Sides, isOwn: boolean) => {
    if (cell < 0) return;
    const { cells } = one.outline;
    const key = bytesKey(cells.hash(cell, 0));
    const known = found.get(key);
    if (known === undefined && !isOwn) return;
    found.set(key, { at: { one, cell }, sides: { ...known?.sides, ...side } });
  };
  for (const { at, ordinal } of row.sides) {
    const one = outlines.get(at);
    if (one === undefined) continue;
    const { inMessage, outMessages } = one.outline;
    if (ordinal === 0) add(one, inMessage, { receiver: one }, true);
    else add(one, outMessages[ordinal - 1] ?? -1, { sender: one }, true);
  }
  for (const at of row.receivers) {
    const one = outlines.get(at);
    if (one !== undefined) add(one, one.outline.inMessage, { receiver: one }, false);
  }
  return [...found.values()].flatMap(({ at: { one, cell }, sides }) => {
    const message = readMessage(one.outline.cells, cell);
    const lt = ltOf(message, one.outline);
    return lt === row.lt ? [toListed(message, lt, sides)] : [];
  });
}

interface MessageAt {
  readonly one: OutlinedTransaction;
  readonly cell: number;
}

function withSides(one: ListedMessage, { direction }: MessageFilters): ListedMessage {
  return {
    ...one,
    receiver: direction === 'out' ? undefined : one.receiver,
    sender: direction === 'in' ? undefined : one.sender,
  };
}

/** Whether a message has all wanted sides: its receiver may be indexed later. A sender that is indexed later adds a row. */
function isComplete({ message, receiver, sender }: ListedMessage, { direction }: MessageFilters): boolean {
  if (direction === 'out') return sender !== undefined;
  return receiver !== undefined || message.info.kind === 'external-out';
}

function createMessageFilter(filters: MessageFilters): (one: FoundMessage) => boolean {
  const { bodyHash, source, destination, opcode, direction, span } = filters;
  const hasSpan = Object.values(span).some((bound) => bound !== undefined);
  const hasSide = (one: ListedMessage) => (direction === 'in' ? one.receiver : one.sender) !== undefined;
  return (one) =>
    // What was shown has the wanted sides.
    (direction === undefined || one instanceof ReadyMessage || hasSide(one)) &&
    isAt(one.source, source) &&
    isAt(one.destination, destination) &&
    (bodyHash === undefined || one.bodyHash.equals(bodyHash)) &&
    (opcode === undefined || hasOpcode(one, opcode)) &&
    !(filters.excludeExternals && one.createdAt === undefined) &&
    !(filters.onlyExternals && one.createdAt !== undefined) &&
    (!hasSpan || (one.createdAt !== undefined && isWithin(span, BigInt(one.createdAt), one.lt)));
}

/** Whether an end of a message is the wanted account, or none if null is wanted. */
export function isAt(account: Buffer | undefined, wanted: Buffer | null | undefined): boolean {
  if (wanted === undefined) return true;
  return wanted === null ? account === undefined : account?.equals(wanted) === true;
}

/** Whether a message has an opcode, given as a signed number. */
export function hasOpcode({ opcode: own }: Pick<Message, 'opcode'>, opcode: number): boolean {
  return own !== undefined && (own | 0) === opcode;
}

function keysOf(keys: readonly MessageKey[], { hash, lt, createdAt = 0 }: MessageHead): readonly string[] {
  return keys.map(({ name }) => (name === 'hash' ? bytesText(hash) : String(name === 'lt' ? lt : createdAt)));
}

/** What lists need to know of a message. */
export interface MessageHead extends Pick<Message, 'hash' | 'bodyHash' | 'opcode'> {
  /** Undefined for messages from outside; accounts have 33 bytes. */
  readonly source: Buffer | undefined;
  /** Undefined for messages to outside. */
  readonly destination: Buffer | undefined;
  /** The logical time of its creation, of an external message that of the transaction that received it. */
  readonly lt: bigint;
  /** Undefined for messages from outside. */
  readonly createdAt: number | undefined;
}

/** A message as lists show it, without its cells. */
export class ReadyMessage extends ReadyText implements MessageHead {
  readonly lt: bigint;
  readonly createdAt: number | undefined;
  readonly opcode: number | undefined;
  readonly #hasSource: boolean;
  readonly #hasDestination: boolean;

  constructor(head: MessageHead, text: JsonText) {
    const { hash, bodyHash, source, destination } = head;
    super(
      text,
      [hash, bodyHash],
      [source, destination].flatMap((account) => account ?? []),
    );
    this.lt = head.lt;
    this.createdAt = head.createdAt;
    this.opcode = head.opcode;
    this.#hasSource = source !== undefined;
    this.#hasDestination = destination !== undefined;
  }

  get hash(): Buffer {
    return this.hashAt(0);
  }

  get bodyHash(): Buffer {
    return this.hashAt(1);
  }

  get source(): Buffer | undefined {
    return this.#hasSource ? this.accountAt(0) : undefined;
  }

  get destination(): Buffer | undefined {
    return this.#hasDestination ? this.accountAt(Number(this.#hasSource)) : undefined;
  }
}
