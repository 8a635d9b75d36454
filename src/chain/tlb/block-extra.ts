import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';

/** What a block holds: messages, transactions, and in the masterchain more. Cells, to be read by their own readers. */
export interface BlockExtra {
  readonly inMsgDescr: number;
  readonly outMsgDescr: number;
  readonly accountBlocks: number;
  readonly randSeed: Buffer;
  /** The public key of the validator that made the block. */
  readonly createdBy: Buffer;
  /** The cell of McBlockExtra in masterchain blocks, -1 in others. */
  readonly masterchain: number;
}

const BLOCK_EXTRA = 0x4a33f6fd;

/** Reads a BlockExtra. */
export function readBlockExtra(cells: Cells, cell: number): BlockExtra {
  const slice = new Slice(cells, cell);
  if (slice.uint(32) !== BLOCK_EXTRA) throw new CellFault('not the contents of a block');
  return {
    inMsgDescr: slice.ref(),
    outMsgDescr: slice.ref(),
    accountBlocks: slice.ref(),
    randSeed: slice.hash(),
    createdBy: slice.hash(),
    masterchain: slice.maybeRef(),
  };
}
