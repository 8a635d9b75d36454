import Type from 'typebox';
import { blockOrder, readBlocks } from '../../db/queries/blocks.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import type { V3Call } from '../call.ts';
import { notePage, openPage, pageParams } from '../page.ts';
import { hashParam } from '../params/hash.ts';
import { int32Param } from '../params/int32.ts';
import type { PageLimits } from '../params/limit.ts';
import { shardParam } from '../params/shard.ts';
import { sortParam } from '../params/sort.ts';
import { readIndex } from '../read-index.ts';
import { spanParams, toSpan } from '../span.ts';
import { blockSchema, toBlock } from './block.ts';
import { EXAMPLE_BLOCK } from './example-block.ts';

/** Blocks by their ids, times and masterchain blocks. */
export function createBlocks(limits: PageLimits): Operation<V3Call> {
  return defineOperation({
    name: 'blocks',
    methods: ['GET'],
    tag: 'blockchain',
    summary: 'Blocks',
    description: 'By time, workchain, shard and seqno.',
    parameters: {
      workchain: int32Param({ description: 'Workchain.' }),
      shard: shardParam({ description: 'Shard, in hex or as a signed decimal.' }),
      seqno: int32Param({ description: 'Seqno in its shard.' }),
      root_hash: hashParam({ description: 'Root hash.' }),
      file_hash: hashParam({ description: 'File hash.' }),
      mc_seqno: int32Param({ description: 'Seqno of the masterchain block that committed it.' }),
      ...spanParams({ utime: 'Time', lt: 'Logical time of the beginning' }),
      ...pageParams(limits),
      sort: sortParam({ description: 'Direction of the order.', fallback: 'desc' }),
    },
    result: Type.Object({ blocks: Type.Array(blockSchema) }),
    cache: 'head',
    examples: [
      {
        title: 'A block',
        params: { workchain: -1, shard: '8000000000000000', seqno: 2 },
        varies: true,
        result: { blocks: [EXAMPLE_BLOCK] },
      },
      {
        title: 'No shard',
        params: { shard: 'all' },
        failure: { code: 422, text: 'failed to decode: schema: error converting value for "shard"' },
      },
    ],
    handler: async (params, call: V3Call) => {
      const { workchain, shard, seqno, root_hash: rootHash, file_hash: fileHash, mc_seqno: mcSeqno } = params;
      const filters = { workchain, shard, seqno, rootHash, fileHash, mcSeqno, span: toSpan(params) };
      const keys = blockOrder(params.sort);
      const page = openPage(params, keys);
      const blocks = await readIndex(call, (db) => readBlocks(db, { filters, keys, page }));
      notePage(call, keys, page, blocks);
      return { blocks: blocks.map(toBlock) };
    },
  });
}
