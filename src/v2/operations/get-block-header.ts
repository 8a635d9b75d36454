import { defineOperation } from '../../http/operation.ts';
import type { V2Call } from '../call.ts';
import { getBlockHeaderExamples } from '../examples/get-block-header.ts';
import { blockHashes, blockPlace } from '../params/block-place.ts';
import { findHeader, sessionSeqno } from '../reads/find-block.ts';
import { openSession } from '../reads/open-session.ts';
import { BlockHeader, blockHeader } from '../shapes/block-header.ts';

/** The header of a block. */
export const getBlockHeader = defineOperation({
  name: 'getBlockHeader',
  methods: ['GET', 'POST'],
  tag: 'blocks',
  summary: 'Header of a block',
  parameters: { ...blockPlace(), ...blockHashes() },
  result: BlockHeader,
  errors: [{ code: 500, when: 'There is no such block.' }],
  cache: 'immutable',
  examples: [
    ...getBlockHeaderExamples,
    {
      title: 'with a shard that is none',
      params: { workchain: 0, shard: 'left', seqno: 5 },
      failure: {
        code: 422,
        text: {
          query: 'failed to parse get request: failed to parse shard',
          body: "failed to parse post request: Error at path 'shard': failed to parse shard",
        },
      },
    },
  ],
  handler: async ({ workchain, shard, seqno, root_hash: rootHash, file_hash: fileHash }, call: V2Call) => {
    const wanted = { workchain, shard, seqno, rootHash, fileHash };
    const session = await openSession(call, { seqno: sessionSeqno(call, wanted) });
    const header = await session.run((target) => findHeader(call, target, wanted));
    call.lasting = true;
    return blockHeader(header);
  },
});
