import type { BlockId } from '../../chain/block-id.ts';
import { type BlockExtra, type BlockInfo, previousBlocks } from '../../chain/tlb/block.ts';
import type { Message } from '../../chain/tlb/message.ts';
import { accountKeyOf, type MsgAddress } from '../../chain/tlb/msg-address.ts';
import type { Transaction } from '../../chain/tlb/transaction.ts';
import { type CopyBuffer, createRowFormat } from '../../db/copy.ts';
import { accountPrefix, hashPrefix, storedTime } from '../format/position.ts';

interface BlockFacts {
  readonly mcSeqno: number;
  readonly id: BlockId;
  readonly globalId: number;
  readonly info: BlockInfo;
  readonly extra: BlockExtra;
  readonly transactions: number;
}

const BLOCKS = createRowFormat<BlockFacts>({
  mc_seqno: (row, { mcSeqno }) => row.int4(mcSeqno),
  workchain: (row, { id }) => row.int4(id.workchain),
  shard: (row, { id }) => row.int8(id.shard),
  seqno: (row, { id }) => row.int4(id.seqno),
  root_hash: (row, { id }) => row.bytes(id.rootHash),
  file_hash: (row, { id }) => row.bytes(id.fileHash),
  gen_utime: (row, { info }) => row.int8(info.genUtime),
  start_lt: (row, { info }) => row.int8(info.startLt),
  end_lt: (row, { info }) => row.int8(info.endLt),
  global_id: (row, { globalId }) => row.int4(globalId),
  version: (row, { info }) => row.int8(info.version),
  flags: (row, { info }) => row.int2(info.flags),
  after_merge: (row, { info }) => row.bool(info.afterMerge),
  before_split: (row, { info }) => row.bool(info.beforeSplit),
  after_split: (row, { info }) => row.bool(info.afterSplit),
  want_merge: (row, { info }) => row.bool(info.wantMerge),
  want_split: (row, { info }) => row.bool(info.wantSplit),
  key_block: (row, { info }) => row.bool(info.keyBlock),
  vert_seqno_incr: (row, { info }) => row.bool(info.vertSeqnoIncr),
  validator_list_hash_short: (row, { info }) => row.int4(info.genValidatorListHashShort | 0),
  gen_catchain_seqno: (row, { info }) => row.int8(info.genCatchainSeqno),
  min_ref_mc_seqno: (row, { info }) => row.int8(info.minRefMcSeqno),
  prev_key_block_seqno: (row, { info }) => row.int8(info.prevKeyBlockSeqno),
  vert_seqno: (row, { info }) => row.int8(info.vertSeqno),
  master_ref_seqno: (row, { info }) => row.int8(info.masterRef?.seqno ?? 0),
  rand_seed: (row, { extra }) => row.bytes(extra.randSeed),
  created_by: (row, { extra }) => row.bytes(extra.createdBy),
  tx_count: (row, { transactions }) => row.int4(transactions),
  prev_shards: (row, { info }) => row.int8Array(previousBlocks(info).map(({ shard }) => shard)),
  prev_seqnos: (row, { info }) => row.int4Array(previousBlocks(info).map(({ seqno }) => seqno)),
});

/** Columns of `blocks` in the order of its COPY rows. */
export const BLOCK_COLUMNS = BLOCKS.columns;

export const putBlockRow = BLOCKS.put;

interface ShardTopFacts {
  readonly mcSeqno: number;
  readonly masterchain: { readonly id: BlockId };
  readonly tops: readonly BlockId[];
}

/** Writes the row of the newest blocks at a masterchain block, including itself, in the order of SHARD_STATE_COLUMNS. */
export function putShardStateRow(rows: CopyBuffer, { mcSeqno, masterchain, tops }: ShardTopFacts): void {
  const all = [masterchain.id, ...tops].sort(
    (a, b) => a.workchain - b.workchain || compare(a.shard, b.shard) || a.seqno - b.seqno,
  );
  rows
    .row(SHARD_STATE_COLUMNS.length)
    .int4(mcSeqno)
    .int4Array(all.map(({ workchain }) => workchain))
    .int8Array(all.map(({ shard }) => shard))
    .int4Array(all.map(({ seqno }) => seqno));
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

interface TransactionFacts {
  readonly mcSeqno: number;
  /** The prefix of the account. */
  readonly acc8: bigint;
  readonly transaction: Transaction;
}

const POSITION_BYTES = 8;

/** Writes the row of a transaction, in the order of TRANSACTION_COLUMNS; returns the offset of its empty position. */
export function putTransactionRow(rows: CopyBuffer, facts: TransactionFacts): number {
  const { lt, hash, inMessage, now } = facts.transaction;
  rows
    .row(TRANSACTION_COLUMNS.length)
    .int8(facts.acc8)
    .int8(lt)
    .int8(hashPrefix(hash))
    .int8(inMessage && hashPrefix(inMessage.hash));
  const positionAt = reservePosition(rows);
  rows.int4(storedTime(now)).int4(facts.mcSeqno);
  return positionAt;
}

/** Adds the field of a position, which only the writer knows. */
function reservePosition(rows: CopyBuffer): number {
  return rows.int8(0).position() - POSITION_BYTES;
}

/**
 * Writes the row of an out message, by its ordinal from 1, in the order of MESSAGE_COLUMNS; returns the offset of its
 * empty position.
 */
export function putSentRow(rows: CopyBuffer, facts: TransactionFacts, ordinal: number): number {
  const message = facts.transaction.outMessages[ordinal - 1]!;
  return putMessageRow(rows, facts, message, {
    source: facts.acc8,
    destination: prefixOf(message.info.dest),
    ordinal,
  });
}

/**
 * Writes the row of the in message of a transaction; returns the offset of its empty position. An external message has
 * its normalised hash in place of the source, where it differs from the hash.
 */
export function putReceivedRow(
  rows: CopyBuffer,
  facts: TransactionFacts,
  message: Message,
  normalizedHash: Buffer | undefined,
): number {
  const source =
    message.info.kind === 'external-in'
      ? normalizedHash && hashPrefix(normalizedHash)
      : prefixOf(message.info.src);
  return putMessageRow(rows, facts, message, { source, destination: facts.acc8, ordinal: 0 });
}

function putMessageRow(
  rows: CopyBuffer,
  { mcSeqno, transaction }: TransactionFacts,
  { hash, bodyHash, info, opcode }: Message,
  side: {
    readonly source: bigint | undefined;
    readonly destination: bigint | undefined;
    readonly ordinal: number;
  },
): number {
  const isExternalIn = info.kind === 'external-in';
  rows
    .row(MESSAGE_COLUMNS.length)
    .int8(hashPrefix(hash))
    .int8(side.source)
    .int8(side.destination)
    .int8(hashPrefix(bodyHash))
    .int8(isExternalIn ? transaction.lt : info.createdLt);
  const positionAt = reservePosition(rows);
  rows
    .int4(isExternalIn ? undefined : storedTime(info.createdAt))
    .int4(opcode === undefined ? undefined : opcode | 0)
    .int4(mcSeqno)
    .int2(side.ordinal);
  return positionAt;
}

function prefixOf(address: MsgAddress): bigint | undefined {
  const account = accountKeyOf(address);
  return account && accountPrefix(account);
}

// Columns of tables, in the order of their COPY rows.
export const SHARD_STATE_COLUMNS = ['mc_seqno', 'workchains', 'shards', 'seqnos'] as const;
export const TRANSACTION_COLUMNS = ['acc8', 'lt', 'hash8', 'in8', 'at', 'now', 'mc_seqno'] as const;
export const TX_PAGE_COLUMNS = ['page', 'last_seqno', 'count', 'traces', 'body'] as const;
export const HASH_PLACE_COLUMNS = ['hash8', 'at', 'mc_seqno', 'kind'] as const;
export const MESSAGE_COLUMNS = [
  'hash8',
  'src8',
  'dst8',
  'body8',
  'lt',
  'at',
  'created_at',
  'opcode',
  'mc_seqno',
  'ordinal',
] as const;
