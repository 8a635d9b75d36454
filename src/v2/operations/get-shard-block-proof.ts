import { defineOperation } from '../../http/operation.ts';
import type { V2Call } from '../call.ts';
import { getShardBlockProofExamples } from '../examples/get-shard-block-proof.ts';
import { blockPlace } from '../params/block-place.ts';
import { optionalInt32 } from '../params/integer.ts';
import { sessionSeqno } from '../reads/find-block.ts';
import { openSession } from '../reads/open-session.ts';
import { provenShardBlock } from '../reads/shard-block-proof.ts';
import { ShardBlockProof, shardBlockProof } from '../shapes/shard-block-proof.ts';

/** The proof of a block from a masterchain block. */
export const getShardBlockProof = defineOperation({
  name: 'getShardBlockProof',
  methods: ['GET', 'POST'],
  tag: 'blocks',
  summary: 'Proof of a block from a masterchain block',
  description:
    'Leads from a masterchain block back to the one that the block belongs to (`mc_proof`), and from there to the block (`links`).',
  parameters: {
    ...blockPlace({ named: true }),
    from_seqno: optionalInt32({
      description: 'Number of the masterchain block that the proof starts from; the newest when left out.',
      minimum: 0,
    }),
  },
  result: ShardBlockProof,
  errors: [{ code: 500, when: 'There is no such block, or it is newer than the one the proof starts from.' }],
  cache: 'immutable',
  examples: [
    ...getShardBlockProofExamples,
    {
      title: 'without a shard',
      params: { workchain: 0, seqno: 5 },
      failure: {
        code: 422,
        text: {
          query: 'failed to parse get request: shard required',
          body: "failed to parse post request: Field 'shard' is missing",
        },
      },
    },
  ],
  handler: async ({ workchain, shard, seqno, from_seqno: fromSeqno }, call: V2Call) => {
    const wanted = { workchain, shard, seqno };
    const session = await openSession(call, { seqno: fromSeqno ?? sessionSeqno(call, wanted) });
    const proof = await provenShardBlock(call, session, wanted, fromSeqno);
    call.lasting = fromSeqno !== undefined;
    return shardBlockProof(proof);
  },
});
