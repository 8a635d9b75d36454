import type { BlockId } from '../block-id.ts';
import { BLOCK_ID_BYTES, readBlockId, writeBlockId } from './names.ts';
import type { TlReader } from './tl-reader.ts';
import type { LiteFunction, TlType } from './tl-type.ts';
import type { TlWriter } from './tl-writer.ts';

/** `liteServer.shardBlockLink`: one step from a masterchain block down to a shard block. */
export interface ShardBlockLink {
  readonly id: BlockId;
  readonly proof: Buffer;
}

/** The fewest bytes a link has: its block and an empty proof. */
export const SHARD_BLOCK_LINK_BYTES = BLOCK_ID_BYTES + 4;

/** Writes a link. */
export function writeShardBlockLink(writer: TlWriter, link: ShardBlockLink): void {
  writeBlockId(writer, link.id);
  writer.bytes(link.proof);
}

/** Reads a link. */
export function readShardBlockLink(reader: TlReader): ShardBlockLink {
  return { id: readBlockId(reader), proof: reader.bytes() };
}

/** `liteServer.shardBlockProof`: the steps that prove a shard block from a masterchain block. */
export interface ShardBlockProof {
  readonly masterchainId: BlockId;
  readonly links: readonly ShardBlockLink[];
}

const shardBlockProof: TlType<ShardBlockProof> = {
  name: 'liteServer.shardBlockProof',
  id: 0x1d62a07a,
  write(w, proof) {
    writeBlockId(w, proof.masterchainId);
    w.vector(proof.links, writeShardBlockLink);
  },
  read: (r) => ({
    masterchainId: readBlockId(r),
    links: r.vector(SHARD_BLOCK_LINK_BYTES, readShardBlockLink),
  }),
};

/** Request of `getShardBlockProof`. */
export interface GetShardBlockProof {
  readonly method: 'getShardBlockProof';
  readonly id: BlockId;
}

/** `liteServer.getShardBlockProof`: proves a shard block from a masterchain block that the server chooses. */
export const getShardBlockProof: LiteFunction<GetShardBlockProof, ShardBlockProof> = {
  name: 'liteServer.getShardBlockProof',
  id: 0x4ca60350,
  answer: shardBlockProof,
  write: (w, request) => writeBlockId(w, request.id),
  read: (r) => ({ method: 'getShardBlockProof', id: readBlockId(r) }),
};
