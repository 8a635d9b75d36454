import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import Type from 'typebox';
import type { Tables } from '../db/tables/tables.ts';
import { defineOperation, type Operation } from '../http/operation.ts';
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
import type { V3Call } from './call.ts';
import { recordedExample } from './examples.ts';
import {
  type ListLimits,
  noteNextCursor,
  sortParam,
  spanParams,
  toSpan,
  toWindow,
  windowParams,
} from './list-parameters.ts';
import { hashParam, int32Param, shardParam } from './parameter-kinds.ts';
import { readIndex } from './read-index.ts';
import { formatHash, formatShard, Nullable } from './values.ts';

/** The first and the last masterchain block of the index. */
export function createMasterchainInfo(): Operation<V3Call> {
  return defineOperation({
    name: 'masterchainInfo',
    methods: ['GET'],
    tag: 'blockchain',
    summary: 'First and last masterchain block',
    description: 'The ends of the index. Blocks between them may not be indexed yet.',
    parameters: {},
    result: Type.Object({ last: blockSchema, first: blockSchema }, { title: 'MasterchainInfo' }),
    errors: [{ code: 404, when: 'Nothing is indexed yet' }],
    cache: 'head',
    examples: [
      recordedExample('masterchainInfo'),
      {
        title: 'A malformed option',
        params: { x_no_metadata: 'maybe' },
        failure: { code: 422, text: 'failed to decode: schema: error converting value for "x_no_metadata"' },
      },
    ],
    handler: async (_params, call: V3Call) => {
      const ends = await readIndex(call, readMasterchainEnds);
      if (ends === undefined) throw new Failure('not_found', 'masterchain info not found');
      return { last: toBlock(ends.last), first: toBlock(ends.first) };
    },
  });
}

/** Blocks by id, time and masterchain block. */
export function createBlocks(limits: ListLimits): Operation<V3Call> {
  return defineOperation({
    name: 'blocks',
    methods: ['GET'],
    tag: 'blockchain',
    summary: 'Blocks',
    description: 'Ordered by time, workchain, shard and seqno.',
    parameters: {
      workchain: int32Param({ description: 'Workchain.' }),
      shard: shardParam({ description: 'Shard, as hex or signed decimal.' }),
      seqno: int32Param({ description: 'Seqno of the block in its shard.' }),
      root_hash: hashParam({ description: 'Root hash.' }),
      file_hash: hashParam({ description: 'File hash.' }),
      mc_seqno: int32Param({ description: 'Seqno of the masterchain block that committed the block.' }),
      ...spanParams({ utime: 'Block time', lt: 'Start lt' }),
      ...windowParams(limits),
      sort: sortParam({ description: 'Sort direction.', fallback: 'desc' }),
    },
    result: blocksSchema,
    cache: 'head',
    examples: [
      recordedExample('blocks'),
      {
        title: 'A malformed shard',
        params: { shard: 'all' },
        failure: { code: 422, text: 'failed to decode: schema: error converting value for "shard"' },
      },
    ],
    handler: async (params, call: V3Call) => {
      const { workchain, shard, seqno, root_hash: rootHash, file_hash: fileHash, mc_seqno: mcSeqno } = params;
      const filters = { workchain, shard, seqno, rootHash, fileHash, mcSeqno, span: toSpan(params) };
      // At the same time shard blocks come before those of the masterchain, as they are committed.
      const keys = blockOrder(params.sort, { workchains: params.sort === 'asc' ? 'desc' : 'asc' });
      const page = toWindow(params, keys);
      const blocks = await readIndex(call, (db) => readBlocks(db, { filters, keys, page }));
      noteNextCursor(call, keys, page, blocks);
      return { blocks: blocks.map(toBlock) };
    },
  });
}

/** The blocks committed by a masterchain block. */
export function createMasterchainBlockShards(limits: ListLimits): Operation<V3Call> {
  return defineOperation({
    name: 'masterchainBlockShards',
    methods: ['GET'],
    tag: 'blockchain',
    summary: 'Blocks committed by a masterchain block',
    description:
      'The masterchain block and the shard blocks that are new since the previous one, ordered by time, workchain, shard and seqno.',
    parameters: {
      seqno: seqnoParam(),
      ...windowParams(limits),
      sort: sortParam({ description: 'Sort direction.', fallback: 'desc' }),
    },
    result: blocksSchema,
    errors: [{ code: 404, when: 'The masterchain block is not in the index' }],
    cache: 'head',
    examples: [
      recordedExample('masterchainBlockShards'),
      { title: 'An unknown block', params: { seqno: -1 }, failure: { code: 404, text: 'blocks not found' } },
      { title: 'Nothing given', params: {}, failure: { code: 422, text: 'seqno is required' } },
    ],
    handler: async (params, call: V3Call) => {
      const keys = blockOrder(params.sort);
      const page = toWindow(params, keys);
      const { seqno } = params;
      const blocks = await readIndex(call, async (db) => {
        // A page past the last block is empty; only a missing masterchain block is an error.
        if (!(await hasMasterchainBlock(db, { seqno }))) throw new Failure('not_found', 'blocks not found');
        return readBlocks(db, { filters: { mcSeqno: seqno }, keys, page });
      });
      noteNextCursor(call, keys, page, blocks);
      return { blocks: blocks.map(toBlock) };
    },
  });
}

/** The newest block of every shard as of a masterchain block. */
export function createMasterchainBlockShardState(): Operation<V3Call> {
  return defineOperation({
    name: 'masterchainBlockShardState',
    methods: ['GET'],
    tag: 'blockchain',
    summary: 'Shard state of a masterchain block',
    description:
      'The masterchain block and the newest block of every shard in its state, ordered by workchain and shard. Blocks older than the index are missing.',
    parameters: { seqno: seqnoParam() },
    result: blocksSchema,
    errors: [{ code: 404, when: 'The masterchain block is not in the index' }],
    cache: 'head',
    examples: [
      recordedExample('masterchainBlockShardState'),
      { title: 'An unknown block', params: { seqno: -1 }, failure: { code: 404, text: 'blocks not found' } },
      { title: 'Nothing given', params: {}, failure: { code: 422, text: 'seqno is required' } },
    ],
    handler: async ({ seqno }, call: V3Call) => {
      const blocks = await readIndex(call, (db) => readShardTops(db, { seqno }));
      if (blocks.length === 0) throw new Failure('not_found', 'blocks not found');
      return { blocks: blocks.map(toBlock) };
    },
  });
}

/** The parameter `seqno` of operations about one masterchain block. */
export function seqnoParam() {
  return int32Param({ description: 'Seqno of the masterchain block.', required: true });
}

/** Throws if a seqno is given and the masterchain block is not in the index. */
export async function requireMasterchainBlock(
  db: Kysely<Tables>,
  { seqno }: { readonly seqno: number | undefined },
): Promise<void> {
  if (seqno !== undefined && !(await hasMasterchainBlock(db, { seqno })))
    throw new Failure('not_found', `masterchain block ${seqno} not found`);
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

const blockSchema = Type.Object(
  {
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
  },
  { title: 'Block' },
);

type BlockJson = Static<typeof blockSchema>;

/** The response of operations that list blocks. */
const blocksSchema = Type.Object({ blocks: Type.Array(blockSchema) }, { title: 'BlocksResponse' });

const MASTERCHAIN = { workchain: -1, shard: String(-(2n ** 63n)) };

function toBlock(row: BlockRow): BlockJson {
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
