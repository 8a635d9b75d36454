import { type Kysely, type Selectable, sql } from 'kysely';
import type { Tables } from '../../src/db/tables.ts';
import { bytesKey } from '../../src/lib/bytes-key.ts';

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
  /** Amounts, fees and flags by the name of their column. */
  readonly fields: Readonly<Record<string, unknown>>;
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
  /** The states around it; undefined where the index does not know them. */
  readonly before: StoredState | undefined;
  readonly after: StoredState | undefined;
  /** All other fields by the name of their column. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly inMessage: StoredMessage | undefined;
  readonly outMessages: readonly StoredMessage[];
}

/** A message with the transactions on both sides, as far as they are in the index. */
export interface StoredDelivery {
  readonly message: StoredMessage;
  readonly sentBy: StoredTransaction | undefined;
  readonly receivedBy: StoredTransaction | undefined;
}

type TransactionRow = Selectable<Tables['transactions']>;
type MessageRow = Selectable<Tables['messages']>;

/**
 * Reads all transactions of the index with their messages and the states around them, ordered by logical time and
 * account. This is the only place of the tests that knows how they are stored.
 */
export async function readStoredTransactions(db: Kysely<Tables>): Promise<StoredTransaction[]> {
  const rows = await db
    .selectFrom('transactions')
    .selectAll()
    .select(sql<boolean | null>`balance_extra = 'null'::jsonb`.as('extra_is_hidden'))
    .orderBy('lt')
    .orderBy(sql`set_byte(account, 0, get_byte(account, 0) # 128)`)
    .execute();
  const messages = await db.selectFrom('messages').selectAll().orderBy('ordinal').execute();
  const states = new Map<string, StoredState>();
  for (const row of await db.selectFrom('account_states').selectAll().execute())
    states.set(stateKey(row.account, row.hash), stateOf(row, row.status, false));
  for (const row of rows)
    if (row.balance !== null)
      states.set(
        stateKey(row.account, row.state_hash_after),
        stateOf(row, row.end_status, row.extra_is_hidden === true),
      );
  const messagesOf = Map.groupBy(messages, ({ account, tx_lt }) => `${bytesKey(account)}${tx_lt}`);
  return rows.map((row) => {
    const own = messagesOf.get(`${bytesKey(row.account)}${row.lt}`) ?? [];
    return {
      account: row.account,
      lt: BigInt(row.lt),
      hash: row.hash,
      traceId: row.trace_id,
      mcSeqno: row.mc_seqno,
      blockShard: BigInt(row.block_shard),
      blockSeqno: row.block_seqno,
      now: Number(row.now),
      kind: row.kind,
      origStatus: row.orig_status,
      endStatus: row.end_status,
      totalFees: BigInt(row.total_fees),
      before: states.get(stateKey(row.account, row.state_hash_before)),
      after: states.get(stateKey(row.account, row.state_hash_after)),
      fields: without(row, TRANSACTION_KEYS),
      inMessage: own.filter(({ ordinal }) => ordinal === 0).map(messageOf)[0],
      outMessages: own.filter(({ ordinal }) => ordinal > 0).map(messageOf),
    };
  });
}

/** What look-ups and lists find a transaction by. */
export type StoredKeys = Pick<StoredTransaction, 'account' | 'lt' | 'hash' | 'traceId' | 'mcSeqno' | 'now'>;

/** Reads only the keys of all transactions, for indexes with very many; ordered by hash. */
export async function readStoredKeys(db: Kysely<Tables>): Promise<StoredKeys[]> {
  const rows = await db
    .selectFrom('transactions')
    .select(['account', 'lt', 'hash', 'trace_id', 'mc_seqno', 'now'])
    .orderBy('hash')
    .execute();
  return rows.map((row) => ({
    account: row.account,
    lt: BigInt(row.lt),
    hash: row.hash,
    traceId: row.trace_id,
    mcSeqno: row.mc_seqno,
    now: Number(row.now),
  }));
}

const TRANSACTION_KEYS = [
  'account',
  'lt',
  'hash',
  'trace_id',
  'mc_seqno',
  'block_shard',
  'block_seqno',
  'now',
  'kind',
  'orig_status',
  'end_status',
  'total_fees',
  'balance',
  'balance_extra',
  'extra_is_hidden',
  'code_hash',
  'data_hash',
  'frozen_hash',
  'at',
];
const MESSAGE_KEYS = [
  'account',
  'tx_lt',
  'ordinal',
  'mc_seqno',
  'hash',
  'hash_norm',
  'peer',
  'lt',
  'created_at',
  'opcode',
  'body_hash',
  'init_hash',
  'at',
];

function without(row: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
}

const stateKey = (account: Buffer, hash: Buffer) => bytesKey(account) + bytesKey(hash);

/** The columns of a state, which both tables have. */
type StateRow = Pick<TransactionRow, 'balance' | 'balance_extra' | 'code_hash' | 'data_hash' | 'frozen_hash'>;

function stateOf(row: StateRow, status: string, isHidden: boolean): StoredState {
  return {
    status,
    balance: BigInt(row.balance!),
    extra: isHidden ? 'hidden' : (row.balance_extra ?? {}),
    codeHash: row.code_hash ?? undefined,
    dataHash: row.data_hash ?? undefined,
    frozenHash: row.frozen_hash ?? undefined,
  };
}

function messageOf(row: MessageRow): StoredMessage {
  const isReceived = row.ordinal === 0;
  const peer = row.peer ?? undefined;
  return {
    hash: row.hash,
    normalizedHash: row.hash_norm ?? undefined,
    source: isReceived ? peer : row.account,
    destination: isReceived ? row.account : peer,
    lt: BigInt(row.lt),
    createdAt: row.created_at === null ? undefined : Number(row.created_at),
    opcode: row.opcode === null ? undefined : row.opcode >>> 0,
    bodyHash: row.body_hash,
    initHash: row.init_hash ?? undefined,
    fields: without(row, MESSAGE_KEYS),
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
