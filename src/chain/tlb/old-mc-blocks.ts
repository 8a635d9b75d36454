import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { lookUp } from './dictionary.ts';
import { readLabel } from './dictionary-label.ts';
import { type ExtBlkRef, readExtBlkRef } from './ext-blk-ref.ts';

/** The masterchain blocks before a state; each node of their dictionary tells what is found below. */
export interface OldMcBlocks {
  /** The root of the dictionary by seqno, or -1. */
  readonly root: number;
  /** Whether a key block is among them. */
  readonly hasKeyBlock: boolean;
  readonly maxEndLt: bigint;
}

/** An earlier masterchain block. */
export interface OldMcBlock extends ExtBlkRef {
  readonly isKeyBlock: boolean;
}

const SEQNO_BITS = 32;
const EXTRA_BITS = 1 + 64;

/** Reads an OldMcBlocksInfo. */
export function readOldMcBlocks(slice: Slice): OldMcBlocks {
  return { root: slice.maybeRef(), hasKeyBlock: slice.boolean(), maxEndLt: slice.uint64() };
}

/** The earlier masterchain block with a seqno, or undefined; `root` is `OldMcBlocks.root`. */
export function lookUpOldMcBlock(cells: Cells, root: number, seqno: number): OldMcBlock | undefined {
  if (root < 0) return undefined;
  const key = Buffer.allocUnsafe(4);
  key.writeUInt32BE(seqno);
  const value = lookUp(cells, root, SEQNO_BITS, key);
  return value && readLeaf(value);
}

/** The last key block up to a seqno, or undefined. Touches no more cells than its proof needs. */
export function lastOldKeyBlock(cells: Cells, root: number, maxSeqno: number): OldMcBlock | undefined {
  return root < 0 ? undefined : lastKeyBelow(cells, root, 0, 0, maxSeqno);
}

/** `prefix` holds the first `depth` bits of the seqnos below a node, as a number. */
function lastKeyBelow(
  cells: Cells,
  node: number,
  depth: number,
  prefix: number,
  maxSeqno: number,
): OldMcBlock | undefined {
  const slice = new Slice(cells, node);
  const label = Buffer.alloc(8);
  const labelBits = readLabel(slice, SEQNO_BITS - depth, label, 0);
  const bitsLeft = SEQNO_BITS - depth - labelBits;
  const seqnos = prefix * 2 ** labelBits + Number(label.readBigUInt64BE() >> BigInt(64 - labelBits));
  if (seqnos * 2 ** bitsLeft > maxSeqno) return undefined;
  if (bitsLeft === 0) {
    const block = readLeaf(slice);
    return block.isKeyBlock ? block : undefined;
  }
  const children: [number, number] = [slice.ref(), slice.ref()];
  if (!slice.boolean()) return undefined;
  for (const bit of [1, 0] as const) {
    const found = lastKeyBelow(cells, children[bit], SEQNO_BITS - bitsLeft + 1, seqnos * 2 + bit, maxSeqno);
    if (found !== undefined) return found;
  }
  // This also keeps the search to one path and its edge, whatever the cells say.
  if ((seqnos + 1) * 2 ** bitsLeft > maxSeqno + 1) return undefined;
  throw new CellFault('a list of blocks that announces a key block it does not have');
}

/** The extra of a leaf comes first; it repeats the block's own. */
function readLeaf(slice: Slice): OldMcBlock {
  slice.skip(EXTRA_BITS);
  const isKeyBlock = slice.boolean();
  return { isKeyBlock, ...readExtBlkRef(slice) };
}
