import type { BlockId } from '../block-id.ts';
import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { readShardIdent } from './shard-ident.ts';

/** A block's header with the signatures under it (BlockProof), as nodes keep and exchange it. */
export interface BlockProof {
  readonly block: BlockId;
  /** The Merkle proof of the header. */
  readonly root: number;
  /** For `readBlockSignatures`; -1 where there are none (a shard block). */
  readonly signatures: number;
}

const TAG = 0xc3;

/** Reads a BlockProof cell. */
export function readBlockProof(cells: Cells, cell: number): BlockProof {
  const slice = new Slice(cells, cell);
  if (slice.uint(8) !== TAG) throw new CellFault('a block proof of an unknown form');
  return { block: readBlockIdExt(slice), root: slice.ref(), signatures: slice.maybeRef() };
}

/** Reads a BlockIdExt. */
function readBlockIdExt(slice: Slice): BlockId {
  const { workchain, shard } = readShardIdent(slice);
  return { workchain, shard, seqno: slice.uint(32), rootHash: slice.hash(), fileHash: slice.hash() };
}
