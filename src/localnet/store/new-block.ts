import { hash } from 'node:crypto';
import type { BlockId } from '../../chain/block-id.ts';
import type { CellBag } from '../../chain/boc/cell-bag.ts';
import { readBoc } from '../../chain/boc/read-boc.ts';
import type { SignatureSet } from '../../chain/tl/signature-sets.ts';
import { readBlockRoot } from '../../chain/tlb/block.ts';
import { readBlockExtra } from '../../chain/tlb/block-extra.ts';
import { type BlockInfo, readBlockInfo } from '../../chain/tlb/block-info.ts';
import { previousBlocks } from '../../chain/tlb/block-previous.ts';
import { readMasterchainExtra } from '../../chain/tlb/masterchain-extra.ts';
import { readShardHashes } from '../../chain/tlb/shard-hashes.ts';

/** A block to be added to a chain. */
export interface NewBlock {
  /** Gives the block's bag of cells. It is called again when the cells are needed later, so it may read a file. */
  readonly load: () => Buffer;
  /**
   * The state after the block as a bag of cells, or `none` to do without it. Left out, it is made from the states
   * before it by the block's Merkle update. A chain that is opened again starts from a whole state.
   */
  readonly state?: Buffer | 'none' | undefined;
  /** The validators' signatures under a masterchain block. */
  readonly signatures?: SignatureSet | undefined;
}

/** A block read as far as its place in the chain needs. */
export interface ParsedBlock {
  readonly id: BlockId;
  readonly info: BlockInfo;
  readonly previous: readonly BlockId[];
  readonly bag: CellBag;
  /** The cell of the Merkle update of the state. */
  readonly stateUpdate: number;
}

/** Reads a block from its bag of cells. */
export function parseBlock(bytes: Buffer): ParsedBlock {
  const bag = readBoc(bytes);
  const root = readBlockRoot(bag, bag.root);
  const info = readBlockInfo(bag, root.info);
  const { workchain, shard, seqno } = info;
  const rootHash = Buffer.from(bag.hash(bag.root));
  const id = { workchain, shard, seqno, rootHash, fileHash: hash('sha256', bytes, 'buffer') };
  return { id, info, previous: previousBlocks(info), bag, stateUpdate: root.stateUpdate };
}

/** The newest blocks of all shards that a masterchain block names. */
export function shardTops({ bag }: ParsedBlock): BlockId[] {
  const { extra } = readBlockRoot(bag, bag.root);
  const { masterchain } = readBlockExtra(bag, extra);
  return readShardHashes(bag, readMasterchainExtra(bag, masterchain).shardHashes);
}
