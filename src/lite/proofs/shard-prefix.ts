import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../chain/block-id.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import type { ShardIdent } from '../../chain/tlb/shard-ident.ts';

// Nodes name a block that does not exist by this workchain, or by a shard of zero.
const INVALID_WORKCHAIN = -0x80000000;

/** Whether a shard holds the accounts, or one of the shards, whose names start like `prefix`. */
export function shardContains(shard: bigint, prefix: bigint): boolean {
  const unsigned = BigInt.asUintN(64, shard);
  const lowest = unsigned & -unsigned;
  // The bits before the one that ends the shard's name.
  return ((unsigned ^ BigInt.asUintN(64, prefix)) & -(lowest << 1n)) === 0n;
}

/** Whether an account lives in the shard of a block. */
export function isAccountInBlock(block: BlockId, account: AccountId): boolean {
  return block.workchain === account.workchain && shardContains(block.shard, account.hash.readBigInt64BE(0));
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
