import { CellFault, PrunedCellFault } from '../boc/cell-fault.ts';
import { MERKLE_UPDATE } from '../boc/cell-kind.ts';
import type { Cells } from '../boc/cells.ts';

/** What a block did to the state of its shard, as a Merkle update. */
export interface StateUpdate {
  readonly oldHash: Buffer;
  readonly newHash: Buffer;
  readonly oldDepth: number;
  readonly newDepth: number;
  /** The cells of the old and the new state, pruned where nothing changed. */
  readonly old: number;
  readonly new: number;
}

const HASH_BYTES = 32;

/** Reads a MERKLE_UPDATE. That the hashes it names are those of its children is checked when it is hashed. */
export function readStateUpdate(cells: Cells, cell: number): StateUpdate {
  if (cells.isPruned(cell)) throw new PrunedCellFault();
  if (cells.kind(cell) !== MERKLE_UPDATE) throw new CellFault('not a Merkle update');
  const { bytes } = cells;
  const oldAt = cells.starts[cell]! + 1;
  const newAt = oldAt + HASH_BYTES;
  const depthsAt = newAt + HASH_BYTES;
  return {
    oldHash: bytes.subarray(oldAt, newAt),
    newHash: bytes.subarray(newAt, depthsAt),
    oldDepth: bytes.readUInt16BE(depthsAt),
    newDepth: bytes.readUInt16BE(depthsAt + 2),
    old: cells.ref(cell, 0),
    new: cells.ref(cell, 1),
  };
}
