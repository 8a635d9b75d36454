import { defineOperation } from '../../http/operation.ts';
import type { V2Call } from '../call.ts';
import { lookupBlockExamples } from '../examples/lookup-block.ts';
import { workchain } from '../params/block-place.ts';
import { optionalInt32, optionalInt64 } from '../params/integer.ts';
import { validateRefusal } from '../params/refusal.ts';
import { shard } from '../params/shard.ts';
import { findBlock, findHeader, sessionSeqno } from '../reads/find-block.ts';
import { openSession } from '../reads/open-session.ts';
import { BlockIdExt, blockIdExt } from '../shapes/block-id.ts';

/** A block that was found by a time is the answer for ever once it is this many masterchain blocks old. */
const LASTING_BLOCKS = 32;

/** Finds a block. */
export const lookupBlock = defineOperation({
  name: 'lookupBlock',
  methods: ['GET', 'POST'],
  tag: 'blocks',
  summary: 'Find a block by number, logical time or time',
  description:
    'Exactly one of `seqno`, `lt` and `unixtime` is given. The block found may be of a smaller or larger shard around the given one.',
  parameters: {
    workchain: workchain(),
    shard: shard(),
    seqno: optionalInt32({ description: 'Number of the block in its shard.', minimum: 1 }),
    lt: optionalInt64({ description: 'Logical time that lies in the block.', minimum: 0 }),
    unixtime: optionalInt32({ description: 'Time that lies in the block, in unix seconds.', minimum: 0 }),
  },
  result: BlockIdExt,
  errors: [{ code: 500, when: 'There is no such block.' }],
  cache: 'immutable',
  examples: [
    ...lookupBlockExamples,
    {
      title: 'without anything to go by',
      params: { workchain: -1, shard: '-9223372036854775808' },
      failure: {
        code: 422,
        text: 'failed to validate request: exactly one of seqno, lt, unixtime should be specified',
      },
    },
  ],
  handler: async ({ workchain, shard, seqno, lt, unixtime }, call: V2Call) => {
    if ([seqno, lt, unixtime].filter((selector) => selector !== undefined).length !== 1)
      throw validateRefusal('exactly one of seqno, lt, unixtime should be specified');
    const session = await openSession(call, { seqno: sessionSeqno(call, { workchain, seqno }) });
    if (seqno !== undefined) {
      const block = await session.run((target) => findBlock(call, target, { workchain, shard, seqno }));
      call.lasting = true;
      return blockIdExt(block);
    }
    const key = lt === undefined ? { workchain, shard, utime: unixtime! } : { workchain, shard, lt };
    const { block, info } = await session.run((target) => findHeader(call, target, key));
    call.lasting = session.reference.seqno - (info.masterRef ?? block).seqno > LASTING_BLOCKS;
    return blockIdExt(block);
  },
});
