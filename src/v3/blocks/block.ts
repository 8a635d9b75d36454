import Type, { type Static } from 'typebox';
import type { BlockRow } from '../../db/queries/blocks.ts';
import { PlainText } from '../../http/serializer.ts';
import { Nullable } from '../nullable.ts';
import { formatHash, formatShard } from '../value-texts.ts';
import { blockIdSchema, toBlockId } from './block-id.ts';

/** A block. */
export const blockSchema = Type.Object({
  workchain: Type.Integer(),
  shard: PlainText({ description: 'Hex.' }),
  seqno: Type.Integer(),
  root_hash: PlainText(),
  file_hash: PlainText(),
  global_id: Type.Integer(),
  version: Type.Integer(),
  after_merge: Type.Boolean(),
  before_split: Type.Boolean(),
  after_split: Type.Boolean(),
  want_merge: Type.Boolean(),
  want_split: Type.Boolean(),
  key_block: Type.Boolean(),
  vert_seqno_incr: Type.Boolean(),
  flags: Type.Integer(),
  gen_utime: PlainText(),
  start_lt: PlainText(),
  end_lt: PlainText(),
  validator_list_hash_short: Type.Integer({ description: 'Signed.' }),
  gen_catchain_seqno: Type.Integer(),
  min_ref_mc_seqno: Type.Integer(),
  prev_key_block_seqno: Type.Integer(),
  vert_seqno: Type.Integer(),
  master_ref_seqno: Type.Integer({ description: '0 for masterchain blocks.' }),
  rand_seed: PlainText(),
  created_by: PlainText(),
  tx_count: Type.Integer(),
  masterchain_block_ref: blockIdSchema,
  prev_blocks: Nullable(Type.Array(blockIdSchema)),
});

export type BlockJson = Static<typeof blockSchema>;

const MASTERCHAIN = { workchain: -1, shard: String(-(2n ** 63n)) };

/** Writes a block. */
export function toBlock(row: BlockRow): BlockJson {
  return {
    workchain: row.workchain,
    shard: formatShard(row.shard),
    seqno: row.seqno,
    root_hash: formatHash(row.root_hash),
    file_hash: formatHash(row.file_hash),
    global_id: row.global_id,
    version: Number(row.version),
    after_merge: row.after_merge,
    before_split: row.before_split,
    after_split: row.after_split,
    want_merge: row.want_merge,
    want_split: row.want_split,
    key_block: row.key_block,
    vert_seqno_incr: row.vert_seqno_incr,
    flags: row.flags,
    gen_utime: row.gen_utime,
    start_lt: row.start_lt,
    end_lt: row.end_lt,
    validator_list_hash_short: row.validator_list_hash_short,
    gen_catchain_seqno: Number(row.gen_catchain_seqno),
    min_ref_mc_seqno: Number(row.min_ref_mc_seqno),
    prev_key_block_seqno: Number(row.prev_key_block_seqno),
    vert_seqno: Number(row.vert_seqno),
    master_ref_seqno: Number(row.master_ref_seqno),
    rand_seed: formatHash(row.rand_seed),
    created_by: formatHash(row.created_by),
    tx_count: row.tx_count,
    masterchain_block_ref: toBlockId(MASTERCHAIN.workchain, MASTERCHAIN.shard, row.mc_seqno),
    prev_blocks: row.prev_shards.map((shard, at) => toBlockId(row.workchain, shard, row.prev_seqnos[at]!)),
  };
}
