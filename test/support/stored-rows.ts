import { isDeepStrictEqual } from 'node:util';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Message, normalizedUnlessSame } from '../../src/chain/tlb/message.ts';
import { accountKeyOf, type MsgAddress } from '../../src/chain/tlb/msg-address.ts';
import { isCluster } from '../../src/db/driver.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
import { accountPrefix, hashPrefix, storedTime } from '../../src/index/format/position.ts';
import { derivedPlaces } from '../../src/index/hash-places.ts';
import { bytesKey } from '../../src/lib/bytes-key.ts';
import type { PlacedSlot } from './stored-pages.ts';

type Row = Readonly<Record<string, unknown>>;

/** Checks that the rows of transactions and messages are those that the transactions in the pages need; throws otherwise. */
export async function checkStoredRows(db: Kysely<Tables>, slots: readonly PlacedSlot[]): Promise<void> {
  const transactions = await readRows(db, 'transactions');
  const wanted = new Map(slots.map((one) => [keyOf(one.at), transactionRow(one)]));
  compare('transactions', transactions, wanted, new Map());

  const { required, allowed } = messageRows(slots, await readWidth(db));
  compare('messages', await readRows(db, 'messages'), required, allowed);
  if (isCluster(db)) await checkPlaces(db);
}

/** Checks that a cluster has the places that follow from its other tables. */
async function checkPlaces(db: Kysely<Tables>): Promise<void> {
  const read = async (query: RawBuilder<unknown>) => {
    const { rows } = await sql<Row>`${query}`.execute(db);
    return rows.map(({ hash8, at, mc_seqno, kind }) => `${kind} ${hash8} ${at} ${mc_seqno}`);
  };
  const expected: string[] = [];
  for (const query of derivedPlaces()) expected.push(...(await read(query)));
  const found = await read(sql`select * from hash_places`);
  if (!isDeepStrictEqual(found.sort(), expected.sort()))
    throw new Error(`hash_places has ${found.length} rows instead of ${expected.length}, or others`);
}

/** Rows by position and ordinal: a transaction has one row, and each message at most one for each side. */
async function readRows(db: Kysely<Tables>, table: 'transactions' | 'messages'): Promise<[string, Row][]> {
  const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db);
  return rows.map((row) => [keyOf(Number(row.at), row.ordinal as number | undefined), row]);
}

function keyOf(at: number, ordinal?: number): string {
  return ordinal === undefined ? `${at}` : `${at} ${ordinal}`;
}

async function readWidth(db: Kysely<Tables>): Promise<number> {
  const origin = await db.selectFrom('index_origin').select('partition_seqnos').executeTakeFirst();
  return origin?.partition_seqnos ?? Number.POSITIVE_INFINITY;
}

function compare(
  table: string,
  rows: readonly [string, Row][],
  required: ReadonlyMap<string, Row>,
  allowed: ReadonlyMap<string, Row>,
): void {
  const missing = new Map(required);
  for (const [key, row] of rows) {
    const expected = missing.get(key) ?? allowed.get(key);
    missing.delete(key);
    if (!isDeepStrictEqual(row, expected))
      throw new Error(`Row of ${table} is ${JSON.stringify(row)} instead of ${JSON.stringify(expected)}`);
  }
  const [first] = missing.values();
  if (first !== undefined) throw new Error(`Row of ${table} is missing: ${JSON.stringify(first)}`);
}

function transactionRow({ at, page, slot, transaction }: PlacedSlot): Row {
  return {
    acc8: `${accountPrefix(page.account(slot))}`,
    lt: `${transaction.lt}`,
    hash8: `${hashPrefix(transaction.hash)}`,
    in8: transaction.inMessage === undefined ? null : `${hashPrefix(transaction.inMessage.hash)}`,
    at: `${at}`,
    now: storedTime(transaction.now),
    mc_seqno: page.place(slot).mcSeqno,
  };
}

/**
 * The rows of senders, and those of receivers: required where no sender is in the index or where it is in an older
 * partition. Others may be there, if the sender was indexed later.
 */
function messageRows(slots: readonly PlacedSlot[], width: number) {
  const required = new Map<string, Row>();
  const allowed = new Map<string, Row>();
  const partitionOf = ({ page, slot }: PlacedSlot) => Math.floor(page.place(slot).mcSeqno / width);
  const senders = new Map<string, number>();
  for (const one of slots)
    for (const [i, message] of one.transaction.outMessages.entries()) {
      senders.set(bytesKey(message.hash), partitionOf(one));
      required.set(keyOf(one.at, i + 1), messageRow(one, message, i + 1));
    }
  for (const one of slots) {
    const { inMessage } = one.transaction;
    if (inMessage === undefined) continue;
    const sender = senders.get(bytesKey(inMessage.hash));
    const isRequired = sender === undefined || sender < partitionOf(one);
    (isRequired ? required : allowed).set(keyOf(one.at, 0), messageRow(one, inMessage, 0));
  }
  return { required, allowed };
}

function messageRow({ at, page, slot, transaction }: PlacedSlot, message: Message, ordinal: number): Row {
  const { hash, bodyHash, info, opcode } = message;
  const own = accountPrefix(page.account(slot));
  const isExternalIn = info.kind === 'external-in';
  const normalized = normalizedUnlessSame(message);
  const source = ordinal > 0 ? own : isExternalIn ? normalized && hashPrefix(normalized) : prefixOf(info.src);
  const destination = ordinal === 0 ? own : prefixOf(info.dest);
  return {
    hash8: `${hashPrefix(hash)}`,
    src8: source === undefined ? null : `${source}`,
    dst8: destination === undefined ? null : `${destination}`,
    body8: `${hashPrefix(bodyHash)}`,
    lt: `${isExternalIn ? transaction.lt : info.createdLt}`,
    created_at: isExternalIn ? null : storedTime(info.createdAt),
    at: `${at}`,
    opcode: opcode === undefined ? null : opcode | 0,
    mc_seqno: page.place(slot).mcSeqno,
    ordinal,
  };
}

function prefixOf(address: MsgAddress): bigint | undefined {
  const account = accountKeyOf(address);
  return account && accountPrefix(account);
}
