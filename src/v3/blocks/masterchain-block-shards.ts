import Type from 'typebox';
import { blockOrder, readBlocks } from '../../db/queries/blocks.ts';
import { hasMasterchainBlock } from '../../db/queries/masterchain-blocks.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { Failure } from '../../lib/failure.ts';
import type { V3Call } from '../call.ts';
import { notePage, openPage, pageParams } from '../page.ts';
import type { PageLimits } from '../params/limit.ts';
import { sortParam } from '../params/sort.ts';
import { readIndex } from '../read-index.ts';
import { blockSchema, toBlock } from './block.ts';
import { EXAMPLE_BLOCK } from './example-block.ts';
import { seqnoParam } from './seqno-param.ts';

/** The blocks that a masterchain block committed. */
export function createMasterchainBlockShards(limits: PageLimits): Operation<V3Call> {
  return defineOperation({
    name: 'masterchainBlockShards',
    methods: ['GET'],
    tag: 'blockchain',
    summary: 'Blocks of a masterchain block',
    description:
      'The masterchain block and the shard blocks that are new since the one before it, by time, workchain, shard and seqno.',
    parameters: {
      seqno: seqnoParam(),
      ...pageParams(limits),
      sort: sortParam({ description: 'Direction of the order.', fallback: 'desc' }),
    },
    result: Type.Object({ blocks: Type.Array(blockSchema) }),
    errors: [{ code: 404, when: 'the masterchain block is not indexed' }],
    cache: 'head',
    examples: [
      { title: 'A block', params: { seqno: 2 }, varies: true, result: { blocks: [EXAMPLE_BLOCK] } },
      { title: 'No block', params: { seqno: -1 }, failure: { code: 404, text: 'blocks not found' } },
      { title: 'Nothing given', params: {}, failure: { code: 422, text: 'seqno is required' } },
    ],
    handler: async (params, call: V3Call) => {
      const keys = blockOrder(params.sort);
      const page = openPage(params, keys);
      const { seqno } = params;
      const blocks = await readIndex(call, async (db) => {
        // A page behind the last block is empty; only a block that is not there is not found.
        if (!(await hasMasterchainBlock(db, { seqno }))) throw new Failure('not_found', 'blocks not found');
        return readBlocks(db, { filters: { mcSeqno: seqno }, keys, page });
      });
      notePage(call, keys, page, blocks);
      return { blocks: blocks.map(toBlock) };
    },
  });
}
