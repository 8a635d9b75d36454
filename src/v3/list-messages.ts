import type { Kysely } from 'kysely';
import { type Message, readMessage } from '../chain/tlb/message.ts';
import type { Tables } from '../db/tables/tables.ts';
import type { Position } from '../index/format/position.ts';
import { findLoneAccounts } from '../index/read/accounts.ts';
import {
  findMessages,
  type MessageFilters,
  type MessageKey,
  type MessageRows,
  messageOrder,
  messageRowKeysBefore,
} from '../index/read/messages.ts';
import type { Page } from '../index/read/pages.ts';
import { locateByMessage, locateReceivers } from '../index/read/transaction-positions.ts';
import { bytesKey, type HashKey } from '../lib/bytes-key.ts';
import { mapInSlices } from '../lib/slices.ts';
import { bytesText, type ListedPage, pageOfAll, readCheckedPage } from './checked-list.ts';
import {
  type IndexedTransaction,
  isNamedBy,
  type OutlinedTransaction,
  type TransactionReader,
} from './indexed-transactions.ts';
import { isWithin } from './list-transactions.ts';
import { receiverOf, senderOf } from './placed-transaction.ts';
import type { ShownCache } from './shown-cache.ts';
import { type MessageHead, ShownMessage } from './shown-message.ts';

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
export type FoundMessage = ListedMessage | ShownMessage;

interface MessagesQuery {
  /** Hashes or normalized hashes; an empty list does not filter. */
  readonly hashes: readonly Buffer[];
  readonly filters: MessageFilters;
  readonly sort: 'asc' | 'desc';
  readonly page: Page;
  readonly cache?: ShownCache | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads a page of messages. */
export async function listMessages(
  db: Kysely<Tables>,
  reader: TransactionReader,
  { hashes, filters, sort, page, cache, signal }: MessagesQuery,
): Promise<ListedPage<FoundMessage>> {
  const list = { filters, sort };
  const keys = messageOrder(list);
  const textsOf = (one: FoundMessage) => keysOf(keys, one);
  const isWanted = createMessageFilter(filters);
  if (hashes.length > 0) {
    const found = await findByHash(db, reader, { hashes, filters, cache });
    return pageOfAll(found.filter(isWanted), keys, page, textsOf);
  }
  return readCheckedPage({
    keys,
    page,
    skips: await skipsOf(db, filters, page),
    rowKeysBefore: (after) => messageRowKeysBefore(list, after),
    find: (part) => findWithReceivers(db, { ...list, page: part }, cache),
    read: async (rows) => (await readMessages(reader, rows, { ...list, signal })).filter(isWanted),
    keysOf: textsOf,
  });
}

/** Finds messages by hash, with their wanted sides, in no particular order. */
async function findByHash(
  db: Kysely<Tables>,
  reader: TransactionReader,
  { hashes, filters, cache }: Pick<MessagesQuery, 'hashes' | 'filters' | 'cache'>,
): Promise<FoundMessage[]> {
  const readFrom = (transactions: Iterable<IndexedTransaction>) =>
    messagesOf(transactions, isNamedBy(hashes)).map((one) => withSides(one, filters));
  const [only, ...others] = hashes;
  if (cache === undefined || others.length > 0) return readFrom(await reader.readByMessage(hashes));
  // What was shown before needs no pages. A side that is indexed later adds a position.
  const { positions, history } = await locateByMessage(db, { hashes });
  const key = `message ${filters.direction} ${bytesKey(only!)} ${positions}`;
  const origin = history === undefined ? undefined : { key, history };
  const shown = origin && cache.find(ShownMessage, key, origin);
  if (shown !== undefined) return [shown];
  const found = readFrom((await reader.read(positions)).values());
  return found.length === 1 ? found.map((one) => ({ ...one, origin })) : found;
}

/** How messages before a page are skipped: rows do not tell whether a message was received. */
async function skipsOf(
  db: Kysely<Tables>,
  filters: MessageFilters,
  page: Page,
): Promise<'unseen' | 'unread' | 'read'> {
  if (!(await areRowsTrusted(db, filters, page))) return 'read';
  return filters.direction === 'in' ? 'unread' : 'unseen';
}

/** Offsets up to which bodies are compared: to read millions of messages with a common body would take minutes. */
const MAX_COMPARED = 1000;

/** Whether messages before a page can be skipped by what their rows tell: prefixes of accounts and of bodies. */
export async function areRowsTrusted(
  db: Kysely<Tables>,
  { bodyHash, source, destination }: Pick<MessageFilters, 'bodyHash' | 'source' | 'destination'>,
  { offset }: Page,
): Promise<boolean> {
  if (offset === 0 || (bodyHash !== undefined && offset <= MAX_COMPARED)) return false;
  const accounts = [source, destination].flatMap((account) => account ?? []);
  return (await findLoneAccounts(db, { accounts })).length === accounts.length;
}

/** The messages of transactions that fit, each once, with their transactions among the given ones. */
function messagesOf(
  transactions: Iterable<IndexedTransaction>,
  isFitting: (message: Message) => boolean,
): ListedMessage[] {
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
  readonly shown: ShownMessage | undefined;
}

/** Finds messages with their receivers. Messages are only left out because of the side if they were not received. */
export async function findWithReceivers(
  db: Kysely<Tables>,
  query: Parameters<typeof findMessages>[1],
  cache?: ShownCache,
): Promise<{ readonly rows: readonly ReceivedRows[]; readonly last: readonly string[] | undefined }> {
  const { direction } = query.filters;
  const { rows, history, last } = await findMessages(db, query);
  const found = rows.map((row) => {
    const origin = history === undefined ? undefined : { key: keyOf(row, direction), history };
    return { ...row, origin, shown: origin && cache?.find(ShownMessage, origin.key, origin) };
  });
  const isSent = ({ sides }: MessageRows) => sides.every(({ ordinal }) => ordinal > 0);
  const sent = direction === 'out' ? [] : found.filter((row) => row.shown === undefined && isSent(row));
  const located = await locateReceivers(db, { prefixes: [...new Set(sent.map(({ hash8 }) => hash8))] });
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
  { filters, sort, signal }: Pick<MessagesQuery, 'filters' | 'sort' | 'signal'>,
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
  return (await mapInSlices(rows, read, signal)).flat();
}

/** The messages of rows: more than one if their prefixes are the same. */
function messagesOfRows(
  row: ReceivedRows,
  outlines: ReadonlyMap<Position, OutlinedTransaction>,
): ListedMessage[] {
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

/** The cell of a message in one of its transactions. */
interface MessageAt {
  readonly one: OutlinedTransaction;
  readonly cell: number;
}

/** A message with its wanted sides. */
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

/** The test that a message fits the filters. */
function createMessageFilter(filters: MessageFilters): (one: FoundMessage) => boolean {
  const { bodyHash, source, destination, opcode, direction, span } = filters;
  const hasSpan = Object.values(span).some((bound) => bound !== undefined);
  const hasSide = (one: ListedMessage) => (direction === 'in' ? one.receiver : one.sender) !== undefined;
  return (one) =>
    // What was shown has the wanted sides.
    (direction === undefined || one instanceof ShownMessage || hasSide(one)) &&
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

/** The keys of a message, as in cursors. */
function keysOf(keys: readonly MessageKey[], { hash, lt, createdAt = 0 }: MessageHead): readonly string[] {
  const texts = {
    lt: () => String(lt),
    created_at: () => String(createdAt),
    hash: () => bytesText(hash),
  };
  return keys.map(({ name }) => texts[name]());
}
