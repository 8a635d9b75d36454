import Type from 'typebox';
import type { BlockId } from '../../chain/block-id.ts';
import { BlockIdExt, blockIdExt, Hash256 } from './block-id.ts';

/** `blocks.masterchainInfo`. */
export const MasterchainInfo = Type.Object({
  '@type': Type.Literal('blocks.masterchainInfo'),
  last: BlockIdExt,
  state_root_hash: Hash256(),
  init: BlockIdExt,
});

/** Writes `blocks.masterchainInfo`; the zero state has a shard of 0 in it. */
export function masterchainInfo(last: BlockId, stateRootHash: Buffer, zeroState: BlockId) {
  return {
    '@type': 'blocks.masterchainInfo' as const,
    last: blockIdExt(last),
    state_root_hash: stateRootHash.toString('base64'),
    init: blockIdExt({ ...zeroState, shard: 0n, seqno: 0 }),
  };
}
