import { hash } from 'node:crypto';
import { type BlockId, WHOLE_SHARD } from '../../chain/block-id.ts';
import { readBoc } from '../../chain/boc/bag.ts';
import { CellError } from '../../chain/boc/cells.ts';
import { Slice } from '../../chain/boc/slice.ts';
import type { SignatureSet } from '../../chain/tl/signatures.ts';
import { previousBlocks, readBlockExtra, readBlockInfo, readBlockRoot } from '../../chain/tlb/block.ts';
import { readMasterchainExtra } from '../../chain/tlb/masterchain-block.ts';
import { readShardHashes } from '../../chain/tlb/shard-hashes.ts';

/** A block to be added to a chain. */
export interface NewBlock {
  /** Returns the block's BoC. It is called again when the cells are needed later, so it may read a file. */
  readonly load: () => Buffer;
  /**
   * The state after the block as a bag of cells, or `none` to do without it. Left out, it is made from the states
   * before it by the block's Merkle update. A chain that is opened again starts from a whole state.
   */
  readonly state?: Buffer | 'none' | undefined;
  /** Returns the validator signatures of a masterchain block, where they are known. It may read a file. */
  readonly signatures?: (() => SignatureSet | undefined) | undefined;
}

/** A block, parsed as far as its position in the chain needs. */
export type ParsedBlock = Readonly<ReturnType<typeof parseBlock>>;

export function parseBlock(bytes: Buffer) {
  const bag = readBoc(bytes);
  const root = readBlockRoot(bag, bag.root);
  const info = readBlockInfo(bag, root.info);
  const { workchain, shard, seqno } = info;
  const rootHash = Buffer.from(bag.hash(bag.root));
  const id = { workchain, shard, seqno, rootHash, fileHash: hash('sha256', bytes, 'buffer') };
  return {
    id,
    info,
    previous: previousBlocks(info),
    bag,
    /** Cell of the state's Merkle update. */
    stateUpdate: root.stateUpdate,
  };
}

/** Newest blocks of all shards that a masterchain block references. */
export function shardTops({ bag }: Pick<ParsedBlock, 'bag'>): BlockId[] {
  const { extra } = readBlockRoot(bag, bag.root);
  const { masterchain } = readBlockExtra(bag, extra);
  return readShardHashes(bag, readMasterchainExtra(bag, masterchain).shardHashes);
}

export type ZeroState = Readonly<Omit<ReturnType<typeof parseZeroState>, 'bag'>>;

const SHARD_STATE = 0x9023afe2;
const SHARD_NAME_HEAD_BITS = 2 + 6;

/**
 * Reads a zero state as far as its name. Not by `readShardState`: the tool that makes zero states writes the name of
 * the whole basechain in a form that no later state has.
 */
export function parseZeroState(bytes: Buffer) {
  const bag = readBoc(bytes);
  const slice = new Slice(bag, bag.root);
  if (slice.uint(32) !== SHARD_STATE) throw new CellError('a zero state of an unknown form');
  slice.skip(32 + SHARD_NAME_HEAD_BITS);
  const rootHash = Buffer.from(bag.hash(bag.root));
  const fileHash = hash('sha256', bytes, 'buffer');
  const id: BlockId = { workchain: slice.int(32), shard: WHOLE_SHARD, seqno: 0, rootHash, fileHash };
  return { id, bytes, bag };
}
