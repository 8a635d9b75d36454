import Type from 'typebox';
import { readShardTops } from '../../db/queries/masterchain-blocks.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { Failure } from '../../lib/failure.ts';
import type { V3Call } from '../call.ts';
import { readIndex } from '../read-index.ts';
import { blockSchema, toBlock } from './block.ts';
import { EXAMPLE_BLOCK } from './example-block.ts';
import { seqnoParam } from './seqno-param.ts';

/** The newest block of every shard as of a masterchain block. */
export function createMasterchainBlockShardState(): Operation<V3Call> {
  return defineOperation({
    name: 'masterchainBlockShardState',
    methods: ['GET'],
    tag: 'blockchain',
    summary: 'Shards as of a masterchain block',
    description:
      'The masterchain block and the newest block of every shard that it knows of, by workchain and shard. Those from before the index are missing.',
    parameters: { seqno: seqnoParam() },
    result: Type.Object({ blocks: Type.Array(blockSchema) }),
    errors: [{ code: 404, when: 'the masterchain block is not indexed' }],
    cache: 'head',
    examples: [
      { title: 'A block', params: { seqno: 2 }, varies: true, result: { blocks: [EXAMPLE_BLOCK] } },
      { title: 'No block', params: { seqno: -1 }, failure: { code: 404, text: 'blocks not found' } },
      { title: 'Nothing given', params: {}, failure: { code: 422, text: 'seqno is required' } },
    ],
    handler: async ({ seqno }, call: V3Call) => {
      const blocks = await readIndex(call, (db) => readShardTops(db, { seqno }));
      if (blocks.length === 0) throw new Failure('not_found', 'blocks not found');
      return { blocks: blocks.map(toBlock) };
    },
  });
}
