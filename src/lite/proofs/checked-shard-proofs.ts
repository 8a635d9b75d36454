import type { BlockId } from '../../chain/block-id.ts';
import type { AccountState } from '../../chain/tl/accounts.ts';

/** What says that a block is the newest one of its shard as of a masterchain block. */
type ShardProof = Pick<AccountState, 'id' | 'shardBlock' | 'shardProof'>;

/** All shards of a busy network, at the few blocks that are asked about at the same time. */
const KEPT = 64;

/**
 * Proofs of shard blocks that were found true. All accounts of a shard come with the same one as long as a block is the
 * newest, and to compare its bytes is a hundred times as cheap as to check it.
 */
export class CheckedShardProofs {
  readonly #kept = new Map<string, Buffer>();

  /** Whether exactly this was found true before. */
  has(proof: ShardProof): boolean {
    return this.#kept.get(nameOf(proof))?.equals(proof.shardProof) ?? false;
  }

  /** Takes note that a proof is true. */
  add(proof: ShardProof): void {
    // A copy, because the answer is a part of a larger buffer.
    this.#kept.set(nameOf(proof), Buffer.from(proof.shardProof));
    if (this.#kept.size > KEPT) this.#kept.delete(this.#kept.keys().next().value!);
  }
}

function nameOf({ id, shardBlock }: ShardProof): string {
  return `${textOf(id)}:${textOf(shardBlock)}`;
}

function textOf({ workchain, shard, seqno, rootHash, fileHash }: BlockId): string {
  return `${workchain}:${shard}:${seqno}:${rootHash.toString('latin1')}${fileHash.toString('latin1')}`;
}
