import Type from 'typebox';
import { MASTERCHAIN } from '../../chain/block-id.ts';
import type { ProvenHeader } from '../../lite/proofs/block-header.ts';
import { BlockIdExt, blockIdExt, Int64Text } from './block-id.ts';

/** `blocks.header`. */
export const BlockHeader = Type.Object({
  '@type': Type.Literal('blocks.header'),
  id: BlockIdExt,
  global_id: Type.Integer(),
  version: Type.Integer(),
  after_merge: Type.Boolean(),
  after_split: Type.Boolean(),
  before_split: Type.Boolean(),
  want_merge: Type.Boolean(),
  want_split: Type.Boolean(),
  validator_list_hash_short: Type.Integer(),
  catchain_seqno: Type.Integer(),
  min_ref_mc_seqno: Type.Integer(),
  is_key_block: Type.Boolean(),
  prev_key_block_seqno: Type.Integer(),
  start_lt: Int64Text(),
  end_lt: Int64Text(),
  gen_utime: Type.Integer(),
  prev_blocks: Type.Array(BlockIdExt),
});

/** Writes `blocks.header`; numbers of 32 bits are signed in it. */
export function blockHeader({ block, root, info, previous }: ProvenHeader) {
  return {
    '@type': 'blocks.header' as const,
    id: blockIdExt(block),
    global_id: root.globalId,
    version: info.version | 0,
    after_merge: info.afterMerge,
    after_split: info.afterSplit,
    before_split: info.beforeSplit,
    want_merge: info.wantMerge,
    want_split: info.wantSplit,
    validator_list_hash_short: info.genValidatorListHashShort | 0,
    catchain_seqno: info.genCatchainSeqno | 0,
    min_ref_mc_seqno: info.minRefMcSeqno | 0,
    is_key_block: info.keyBlock,
    // Shard blocks have the number too, but clients know it of the masterchain only.
    prev_key_block_seqno: block.workchain === MASTERCHAIN ? info.prevKeyBlockSeqno | 0 : 0,
    start_lt: String(BigInt.asIntN(64, info.startLt)),
    end_lt: String(BigInt.asIntN(64, info.endLt)),
    gen_utime: info.genUtime,
    prev_blocks: previous.map(blockIdExt),
  };
}
