import Type from 'typebox';
import { topBlock } from '../../chain/tlb/find-shard.ts';
import { defineOperation } from '../../http/operation.ts';
import { getAllShardsInfo } from '../../lite/queries/get-all-shards-info.ts';
import type { V2Call } from '../call.ts';
import { getShardsExamples } from '../examples/get-shards.ts';
import { requiredMasterchainSeqno } from '../params/masterchain-seqno.ts';
import { findBlock, masterchainKey } from '../reads/find-block.ts';
import { openSession } from '../reads/open-session.ts';
import { BlockIdExt, blockIdExt } from '../shapes/block-id.ts';

/** The shards that a masterchain block names. */
export const getShards = defineOperation({
  name: 'getShards',
  aliases: ['shards'],
  methods: ['GET', 'POST'],
  tag: 'blocks',
  summary: 'Newest blocks of all shards at a masterchain block',
  description:
    'Workchains in ascending order, the shards of one from left to right; without the masterchain.',
  parameters: { seqno: requiredMasterchainSeqno() },
  result: Type.Object({ '@type': Type.Literal('blocks.shards'), shards: Type.Array(BlockIdExt) }),
  errors: [{ code: 500, when: 'There is no such block.' }],
  cache: 'immutable',
  examples: [
    ...getShardsExamples,
    {
      title: 'with the number of no block',
      params: { seqno: 0 },
      failure: { code: 422, text: 'failed to validate request: seqno should be positive' },
    },
  ],
  handler: async ({ seqno }, call: V2Call) => {
    const session = await openSession(call, { seqno });
    const shards = await session.run(async (target) => {
      const block = await findBlock(call, target, masterchainKey(seqno));
      return getAllShardsInfo(target.query, block, call.ports.check);
    });
    call.lasting = true;
    return { '@type': 'blocks.shards' as const, shards: shards.map((shard) => blockIdExt(topBlock(shard))) };
  },
});
