import type { BlockId } from '../block-id.ts';
import type { LookupKey } from './blocks.ts';
import { hasBit, isGiven } from './mode-bits.ts';
import { readBlockId, readBlockPlace, writeBlockId, writeBlockPlace } from './names.ts';
import {
  readShardBlockLink,
  SHARD_BLOCK_LINK_BYTES,
  type ShardBlockLink,
  writeShardBlockLink,
} from './shard-block-links.ts';
import type { LiteFunction, TlType } from './tl-type.ts';

/** `liteServer.lookupBlockResult`: a found block, proven from a masterchain block that the client trusts. */
export interface LookupBlockResult {
  readonly id: BlockId;
  readonly mode: number;
  readonly mcBlockId: BlockId;
  readonly clientMcStateProof: Buffer;
  readonly mcBlockProof: Buffer;
  readonly shardLinks: readonly ShardBlockLink[];
  readonly header: Buffer;
  /** Empty where the block was looked up by seqno. */
  readonly prevHeader: Buffer;
}

const lookupBlockResult: TlType<LookupBlockResult> = {
  name: 'liteServer.lookupBlockResult',
  id: 0x99786be7,
  write(w, result) {
    writeBlockId(w, result.id);
    w.uint(result.mode);
    writeBlockId(w, result.mcBlockId);
    w.bytes(result.clientMcStateProof);
    w.bytes(result.mcBlockProof);
    w.vector(result.shardLinks, writeShardBlockLink);
    w.bytes(result.header);
    w.bytes(result.prevHeader);
  },
  read: (r) => ({
    id: readBlockId(r),
    mode: r.uint(),
    mcBlockId: readBlockId(r),
    clientMcStateProof: r.bytes(),
    mcBlockProof: r.bytes(),
    shardLinks: r.vector(SHARD_BLOCK_LINK_BYTES, readShardBlockLink),
    header: r.bytes(),
    prevHeader: r.bytes(),
  }),
};

/** Request of `lookupBlockWithProof`; `mcBlockId` is the masterchain block that the client trusts. */
export interface LookupBlockWithProof extends LookupKey {
  readonly method: 'lookupBlockWithProof';
  readonly mcBlockId: BlockId;
}

/** `liteServer.lookupBlockWithProof`: finds a block and proves that it is the right one. */
export const lookupBlockWithProof: LiteFunction<LookupBlockWithProof, LookupBlockResult> = {
  name: 'liteServer.lookupBlockWithProof',
  id: 0x9c045ff8,
  answer: lookupBlockResult,
  write(w, request) {
    w.uint(request.mode);
    writeBlockPlace(w, request.id);
    writeBlockId(w, request.mcBlockId);
    if (isGiven(request.mode, 1, request.lt, 'lt')) w.long(request.lt);
    if (isGiven(request.mode, 2, request.utime, 'utime')) w.uint(request.utime);
  },
  read(r) {
    const mode = r.uint();
    return {
      method: 'lookupBlockWithProof',
      mode,
      id: readBlockPlace(r),
      mcBlockId: readBlockId(r),
      lt: hasBit(mode, 1) ? r.long() : undefined,
      utime: hasBit(mode, 2) ? r.uint() : undefined,
    };
  },
};
