import Type from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import type { V2Call } from '../call.ts';
import { getConsensusBlockExamples } from '../examples/get-consensus-block.ts';

/** The newest masterchain block that the lite servers agree on. */
export const getConsensusBlock = defineOperation({
  name: 'getConsensusBlock',
  methods: ['GET', 'POST'],
  tag: 'blocks',
  summary: 'Number of the newest masterchain block',
  description:
    'The newest block that any live lite server has, and the time of the answer. No server is asked.',
  parameters: {},
  result: Type.Object({
    '@type': Type.Literal('ext.blocks.consensusBlock'),
    consensus_block: Type.Integer(),
    timestamp: Type.Integer(),
  }),
  errors: [{ code: 500, when: 'No lite server is live.' }],
  cache: 'none',
  examples: getConsensusBlockExamples,
  handler: (_params, { ports, group }: V2Call) => ({
    '@type': 'ext.blocks.consensusBlock' as const,
    consensus_block: ports.pool(group).consensusBlock().seqno,
    timestamp: Math.floor(ports.clock()),
  }),
});
