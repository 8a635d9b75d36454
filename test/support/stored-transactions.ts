import type { Kysely } from 'kysely';
import { type Message, normalizedUnlessSame } from '../../src/chain/tlb/message.ts';
import { accountKeyOf } from '../../src/chain/tlb/msg-address.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
import type { ShownState } from '../../src/index/format/slots.ts';
import { bytesKey } from '../../src/lib/bytes-key.ts';
import { type PlacedSlot, readPlacedSlots } from './stored-pages.ts';
import { checkStoredRows } from './stored-rows.ts';

/** A message as the index has it, independent of the side that it was stored for. */
export interface StoredMessage {
  readonly hash: Buffer;
  /** Of an external message; undefined where it equals the hash. */
  readonly normalizedHash: Buffer | undefined;
  readonly source: Buffer | undefined;
  readonly destination: Buffer | undefined;
  /** Time of creation; external messages from outside have that of their transaction. */
  readonly lt: bigint;
  /** Undefined for external messages from outside. */
  readonly createdAt: number | undefined;
  /** An unsigned number. */
  readonly opcode: number | undefined;
  readonly bodyHash: Buffer;
  readonly initHash: Buffer | undefined;
}

/** An account state next to a transaction. */
export interface StoredState {
  readonly status: string;
  readonly balance: bigint;
  readonly extra: Readonly<Record<string, string>> | 'hidden';
  readonly codeHash: Buffer | undefined;
  readonly dataHash: Buffer | undefined;
  readonly frozenHash: Buffer | undefined;
}

/** A transaction with everything that the index has about it. */
export interface StoredTransaction {
  /** 33 bytes. */
  readonly account: Buffer;
  readonly lt: bigint;
  readonly hash: Buffer;
  readonly traceId: Buffer;
  readonly mcSeqno: number;
  readonly blockShard: bigint;
  readonly blockSeqno: number;
  readonly now: number;
  readonly kind: string;
  readonly origStatus: string;
  readonly endStatus: string;
  readonly totalFees: bigint;
  readonly stateHashBefore: Buffer;
  readonly stateHashAfter: Buffer;
  /** The states around it; undefined where the index does not know them. */
  readonly before: StoredState | undefined;
  readonly after: StoredState | undefined;
  readonly inMessage: StoredMessage | undefined;
  readonly outMessages: readonly StoredMessage[];
}

/** A message with the transactions on both sides, as far as they are in the index. */
export interface StoredDelivery {
  readonly message: StoredMessage;
  readonly sentBy: StoredTransaction | undefined;
  readonly receivedBy: StoredTransaction | undefined;
}

/**
 * Reads all transactions of the index with their messages and the states around them, ordered by logical time and
 * account, and checks the rows that they are found by. Apart from `stored-pages.ts` and `stored-rows.ts` this is the only
 * place of the tests that knows how they are stored.
 */
export async function readStoredTransactions(db: Kysely<Tables>): Promise<StoredTransaction[]> {
  const slots = await readPlacedSlots(db);
  await checkStoredRows(db, slots);
  const states = await readStates(db, slots);
  return slots.map((one) => toStored(one, states)).sort(inOrder);
}

function inOrder(a: StoredTransaction, b: StoredTransaction): number {
  if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1;
  return a.account.readInt8(0) - b.account.readInt8(0) || Buffer.compare(a.account, b.account);
}

function toStored(one: PlacedSlot, states: ReadonlyMap<string, StoredState>): StoredTransaction {
  const { transaction, page, slot } = one;
  const { inMessage, outMessages } = transaction;
  const place = page.place(slot);
  const account = page.account(slot);
  return {
    ...keysOf(one),
    blockShard: place.shard,
    blockSeqno: place.blockSeqno,
    kind: transaction.description.kind,
    origStatus: transaction.origStatus,
    endStatus: transaction.endStatus,
    totalFees: transaction.totalFees.grams,
    stateHashBefore: transaction.oldStateHash,
    stateHashAfter: transaction.newStateHash,
    before: states.get(stateKey(account, transaction.oldStateHash)),
    after: states.get(stateKey(account, transaction.newStateHash)),
    inMessage: inMessage && messageOf(inMessage, account, { lt: transaction.lt, isReceived: true }),
    outMessages: outMessages.map((message) =>
      messageOf(message, account, { lt: transaction.lt, isReceived: false }),
    ),
  };
}

/** What look-ups and lists find a transaction by. */
export type StoredKeys = Pick<StoredTransaction, 'account' | 'lt' | 'hash' | 'traceId' | 'mcSeqno' | 'now'>;

/** Reads only the keys of all transactions, ordered by hash. */
export async function readStoredKeys(db: Kysely<Tables>): Promise<StoredKeys[]> {
  const slots = await readPlacedSlots(db);
  return slots.map(keysOf).sort((a, b) => Buffer.compare(a.hash, b.hash));
}

function keysOf({ transaction, page, slot, traceId }: PlacedSlot): StoredKeys {
  const { lt, hash, now } = transaction;
  return { account: page.account(slot), lt, hash, traceId, mcSeqno: page.place(slot).mcSeqno, now };
}

const stateKey = (account: Buffer, hash: Buffer) => bytesKey(account) + bytesKey(hash);

/** All states that the index has, by account and hash. */
async function readStates(
  db: Kysely<Tables>,
  slots: readonly PlacedSlot[],
): Promise<ReadonlyMap<string, StoredState>> {
  const states = new Map<string, StoredState>();
  for (const row of await db.selectFrom('account_states').selectAll().execute())
    states.set(stateKey(row.account, row.hash), {
      status: row.status,
      balance: BigInt(row.balance),
      extra: row.balance_extra ?? {},
      codeHash: row.code_hash ?? undefined,
      dataHash: row.data_hash ?? undefined,
      frozenHash: row.frozen_hash ?? undefined,
    });
  for (const { page, slot, transaction } of slots) {
    const account = page.account(slot);
    const { before, after } = page.states(slot);
    for (const [hash, state] of [
      [transaction.oldStateHash, before],
      [transaction.newStateHash, after],
    ] as const)
      if (state !== undefined && state.status !== 'nonexist')
        states.set(stateKey(account, hash), stateOf(state));
  }
  return states;
}

function stateOf({ balanceExtra, extraIsHidden, ...state }: ShownState): StoredState {
  return { ...state, extra: extraIsHidden ? 'hidden' : JSON.parse(balanceExtra ?? '{}') };
}

/** `lt` is that of the transaction of the account. */
function messageOf(
  message: Message,
  account: Buffer,
  { lt, isReceived }: { readonly lt: bigint; readonly isReceived: boolean },
): StoredMessage {
  const { hash, info, init, bodyHash, opcode } = message;
  const isExternalIn = info.kind === 'external-in';
  return {
    hash,
    normalizedHash: normalizedUnlessSame(message),
    source: isReceived ? accountKeyOf(info.src) : account,
    destination: isReceived ? account : accountKeyOf(info.dest),
    lt: isExternalIn ? lt : info.createdLt,
    createdAt: isExternalIn ? undefined : info.createdAt,
    opcode,
    bodyHash,
    initHash: init?.hash,
  };
}

/**
 * All messages of some transactions, each once; an external message that was received several times is listed once for
 * each of its transactions.
 */
export function deliveriesOf(transactions: readonly StoredTransaction[]): StoredDelivery[] {
  const sides = transactions.flatMap((transaction) => [
    ...(transaction.inMessage ? [{ message: transaction.inMessage, receivedBy: transaction }] : []),
    ...transaction.outMessages.map((message) => ({ message, sentBy: transaction })),
  ]);
  const same = Map.groupBy(sides, ({ message: { hash, lt } }) => `${bytesKey(hash)}${lt}`);
  return [...same.values()].map((all) => Object.assign({ sentBy: undefined, receivedBy: undefined }, ...all));
}
