import type { BlockId } from '../../chain/block-id.ts';

/** A block as it came; its bytes have the file hash of its id. */
export interface FetchedBlock {
  readonly id: BlockId;
  readonly bytes: Buffer;
}

/**
 * One masterchain block and all shard blocks that it commits for the first time. They are in the order of workchain,
 * seqno and shard, so that a block comes after those that it builds on, also where shards split or merge.
 */
export interface FetchedSeqno {
  readonly mcSeqno: number;
  readonly masterchain: FetchedBlock;
  readonly shardBlocks: readonly FetchedBlock[];
  /** The newest blocks of all shards, also those that were committed before; zero states are not among them. */
  readonly tops: readonly BlockId[];
  /** Global version of the configuration at this block: it says what a field of messages means. */
  readonly globalVersion: number;
}
