import { defineOperation } from '../../http/operation.ts';
import type { V2Call } from '../call.ts';
import { getMasterchainBlockSignaturesExamples } from '../examples/get-masterchain-block-signatures.ts';
import { requiredMasterchainSeqno } from '../params/masterchain-seqno.ts';
import { signedBlock } from '../reads/block-signatures.ts';
import { openSession } from '../reads/open-session.ts';
import { BlockSignatures, blockSignatures } from '../shapes/block-signatures.ts';

/** The signatures of a masterchain block. */
export const getMasterchainBlockSignatures = defineOperation({
  name: 'getMasterchainBlockSignatures',
  methods: ['GET', 'POST'],
  tag: 'blocks',
  summary: 'Signatures of a masterchain block',
  description: 'What validators signed the block with; more than two thirds of their weight is there.',
  parameters: { seqno: requiredMasterchainSeqno() },
  result: BlockSignatures,
  errors: [{ code: 500, when: 'The block is the first one, or is not there yet.' }],
  cache: 'immutable',
  examples: [
    ...getMasterchainBlockSignaturesExamples,
    {
      title: 'without a block',
      params: { seqno: 0 },
      failure: { code: 422, text: 'failed to validate request: seqno should be positive' },
    },
  ],
  handler: async ({ seqno }, call: V2Call) => {
    const session = await openSession(call, { seqno });
    const { block, signatures } = await session.run((target) => signedBlock(call, target, seqno));
    call.lasting = true;
    return blockSignatures(block, signatures);
  },
});
