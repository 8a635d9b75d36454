import { CellFault } from './cell-fault.ts';
import { MERKLE_PROOF, MERKLE_UPDATE } from './cell-kind.ts';
import type { Cells } from './cells.ts';

const HASH_BYTES = 32;

/** What a Merkle proof shows: a cell and the hash that it has without the pruning. */
export interface MerkleProof {
  readonly root: number;
  readonly hash: Buffer;
}

/** What a Merkle update says: an old and a new cell and the hashes they have without the pruning. */
export interface MerkleUpdate {
  readonly old: number;
  readonly oldHash: Buffer;
  readonly new: number;
  readonly newHash: Buffer;
}

/**
 * Opens a Merkle proof and checks that the cell in it is the one it names. Everything below is to be hashed at level
 * 0 (`hash(cell, 0)`), which gives the hash of the cell before anything was cut away.
 */
export function openMerkleProof(cells: Cells, cell: number): MerkleProof {
  if (cells.kind(cell) !== MERKLE_PROOF) throw new CellFault('the cell is not a Merkle proof');
  return { root: cells.ref(cell, 0), hash: checkedHash(cells, cell, 0) };
}

/** Opens a Merkle update and checks both sides; as with a proof, hash what is below at level 0. */
export function openMerkleUpdate(cells: Cells, cell: number): MerkleUpdate {
  if (cells.kind(cell) !== MERKLE_UPDATE) throw new CellFault('the cell is not a Merkle update');
  return {
    old: cells.ref(cell, 0),
    oldHash: checkedHash(cells, cell, 0),
    new: cells.ref(cell, 1),
    newHash: checkedHash(cells, cell, 1),
  };
}

/** The hash that a Merkle cell holds for one of its children, once hash and depth of that are found to be the same. */
function checkedHash(cells: Cells, cell: number, index: number): Buffer {
  const { bytes } = cells;
  const child = cells.ref(cell, index);
  const at = cells.starts[cell]! + 1 + index * HASH_BYTES;
  const depthAt = cells.starts[cell]! + 1 + cells.refCount(cell) * HASH_BYTES + index * 2;
  // A copy, which does not keep the whole bag in memory.
  const hash = Buffer.from(bytes.subarray(at, at + HASH_BYTES));
  if (!cells.hash(child, 0).equals(hash) || cells.depth(child, 0) !== bytes.readUInt16BE(depthAt))
    throw new CellFault('a Merkle cell holds another cell than it says');
  return hash;
}
