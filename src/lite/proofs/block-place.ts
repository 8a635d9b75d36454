import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../chain/block-id.ts';
import { accountPrefix, shardContains } from '../../chain/shard-prefix.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import type { ShardIdent } from '../../chain/tlb/shard-ident.ts';

// Nodes name a block that does not exist by this workchain, or by a shard of zero.
const INVALID_WORKCHAIN = -0x80000000;

/** Whether an account lives in the shard of a block. */
export function isAccountInBlock(block: BlockId, account: AccountId): boolean {
  return block.workchain === account.workchain && shardContains(block.shard, accountPrefix(account.hash));
}

/** Whether a name can be that of a masterchain block. */
export function isMasterchainBlock(id: BlockId): boolean {
  return id.workchain === MASTERCHAIN && id.shard === WHOLE_SHARD && id.seqno >= 0;
}

/** Whether a name can be that of any block. */
export function isPossibleBlock(id: BlockId): boolean {
  return id.workchain !== INVALID_WORKCHAIN && id.shard !== 0n && id.seqno >= 0;
}

/** A shard's name in the form nodes print. */
export function shardText({ workchain, shard }: ShardIdent): string {
  return `${workchain}:${BigInt.asUintN(64, shard).toString(16).padStart(16, '0')}`;
}
