import Type from 'typebox';
import { readMasterchainEnds } from '../../db/queries/masterchain-blocks.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { Failure } from '../../lib/failure.ts';
import type { V3Call } from '../call.ts';
import { readIndex } from '../read-index.ts';
import { blockSchema, toBlock } from './block.ts';
import { EXAMPLE_BLOCK } from './example-block.ts';

/** The ends of what is indexed. */
export function createMasterchainInfo(): Operation<V3Call> {
  return defineOperation({
    name: 'masterchainInfo',
    methods: ['GET'],
    tag: 'blockchain',
    summary: 'First and last masterchain block',
    description: 'Of the index. Between them there may be blocks that are still to be indexed.',
    parameters: {},
    result: Type.Object({ last: blockSchema, first: blockSchema }),
    errors: [{ code: 404, when: 'nothing is indexed yet' }],
    cache: 'head',
    examples: [
      {
        title: 'The index',
        params: {},
        varies: true,
        result: { last: EXAMPLE_BLOCK, first: EXAMPLE_BLOCK },
      },
      {
        title: 'An option that is neither on nor off',
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
