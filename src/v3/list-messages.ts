import type { Kysely } from 'kysely';
import type { Message } from '../chain/tlb/message.ts';
import { findLoneAccounts } from '../db/queries/accounts.ts';
import {
  findMessages,
  type MessageFilters,
  type MessageKey,
  type MessageRows,
  messageOrder,
  messageRowKeysBefore,
} from '../db/queries/messages.ts';
import type { Page } from '../db/queries/pages.ts';
import { locateReceivers } from '../db/queries/transaction-positions.ts';
import type { Tables } from '../db/tables.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import type { Position } from '../pages/position.ts';
import { bytesText, type ListedPage, pageOfAll, readCheckedPage } from './checked-list.ts';
import { type IndexedTransaction, isNamedBy, type TransactionReader } from './indexed-transactions.ts';
import { isWithin } from './list-transactions.ts';
import { receiverOf, senderOf } from './placed-transaction.ts';

/** A message with its transactions, as far as they are wanted and in the index. */
export interface ListedMessage {
  readonly message: Message;
  /** The logical time of its creation, of an external message that of the transaction that received it. */
  readonly lt: bigint;
  readonly receiver: IndexedTransaction | undefined;
  readonly sender: IndexedTransaction | undefined;
}

interface MessagesQuery {
  /** Hashes or normalized hashes; an empty list does not filter. */
  readonly hashes: readonly Buffer[];
  readonly filters: MessageFilters;
  readonly sort: 'asc' | 'desc';
  readonly page: Page;
}

/** Reads a page of messages. */
export async function listMessages(
  db: Kysely<Tables>,
  reader: TransactionReader,
  { hashes, filters, sort, page }: MessagesQuery,
): Promise<ListedPage<ListedMessage>> {
  const list = { filters, sort };
  const keys = messageOrder(list);
  const textsOf = (one: ListedMessage) => keysOf(keys, one);
  const isWanted = createMessageFilter(filters);
  if (hashes.length > 0) {
    const found = messagesOf(await reader.readByMessage(hashes), isNamedBy(hashes));
    return pageOfAll(
      found.flatMap((one) => withSides(one, filters, isWanted)),
      keys,
      page,
      textsOf,
    );
  }
  return readCheckedPage({
    keys,
    page,
    skips: await skipsOf(db, filters, page),
    rowKeysBefore: (after) => messageRowKeysBefore(list, after),
    find: (part) => findWithReceivers(db, { ...list, page: part }),
    read: async (rows) => {
      const found = await readMessages(reader, rows, sort);
      return found.flatMap((one) => withSides(one, filters, isWanted));
    },
    keysOf: textsOf,
  });
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
  transactions: readonly IndexedTransaction[],
  isFitting: (message: Message) => boolean,
): ListedMessage[] {
  const found = new Map<string, ListedMessage>();
  const add = (message: Message, side: Pick<Partial<ListedMessage>, 'receiver' | 'sender'>, lt: bigint) => {
    if (!isFitting(message)) return;
    const key = `${bytesKey(message.hash)}${lt}`;
    const known = found.get(key);
    found.set(key, { receiver: undefined, sender: undefined, ...known, message, lt, ...side });
  };
  for (const one of transactions) {
    const { inMessage, outMessages } = one.transaction;
    if (inMessage !== undefined) add(inMessage, { receiver: one }, ltOf(inMessage, one));
    for (const message of outMessages) add(message, { sender: one }, ltOf(message, one));
  }
  return [...found.values()];
}

/** The logical time of a message in lists. */
export function ltOf({ info }: Message, { transaction }: IndexedTransaction): bigint {
  return info.kind === 'external-in' ? transaction.lt : info.createdLt;
}

/** The rows of a message, and where else it was received, by the prefix of its hash. */
export interface ReceivedRows extends MessageRows {
  readonly receivers: readonly Position[];
}

/** Finds messages with their receivers. Messages are only left out because of the side if they were not received. */
export async function findWithReceivers(
  db: Kysely<Tables>,
  query: Parameters<typeof findMessages>[1],
): Promise<{ readonly rows: readonly ReceivedRows[]; readonly last: readonly string[] | undefined }> {
  const { direction } = query.filters;
  const { rows, last } = await findMessages(db, query);
  const isSent = ({ sides }: MessageRows) => sides.every(({ ordinal }) => ordinal > 0);
  const sent = direction === 'out' ? [] : rows.filter(isSent);
  const found = await locateReceivers(db, { prefixes: [...new Set(sent.map(({ hash8 }) => hash8))] });
  const receivers = Map.groupBy(found, ({ in8 }) => in8);
  const all = rows.map((row) => ({
    ...row,
    receivers: isSent(row) ? (receivers.get(row.hash8) ?? []).map(({ at }) => at) : [],
  }));
  const isReceived = (row: ReceivedRows) => row.receivers.length > 0 || !isSent(row);
  return { rows: direction === 'in' ? all.filter(isReceived) : all, last };
}

/** The transactions that a message may belong to. */
export function positionsOf({ sides, receivers }: ReceivedRows): readonly Position[] {
  return [...sides.map(({ at }) => at), ...receivers];
}

/** Reads the messages of rows with their transactions, in list order. */
async function readMessages(
  reader: TransactionReader,
  rows: readonly ReceivedRows[],
  sort: 'asc' | 'desc',
): Promise<ListedMessage[]> {
  const sign = sort === 'asc' ? 1 : -1;
  const placed = await reader.read(rows.flatMap(positionsOf));
  return rows.flatMap((row) => {
    const own = row.sides.flatMap(({ at, ordinal }) => {
      const one = placed.get(at)?.transaction;
      return (ordinal === 0 ? one?.inMessage : one?.outMessages[ordinal - 1]) ?? [];
    });
    const hashes = new Set(own.map(({ hash }) => bytesKey(hash)));
    const transactions = positionsOf(row).flatMap((at) => placed.get(at) ?? []);
    return messagesOf(transactions, ({ hash }) => hashes.has(bytesKey(hash)))
      .filter(({ lt }) => lt === row.lt)
      .sort((a, b) => sign * a.message.hash.compare(b.message.hash));
  });
}

/** A wanted message with its wanted sides. */
function withSides(
  one: ListedMessage,
  { direction }: MessageFilters,
  isWanted: (one: ListedMessage) => boolean,
): ListedMessage[] {
  if (!isWanted(one)) return [];
  return [
    {
      ...one,
      receiver: direction === 'out' ? undefined : one.receiver,
      sender: direction === 'in' ? undefined : one.sender,
    },
  ];
}

/** The test that a message fits the filters. */
function createMessageFilter(filters: MessageFilters): (one: ListedMessage) => boolean {
  const { bodyHash, source, destination, opcode, direction, span } = filters;
  const hasSpan = Object.values(span).some((bound) => bound !== undefined);
  return ({ message, receiver, sender }) => {
    const { info } = message;
    const isCreated = info.kind !== 'external-in';
    return (
      (direction === undefined || (direction === 'in' ? receiver : sender) !== undefined) &&
      isAt(senderOf(message), source) &&
      isAt(receiverOf(message), destination) &&
      (bodyHash === undefined || message.bodyHash.equals(bodyHash)) &&
      (opcode === undefined || hasOpcode(message, opcode)) &&
      !(filters.excludeExternals && !isCreated) &&
      !(filters.onlyExternals && isCreated) &&
      (!hasSpan || (isCreated && isWithin(span, BigInt(info.createdAt), info.createdLt)))
    );
  };
}

/** Whether an end of a message is the wanted account, or none if null is wanted. */
export function isAt(account: Buffer | undefined, wanted: Buffer | null | undefined): boolean {
  if (wanted === undefined) return true;
  return wanted === null ? account === undefined : account?.equals(wanted) === true;
}

/** Whether a message has an opcode, given as a signed number. */
export function hasOpcode(message: Message, opcode: number): boolean {
  return message.opcode !== undefined && (message.opcode | 0) === opcode;
}

/** The keys of a message, as in cursors. */
function keysOf(
  keys: readonly MessageKey[],
  { message: { info, hash }, lt }: ListedMessage,
): readonly string[] {
  const texts = {
    lt: () => String(lt),
    created_at: () => String(info.kind === 'external-in' ? 0 : info.createdAt),
    hash: () => bytesText(hash),
  };
  return keys.map(({ name }) => texts[name]());
}
