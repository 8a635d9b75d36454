import { type Builder, beginCell, type Cell } from '@ton/core';
import type { BlockId } from '../../../src/chain/block-id.ts';

/** A block's name with the logical time at which it ends, as blocks and states refer to it. */
export interface BlockRef {
  readonly id: BlockId;
  readonly endLt: bigint;
}

/** Writes a ShardIdent. */
export function storeShardIdent(builder: Builder, workchain: number, shard: bigint): Builder {
  const unsigned = BigInt.asUintN(64, shard);
  const lowest = unsigned & -unsigned;
  const prefixBits = 64 - lowest.toString(2).length;
  return builder
    .storeUint(0, 2)
    .storeUint(prefixBits, 6)
    .storeInt(workchain, 32)
    .storeUint(unsigned - lowest, 64);
}

/** Writes an ExtBlkRef. */
export function storeBlockRef(builder: Builder, { id, endLt }: BlockRef): Builder {
  return builder
    .storeUint(endLt, 64)
    .storeUint(id.seqno, 32)
    .storeBuffer(id.rootHash)
    .storeBuffer(id.fileHash);
}

/** A cell that holds one ExtBlkRef. */
export function blockRefCell(ref: BlockRef): Cell {
  return storeBlockRef(beginCell(), ref).endCell();
}
