import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { readShardFeeCreated, type ShardFeeCreated } from './masterchain-extra-fees.ts';

/** What only masterchain blocks hold. Roots of dictionaries are -1 where they are empty. */
export interface MasterchainExtra {
  readonly keyBlock: boolean;
  /** The root of the shards' newest blocks; `readShardHashes` reads it. */
  readonly shardHashes: number;
  /** The root of what each shard paid and created; `readShardFees` reads it. */
  readonly shardFees: number;
  readonly totalShardFees: ShardFeeCreated;
  /** The cell of the signatures of the block before and of two messages; `readMasterchainMessages` reads it. */
  readonly messages: number;
  /** In key blocks, the network's configuration. */
  readonly config: BlockConfig | undefined;
}

/** The configuration that starts with a key block. */
export interface BlockConfig {
  /** The account of the configuration contract. */
  readonly address: Buffer;
  /** The root of the dictionary of parameters. */
  readonly root: number;
}

/** Signatures of the block before, and the messages that no account sends. Roots and cells are -1 where absent. */
export interface MasterchainMessages {
  /** The root of a dictionary of signatures; `readSignaturePairs` reads it. */
  readonly prevBlockSignatures: number;
  /** The InMsg that pays the fees of the block to the collector. */
  readonly recoverCreateMsg: number;
  /** The InMsg that brings new extra currencies. */
  readonly mintMsg: number;
}

const MASTERCHAIN_BLOCK_EXTRA = 0xcca5;

/** Reads a McBlockExtra. */
export function readMasterchainExtra(cells: Cells, cell: number): MasterchainExtra {
  const slice = new Slice(cells, cell);
  if (slice.uint(16) !== MASTERCHAIN_BLOCK_EXTRA)
    throw new CellFault('not the extra part of a masterchain block');
  const keyBlock = slice.boolean();
  return {
    keyBlock,
    shardHashes: slice.maybeRef(),
    shardFees: slice.maybeRef(),
    totalShardFees: readShardFeeCreated(slice),
    messages: slice.ref(),
    config: keyBlock ? { address: slice.hash(), root: slice.ref() } : undefined,
  };
}

/** Reads the cell `messages` of a McBlockExtra. */
export function readMasterchainMessages(cells: Cells, cell: number): MasterchainMessages {
  const slice = new Slice(cells, cell);
  return {
    prevBlockSignatures: slice.maybeRef(),
    recoverCreateMsg: slice.maybeRef(),
    mintMsg: slice.maybeRef(),
  };
}
