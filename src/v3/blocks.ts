import type { Static } from 'typebox';
import Type from 'typebox';
import { PlainText } from '../http/serializer.ts';
import {
  type BlockRow,
  blockOrder,
  hasMasterchainBlock,
  readBlocks,
  readMasterchainEnds,
  readShardTops,
} from '../index/read/blocks.ts';
import { Failure } from '../lib/errors.ts';
import { readList, sortedWindowParams, spanParams, toSpan } from './list-parameters.ts';
import { defineV3Operation, type ListLimits } from './operation.ts';
import { hashParam, int32Param, shardParam } from './parameter-kinds.ts';
import { readIndex } from './read-index.ts';
import { base64, defineRow, flag, integer, member, text } from './row-json.ts';
import { formatShard, Nullable } from './values.ts';

export const createMasterchainInfo = () =>
  defineV3Operation({
    name: 'masterchainInfo',
    tag: 'blockchain',
    summary: 'First and last masterchain block',
    description: 'The ends of the index. Blocks between them may not be indexed yet.',
    parameters: {},
    result: Type.Object({ last: block.schema, first: block.schema }, { title: 'MasterchainInfo' }),
    errors: [{ code: 404, when: 'Nothing is indexed yet' }],
    handler: async (_params, call) => {
      const ends = await readIndex(call, readMasterchainEnds);
      if (ends === undefined) throw new Failure('not_found', 'masterchain info not found');
      return { last: block.write(ends.last), first: block.write(ends.first) };
    },
  });

export const createBlocks = (limits: ListLimits) =>
  defineV3Operation({
    name: 'blocks',
    tag: 'blockchain',
    summary: 'Blocks',
    description: 'Ordered by time, workchain, shard and seqno.',
    parameters: {
      workchain: int32Param('Workchain.'),
      shard: shardParam('Shard, as hex or signed decimal.'),
      seqno: int32Param('Seqno of the block in its shard.'),
      root_hash: hashParam('Root hash.'),
      file_hash: hashParam('File hash.'),
      mc_seqno: int32Param('Seqno of the masterchain block that committed the block.'),
      ...spanParams({ utime: 'Block time', lt: 'Start lt' }),
      ...sortedWindowParams(limits),
    },
    result: blocksSchema,
    handler: (params, call) => {
      const { workchain, shard, seqno, root_hash: rootHash, file_hash: fileHash, mc_seqno: mcSeqno } = params;
      const filters = { workchain, shard, seqno, rootHash, fileHash, mcSeqno, span: toSpan(params) };
      // At the same time shard blocks come before those of the masterchain, as they are committed.
      const keys = blockOrder(params.sort, { workchains: params.sort === 'asc' ? 'desc' : 'asc' });
      return readList(call, params, {
        keys,
        read: (db, page) => readBlocks(db, { filters, keys, page }),
        show: (rows) => toBlocks(rows),
      });
    },
  });

export const createMasterchainBlockShards = (limits: ListLimits) =>
  defineV3Operation({
    name: 'masterchainBlockShards',
    tag: 'blockchain',
    summary: 'Blocks committed by a masterchain block',
    description:
      'The masterchain block and the shard blocks that are new since the previous one, ordered by time, workchain, shard and seqno.',
    parameters: {
      seqno: seqnoParam(),
      ...sortedWindowParams(limits),
    },
    result: blocksSchema,
    errors: [{ code: 404, when: 'The masterchain block is not in the index' }],
    handler: (params, call) => {
      const { sort, seqno } = params;
      const keys = blockOrder(sort);
      return readList(call, params, {
        keys,
        read: async (db, page) => {
          // A page past the last block is empty; only a missing masterchain block is an error.
          if (!(await hasMasterchainBlock(db, { seqno }))) throw new Failure('not_found', 'blocks not found');
          return readBlocks(db, { filters: { mcSeqno: seqno }, keys, page });
        },
        show: (rows) => toBlocks(rows),
      });
    },
  });

export const createMasterchainBlockShardState = () =>
  defineV3Operation({
    name: 'masterchainBlockShardState',
    tag: 'blockchain',
    summary: 'Shard state of a masterchain block',
    description:
      'The masterchain block and the newest block of every shard in its state, ordered by workchain and shard. Blocks older than the index are missing.',
    parameters: { seqno: seqnoParam() },
    result: blocksSchema,
    errors: [{ code: 404, when: 'The masterchain block is not in the index' }],
    handler: async ({ seqno }, call) => {
      const blocks = await readIndex(call, (db) => readShardTops(db, { seqno }));
      if (blocks.length === 0) throw new Failure('not_found', 'blocks not found');
      return toBlocks(blocks);
    },
  });

export function seqnoParam() {
  return int32Param('Seqno of the masterchain block.', { required: true });
}

/** A block id without hashes. */
export const blockIdSchema = Type.Object(
  {
    workchain: Type.Integer(),
    shard: PlainText({ description: 'Hex.' }),
    seqno: Type.Integer(),
  },
  { title: 'BlockId' },
);

/** Writes a block id; the shard is the signed number of the index. */
export function toBlockId(
  workchain: number,
  shard: string | bigint,
  seqno: number,
): Static<typeof blockIdSchema> {
  return { workchain, shard: formatShard(shard), seqno };
}

const MASTERCHAIN = { workchain: -1, shard: String(-(2n ** 63n)) };

const block = defineRow('Block', {
  workchain: integer('workchain'),
  shard: member(PlainText({ description: 'Hex.' }), ({ shard }: BlockRow) => formatShard(shard)),
  seqno: integer('seqno'),
  root_hash: base64('root_hash'),
  file_hash: base64('file_hash'),
  global_id: integer('global_id'),
  version: integer('version'),
  after_merge: flag('after_merge'),
  before_split: flag('before_split'),
  after_split: flag('after_split'),
  want_merge: flag('want_merge'),
  want_split: flag('want_split'),
  key_block: flag('key_block'),
  vert_seqno_incr: flag('vert_seqno_incr'),
  flags: integer('flags'),
  gen_utime: text('gen_utime'),
  start_lt: text('start_lt'),
  end_lt: text('end_lt'),
  validator_list_hash_short: integer('validator_list_hash_short', 'Signed.'),
  gen_catchain_seqno: integer('gen_catchain_seqno'),
  min_ref_mc_seqno: integer('min_ref_mc_seqno'),
  prev_key_block_seqno: integer('prev_key_block_seqno'),
  vert_seqno: integer('vert_seqno'),
  master_ref_seqno: integer('master_ref_seqno', '0 for masterchain blocks.'),
  rand_seed: base64('rand_seed'),
  created_by: base64('created_by'),
  tx_count: integer('tx_count'),
  masterchain_block_ref: member(blockIdSchema, ({ mc_seqno }: BlockRow) =>
    toBlockId(MASTERCHAIN.workchain, MASTERCHAIN.shard, mc_seqno),
  ),
  prev_blocks: member(
    Nullable(Type.Array(blockIdSchema)),
    ({ workchain, prev_shards, prev_seqnos }: BlockRow) =>
      prev_shards.map((shard, at) => toBlockId(workchain, shard, prev_seqnos[at]!)),
  ),
});

const blocksSchema = Type.Object({ blocks: Type.Array(block.schema) }, { title: 'BlocksResponse' });

function toBlocks(rows: readonly BlockRow[]): Static<typeof blocksSchema> {
  return { blocks: rows.map(block.write) };
}
