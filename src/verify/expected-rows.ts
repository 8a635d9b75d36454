import type { Cell } from '@ton/core';
import type { ChainBlock, ChainMessage, ChainState, ChainTransaction } from './chain-block.ts';
import type { ChainSeqno } from './chain-reader.ts';
import { type Amount, accountBytes, accountPrefix, hashPrefix, storedTime } from './core-readers.ts';
import type { ExpectedRow, Row } from './differences.ts';

/** Global version from which messages carry flags in place of the IHR fee. */
export const FLAGS_FROM_VERSION = 12;

/** A transaction with its position, for all comparisons. */
export interface PlacedTransaction {
  readonly account: Buffer;
  readonly block: ChainBlock;
  readonly transaction: ChainTransaction;
  /** Whether it is the first or the last of its account in the block. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** All transactions of a seqno in the order of trace assembly. */
export function placedTransactions({ blocks }: ChainSeqno): PlacedTransaction[] {
  const placed = blocks.flatMap((block) =>
    block.transactions.map((transaction, i) => ({
      account: accountBytes(block.id.workchain, transaction.address),
      block,
      transaction,
      isFirst: !block.transactions[i - 1]?.address.equals(transaction.address),
      isLast: !block.transactions[i + 1]?.address.equals(transaction.address),
    })),
  );
  return placed.sort(
    (a, b) =>
      Number(a.transaction.lt - b.transaction.lt) ||
      a.block.id.workchain - b.block.id.workchain ||
      a.transaction.address.compare(b.transaction.address),
  );
}

/** The state of the account after a transaction, if the block shows it. */
export function stateAfter({ block, transaction, isLast }: PlacedTransaction): ChainState | undefined {
  if (!isLast) return undefined;
  return block.after.get(transaction.address.toString('hex'));
}

export function blockRow(mcSeqno: number, { id, columns }: ChainBlock): Row {
  const { workchain, shard, seqno, rootHash, fileHash } = id;
  return { mc_seqno: mcSeqno, workchain, shard, seqno, root_hash: rootHash, file_hash: fileHash, ...columns };
}

/** The row of the newest blocks at a masterchain block. */
export function shardStateRow({ mcSeqno, masterchain }: ChainSeqno): Row {
  const tops = masterchain.tops.filter(({ seqno }) => seqno > 0);
  const all = [masterchain.id, ...tops].sort(
    (a, b) => a.workchain - b.workchain || (a.shard < b.shard ? -1 : a.shard > b.shard ? 1 : 0),
  );
  return {
    mc_seqno: mcSeqno,
    workchains: all.map(({ workchain }) => workchain),
    shards: all.map(({ shard }) => shard),
    seqnos: all.map(({ seqno }) => seqno),
  };
}

/** The extra currencies of an account, if the block shows them. */
export function extraColumn(balance: Amount | undefined): Row {
  if (balance === undefined) return { balance_extra: null };
  return balance.extra === undefined ? {} : { balance_extra: balance.extra };
}

/** Where a transaction must be, as other checks have found out. */
export interface KnownPlace {
  /** Undefined if no readable page has it. */
  readonly at: number | undefined;
  /** Whether its in message has a row written by the receiver even if a sender has one. */
  readonly mustHaveInMessage: boolean;
}

/** A position that may be unknown, as a column. */
export function positionColumn(at: number | undefined): Row {
  return at === undefined ? {} : { at };
}

export function transactionRow(mcSeqno: number, placed: PlacedTransaction, { at }: KnownPlace): ExpectedRow {
  const { hash, lt, now, inMessage } = placed.transaction;
  const columns = {
    acc8: accountPrefix(placed.account),
    lt,
    hash8: hashPrefix(hash),
    in8: inMessage === undefined ? null : hashPrefix(inMessage.hash),
    ...positionColumn(at),
    now: storedTime(now),
    mc_seqno: mcSeqno,
  };
  return { name: transactionName(placed), columns };
}

function transactionName({ account, transaction }: PlacedTransaction): string {
  const address = `${account.readInt8(0)}:${account.toString('hex', 1)}`;
  return `transaction ${transaction.hash.toString('hex')} (${address}, lt ${transaction.lt})`;
}

/** The rows that the messages of a transaction are found by: those of its out messages, and one for the in message. */
export function messageRows(mcSeqno: number, placed: PlacedTransaction, place: KnownPlace): ExpectedRow[] {
  const { account, transaction } = placed;
  const { inMessage, outMessages } = transaction;
  const rowOf = (message: ChainMessage, ordinal: number, sides: Row): ExpectedRow => ({
    name: `message ${message.hash.toString('hex')} ${ordinal > 0 ? 'sent' : 'received'} by ${transactionName(placed)}`,
    columns: {
      hash8: hashPrefix(message.hash),
      ...sides,
      body8: hashPrefix(message.body.hash()),
      lt: message.createdLt ?? transaction.lt,
      created_at: message.createdAt === undefined ? null : storedTime(message.createdAt),
      ...positionColumn(place.at),
      opcode: opcodeOf(message.body),
      mc_seqno: mcSeqno,
      ordinal,
    },
    isOptional: ordinal === 0 && !place.mustHaveInMessage,
  });
  const own = accountPrefix(account);
  const rows = outMessages.map((message, i) =>
    rowOf(message, i + 1, { src8: own, dst8: message.destination && accountPrefix(message.destination) }),
  );
  if (inMessage !== undefined) rows.push(rowOf(inMessage, 0, { src8: sourceOf(inMessage), dst8: own }));
  return rows;
}

/** The normalised hash of an external message stands in place of its sender, where it differs from the hash. */
function sourceOf({ kind, hash, normalHash, source }: ChainMessage): bigint | null {
  if (kind !== 'external-in') return source && accountPrefix(source);
  return normalHash === undefined || normalHash.equals(hash) ? null : hashPrefix(normalHash);
}

function opcodeOf(body: Cell): number | null {
  if (body.isExotic) return null;
  const slice = body.beginParse();
  return slice.remainingBits < 32 ? null : slice.loadInt(32);
}
