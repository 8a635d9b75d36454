import type { BlockId } from '../block-id.ts';
import { readBlockId, writeBlockId } from './names.ts';
import type { LiteFunction, TlType } from './tl-type.ts';

/** `liteServer.shardInfo`: the newest block of one shard that a masterchain block names. */
export interface ShardInfo {
  readonly id: BlockId;
  readonly shardBlock: BlockId;
  readonly shardProof: Buffer;
  readonly shardDescr: Buffer;
}

/** `liteServer.allShardsInfo`: the newest blocks of all shards that a masterchain block names. */
export interface AllShardsInfo {
  readonly id: BlockId;
  readonly proof: Buffer;
  readonly data: Buffer;
}

const shardInfo: TlType<ShardInfo> = {
  name: 'liteServer.shardInfo',
  id: 0x9fe6cd84,
  write(w, info) {
    writeBlockId(w, info.id);
    writeBlockId(w, info.shardBlock);
    w.bytes(info.shardProof);
    w.bytes(info.shardDescr);
  },
  read: (r) => ({
    id: readBlockId(r),
    shardBlock: readBlockId(r),
    shardProof: r.bytes(),
    shardDescr: r.bytes(),
  }),
};

const allShardsInfo: TlType<AllShardsInfo> = {
  name: 'liteServer.allShardsInfo',
  id: 0x098fe72d,
  write(w, info) {
    writeBlockId(w, info.id);
    w.bytes(info.proof);
    w.bytes(info.data);
  },
  read: (r) => ({ id: readBlockId(r), proof: r.bytes(), data: r.bytes() }),
};

/** Request of `getShardInfo`; without `exact`, the shard that holds the given one is answered. */
export interface GetShardInfo {
  readonly method: 'getShardInfo';
  readonly id: BlockId;
  readonly workchain: number;
  readonly shard: bigint;
  readonly exact: boolean;
}

/** `liteServer.getShardInfo`: the newest block of one shard. */
export const getShardInfo: LiteFunction<GetShardInfo, ShardInfo> = {
  name: 'liteServer.getShardInfo',
  id: 0x46a2f425,
  answer: shardInfo,
  write(w, request) {
    writeBlockId(w, request.id);
    w.int(request.workchain);
    w.long(request.shard);
    w.bool(request.exact);
  },
  read: (r) => ({
    method: 'getShardInfo',
    id: readBlockId(r),
    workchain: r.int(),
    shard: r.long(),
    exact: r.bool(),
  }),
};

/** Request of `getAllShardsInfo`. */
export interface GetAllShardsInfo {
  readonly method: 'getAllShardsInfo';
  readonly id: BlockId;
}

/** `liteServer.getAllShardsInfo`: the newest blocks of all shards. */
export const getAllShardsInfo: LiteFunction<GetAllShardsInfo, AllShardsInfo> = {
  name: 'liteServer.getAllShardsInfo',
  id: 0x74d3fd6b,
  answer: allShardsInfo,
  write: (w, request) => writeBlockId(w, request.id),
  read: (r) => ({ method: 'getAllShardsInfo', id: readBlockId(r) }),
};
