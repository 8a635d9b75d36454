import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { type BlockExtra, readBlockExtra } from './block-extra.ts';
import { type BlockInfo, readBlockInfo } from './block-info.ts';
import { readStateUpdate, type StateUpdate } from './block-state-update.ts';
import { type MasterchainExtra, readMasterchainExtra } from './masterchain-extra.ts';
import { readValueFlow, type ValueFlow } from './value-flow.ts';

/** The root of a block: where its four parts are. Proofs often hold one part alone. */
export interface BlockRoot {
  readonly globalId: number;
  readonly info: number;
  readonly valueFlow: number;
  readonly stateUpdate: number;
  readonly extra: number;
}

/** A block; its messages and transactions have readers of their own. */
export interface Block {
  readonly globalId: number;
  readonly info: BlockInfo;
  readonly valueFlow: ValueFlow;
  readonly stateUpdate: StateUpdate;
  readonly extra: BlockExtra;
  readonly masterchain: MasterchainExtra | undefined;
}

const BLOCK = 0x11ef55aa;

/** Reads the root of a block and nothing below it. */
export function readBlockRoot(cells: Cells, cell: number): BlockRoot {
  const slice = new Slice(cells, cell);
  if (slice.uint(32) !== BLOCK) throw new CellFault('not a block');
  return {
    globalId: slice.int(32),
    info: slice.ref(),
    valueFlow: slice.ref(),
    stateUpdate: slice.ref(),
    extra: slice.ref(),
  };
}

/** Reads a block. */
export function readBlock(cells: Cells, cell: number): Block {
  const root = readBlockRoot(cells, cell);
  const extra = readBlockExtra(cells, root.extra);
  return {
    globalId: root.globalId,
    info: readBlockInfo(cells, root.info),
    valueFlow: readValueFlow(cells, root.valueFlow),
    stateUpdate: readStateUpdate(cells, root.stateUpdate),
    extra,
    masterchain: extra.masterchain < 0 ? undefined : readMasterchainExtra(cells, extra.masterchain),
  };
}
