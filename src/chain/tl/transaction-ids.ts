import { hasBit, isGiven } from './mode-bits.ts';
import { type AccountId, readAccountId, writeAccountId } from './names.ts';
import type { TlReader } from './tl-reader.ts';
import type { TlWriter } from './tl-writer.ts';

/** `liteServer.transactionMetadata`: which transaction a chain of messages started from. */
export interface TransactionMetadata {
  readonly mode: number;
  readonly depth: number;
  readonly initiator: AccountId;
  readonly initiatorLt: bigint;
}

/** `liteServer.transactionId`: a transaction of a block; the mode repeats that of the request. */
export interface TransactionId {
  readonly mode: number;
  /** Bit 0. */
  readonly account?: Buffer | undefined;
  /** Bit 1. */
  readonly lt?: bigint | undefined;
  /** Bit 2. */
  readonly hash?: Buffer | undefined;
  /** Bit 8; servers from before this bit do not know it. */
  readonly metadata?: TransactionMetadata | undefined;
}

/** `liteServer.transactionId3`: the transaction after which a list goes on. */
export interface TransactionId3 {
  readonly account: Buffer;
  readonly lt: bigint;
}

/** Writes `liteServer.transactionId`. */
export function writeTransactionId(writer: TlWriter, id: TransactionId): void {
  const { mode } = id;
  writer.uint(mode);
  if (isGiven(mode, 0, id.account, 'account')) writer.int256(id.account);
  if (isGiven(mode, 1, id.lt, 'lt')) writer.long(id.lt);
  if (isGiven(mode, 2, id.hash, 'hash')) writer.int256(id.hash);
  if (isGiven(mode, 8, id.metadata, 'metadata')) writeMetadata(writer, id.metadata);
}

/** Reads `liteServer.transactionId`. */
export function readTransactionId(reader: TlReader): TransactionId {
  const mode = reader.uint();
  return {
    mode,
    account: hasBit(mode, 0) ? reader.int256() : undefined,
    lt: hasBit(mode, 1) ? reader.long() : undefined,
    hash: hasBit(mode, 2) ? reader.int256() : undefined,
    metadata: hasBit(mode, 8) ? readMetadata(reader) : undefined,
  };
}

/** Writes `liteServer.transactionId3`. */
export function writeTransactionId3(writer: TlWriter, id: TransactionId3): void {
  writer.int256(id.account);
  writer.long(id.lt);
}

/** Reads `liteServer.transactionId3`. */
export function readTransactionId3(reader: TlReader): TransactionId3 {
  return { account: reader.int256(), lt: reader.long() };
}

function writeMetadata(writer: TlWriter, metadata: TransactionMetadata): void {
  writer.uint(metadata.mode);
  writer.int(metadata.depth);
  writeAccountId(writer, metadata.initiator);
  writer.long(metadata.initiatorLt);
}

function readMetadata(reader: TlReader): TransactionMetadata {
  return {
    mode: reader.uint(),
    depth: reader.int(),
    initiator: readAccountId(reader),
    initiatorLt: reader.long(),
  };
}
