import type { BlockId } from '../../chain/block-id.ts';
import { CellFault } from '../../chain/boc/cell-fault.ts';
import type { Cells } from '../../chain/boc/cells.ts';
import { readBoc } from '../../chain/boc/read-boc.ts';
import { readBlockRoot } from '../../chain/tlb/block.ts';
import { readBlockExtra } from '../../chain/tlb/block-extra.ts';
import { readBlockInfo } from '../../chain/tlb/block-info.ts';
import { previousBlocks } from '../../chain/tlb/block-previous.ts';
import { configParam } from '../../chain/tlb/config.ts';
import { readGlobalVersion } from '../../chain/tlb/config-global-version.ts';
import { readMasterchainExtra } from '../../chain/tlb/masterchain-extra.ts';
import { readShardHashes } from '../../chain/tlb/shard-hashes.ts';

/** What fetching needs to know of a masterchain block. */
export interface MasterchainFacts {
  readonly previous: BlockId;
  /** The newest blocks of all shards; zero states are among them. */
  readonly tops: readonly BlockId[];
  /** The last key block before this one. */
  readonly prevKeyBlockSeqno: number;
  /** What the configuration of a key block says; undefined in other blocks. */
  readonly globalVersion: number | undefined;
}

/** Reads it from the bytes of a masterchain block. */
export function readMasterchainFacts(bytes: Buffer): MasterchainFacts {
  const bag = readBoc(bytes);
  const root = readBlockRoot(bag, bag.root);
  const info = readBlockInfo(bag, root.info);
  const { masterchain } = readBlockExtra(bag, root.extra);
  if (masterchain < 0) throw new CellFault('a masterchain block without its extra part');
  const { shardHashes, config } = readMasterchainExtra(bag, masterchain);
  return {
    previous: kept(previousBlocks(info)[0]!),
    tops: readShardHashes(bag, shardHashes).map(kept),
    prevKeyBlockSeqno: info.prevKeyBlockSeqno,
    globalVersion: config && globalVersionOf(bag, config.root),
  };
}

/** The global version of a configuration, by the root of its parameters; 0 without the parameter. */
export function globalVersionOf(cells: Cells, configRoot: number): number {
  const param = configParam(cells, configRoot, 8);
  return param < 0 ? 0 : readGlobalVersion(cells, param).version;
}

/** The blocks before a shard block, by its bytes. */
export function readPrevious(bytes: Buffer): BlockId[] {
  const bag = readBoc(bytes);
  return previousBlocks(readBlockInfo(bag, readBlockRoot(bag, bag.root).info)).map(kept);
}

/** A name apart from what it was read from: hashes are views of the block, whose memory goes to another thread. */
function kept({ workchain, shard, seqno, rootHash, fileHash }: BlockId): BlockId {
  return { workchain, shard, seqno, rootHash: Buffer.from(rootHash), fileHash: Buffer.from(fileHash) };
}
