import { sql } from 'kysely';
import { isCluster } from '../db/driver.ts';
import { HASH_KINDS, type HashKind } from '../index/hash-places.ts';
import type { ChainBlock } from './chain-block.ts';
import type { SeqnoContext } from './check-context.ts';
import { hashPrefix, MASTERCHAIN } from './core-readers.ts';
import { type ExpectedRow, type Row, rowsByKey } from './differences.ts';
import {
  blockRow,
  type KnownPlace,
  messageRows,
  type PlacedTransaction,
  positionColumn,
  shardStateRow,
  transactionRow,
} from './expected-rows.ts';

const BLOCK_KEY = ['mc_seqno', 'workchain', 'shard', 'seqno'];

/** By what rows are paired: first by all columns, then by what a row with a wrong value still shares with the right one. */
const SAME_TRANSACTION = [
  ['acc8', 'lt', 'hash8', 'in8', 'at', 'now', 'mc_seqno'],
  ['at'],
  ['acc8', 'lt'],
  ['hash8'],
];
const SAME_MESSAGE = [
  ['hash8', 'src8', 'dst8', 'body8', 'lt', 'created_at', 'at', 'opcode', 'mc_seqno', 'ordinal'],
  ['at', 'ordinal'],
  ['hash8', 'ordinal'],
  ['hash8', 'at'],
];

/** Compares the rows of one seqno: blocks, and those that transactions and messages are found by. */
export async function checkSeqno(context: SeqnoContext): Promise<void> {
  const { db, findings, seen, mcSeqno, blocks, placed } = context;
  const stored = async (table: 'blocks' | 'shard_states') =>
    (await sql<Row>`select * from ${sql.table(table)} where mc_seqno = ${mcSeqno}`.execute(db)).rows;
  const expectedBlocks = blocks.map((block) => blockRow(mcSeqno, block));
  findings.compare(
    'blocks',
    rowsByKey(expectedBlocks, BLOCK_KEY),
    rowsByKey(await stored('blocks'), BLOCK_KEY),
  );
  findings.compare(
    'shard_states',
    rowsByKey([shardStateRow(context)], ['mc_seqno']),
    rowsByKey(await stored('shard_states'), ['mc_seqno']),
  );
  const rows = await rowsOf(context);
  seen.add('transactions', mcSeqno, rows.transactions.length);
  seen.add('messages', mcSeqno, rows.messages.length);
  const expected = placed.map((one) => transactionRow(mcSeqno, one, one));
  findings.compareRows('transactions', expected, rows.transactions, SAME_TRANSACTION);
  const messages = placed.flatMap((one) => messageRows(mcSeqno, one, one));
  findings.compareRows('messages', messages, rows.messages, SAME_MESSAGE);
  if (isCluster(db)) await checkPlaces(context);
}

/**
 * The rows of transactions and messages, which have no index by seqno. All but received messages have the logical times
 * of their blocks.
 */
async function rowsOf({ db, mcSeqno, blocks, placed }: SeqnoContext) {
  const [first, last] = ltRange(blocks.map(({ columns }) => columns));
  const received = placed.flatMap(({ transaction: { inMessage } }) =>
    inMessage?.kind === 'internal' ? [hashPrefix(inMessage.hash)] : [],
  );
  const isOfBlocks = sql`mc_seqno = ${mcSeqno} and lt between ${first} and ${last}`;
  const ofTransactions = await sql<Row>`select * from transactions where ${isOfBlocks}`.execute(db);
  const ofMessages = await sql<Row>`
    select * from messages where ${isOfBlocks}
    union all
    select * from messages where mc_seqno = ${mcSeqno} and hash8 = any(${received}::bigint[])
      and ordinal = 0 and lt not between ${first} and ${last}`.execute(db);
  return { transactions: ofTransactions.rows, messages: ofMessages.rows };
}

/** The logical times of blocks, of which a shard may have several. */
function ltRange(blocks: readonly Row[]): [first: bigint, last: bigint] {
  const starts = blocks.map(({ start_lt }) => BigInt(start_lt as bigint));
  const ends = blocks.map(({ end_lt }) => BigInt(end_lt as bigint));
  return [starts.reduce((a, b) => (a < b ? a : b)), ends.reduce((a, b) => (a > b ? a : b))];
}

const SAME_PLACE = [
  ['hash8', 'at', 'mc_seqno', 'kind'],
  ['hash8', 'kind'],
  ['at', 'kind'],
];

/** Compares the rows by which a cluster finds the transactions, messages and blocks of a seqno. */
async function checkPlaces({ db, findings, seen, mcSeqno, blocks, placed }: SeqnoContext): Promise<void> {
  const expected = [...placed.flatMap(placesOfTransaction), ...blocks.flatMap(placesOfBlock)].map(
    ({ name, columns }) => ({ name, columns: { ...columns, mc_seqno: mcSeqno } }),
  );
  const prefixes = [...new Set(expected.map(({ columns }) => String(columns.hash8)))];
  const { rows } = await sql<Row>`select * from hash_places
    where mc_seqno = ${mcSeqno} and hash8 = any(${prefixes}::bigint[])`.execute(db);
  seen.add('hash_places', mcSeqno, rows.length);
  findings.compareRows('hash_places', expected, rows, SAME_PLACE);
}

interface ExpectedPlace extends ExpectedRow {
  readonly columns: { readonly hash8: bigint; readonly kind: number; readonly at?: unknown };
}

function placesOfTransaction({ transaction, at }: PlacedTransaction & KnownPlace): ExpectedPlace[] {
  const { hash, inMessage } = transaction;
  const name = `transaction ${hash.toString('hex')}`;
  const placeOf = (kind: HashKind, own: Buffer): ExpectedPlace => ({
    name: `${kind} ${own.toString('hex')} of ${name}`,
    columns: { hash8: hashPrefix(own), ...positionColumn(at), kind: HASH_KINDS[kind] },
  });
  const places = [placeOf('transaction', hash)];
  if (inMessage === undefined) return places;
  places.push(placeOf('received', inMessage.hash));
  const { normalHash } = inMessage;
  if (normalHash !== undefined && !normalHash.equals(inMessage.hash))
    places.push(placeOf('normalized', normalHash));
  return places;
}

function placesOfBlock({ id }: ChainBlock): ExpectedPlace[] {
  const { workchain, shard, seqno, rootHash, fileHash } = id;
  const placeOf = (kind: HashKind, hash8: bigint): ExpectedPlace => ({
    name: `${kind} of block (${workchain},${BigInt.asUintN(64, shard).toString(16)},${seqno})`,
    columns: { hash8, at: null, kind: HASH_KINDS[kind] },
  });
  const places = [placeOf('blockRoot', hashPrefix(rootHash)), placeOf('blockFile', hashPrefix(fileHash))];
  if (workchain === MASTERCHAIN) return places;
  const own = shard ^ BigInt(seqno) ^ (BigInt(workchain) * 2n ** 32n);
  return [...places, placeOf('blockId', BigInt.asIntN(64, own))];
}
