import type { AccountId } from '../address.ts';
import type { BlockId } from '../block-id.ts';
import type { TlReader, TlWriter } from './tl.ts';

/** A block's place without its hashes: what a look-up starts from. */
export type ShortBlockId = Pick<BlockId, 'workchain' | 'shard' | 'seqno'>;

/** The name of a workchain's first state. */
export interface ZeroStateId {
  readonly workchain: number;
  readonly rootHash: Buffer;
  readonly fileHash: Buffer;
}

/** How many bytes a `tonNode.blockIdExt` has. */
export const BLOCK_ID_BYTES = 80;

/** Writes `tonNode.blockIdExt`; a seqno of -1 asks some functions for the newest block. */
export function writeBlockId(writer: TlWriter, id: BlockId): void {
  writeBlockPlace(writer, id);
  writer.int256(id.rootHash);
  writer.int256(id.fileHash);
}

/** Reads `tonNode.blockIdExt`. */
export function readBlockId(reader: TlReader): BlockId {
  return {
    workchain: reader.int(),
    shard: reader.long(),
    seqno: reader.int(),
    rootHash: reader.int256(),
    fileHash: reader.int256(),
  };
}

/** Writes `tonNode.blockId`. */
export function writeBlockPlace(writer: TlWriter, place: ShortBlockId): void {
  writer.int(place.workchain);
  writer.long(place.shard);
  writer.int(place.seqno);
}

/** Reads `tonNode.blockId`. */
export function readBlockPlace(reader: TlReader): ShortBlockId {
  return { workchain: reader.int(), shard: reader.long(), seqno: reader.int() };
}

/** Writes `tonNode.zeroStateIdExt`. */
export function writeZeroStateId(writer: TlWriter, id: ZeroStateId): void {
  writer.int(id.workchain);
  writer.int256(id.rootHash);
  writer.int256(id.fileHash);
}

/** Reads `tonNode.zeroStateIdExt`. */
export function readZeroStateId(reader: TlReader): ZeroStateId {
  return { workchain: reader.int(), rootHash: reader.int256(), fileHash: reader.int256() };
}

/** Writes `liteServer.accountId`. */
export function writeAccountId(writer: TlWriter, account: AccountId): void {
  writer.int(account.workchain);
  writer.int256(account.hash);
}

/** Reads `liteServer.accountId`. */
export function readAccountId(reader: TlReader): AccountId {
  return { workchain: reader.int(), hash: reader.int256() };
}
