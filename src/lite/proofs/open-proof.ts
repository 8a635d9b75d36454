import type { CellBag } from '../../chain/boc/cell-bag.ts';
import { CellFault } from '../../chain/boc/cell-fault.ts';
import { MERKLE_PROOF } from '../../chain/boc/cell-kind.ts';
import type { Cells } from '../../chain/boc/cells.ts';
import { openMerkleProof } from '../../chain/boc/merkle.ts';
import { readBoc } from '../../chain/boc/read-boc.ts';
import { type CheckOptions, explaining, refuse } from './proof-scope.ts';

/** A cell and the table it lies in. */
export interface FoundCell {
  readonly cells: Cells;
  readonly cell: number;
}

/**
 * Reads a bag in which nothing is left out but inside Merkle proofs. Without this a server could answer with a
 * pruned branch instead of the cell it stands for.
 */
export function readWholeBag(bytes: Buffer): CellBag {
  const bag = readBoc(bytes);
  for (const root of bag.roots)
    if (bag.levelMask(root) !== 0) throw new CellFault('a pruned branch that no Merkle proof holds');
  return bag;
}

/** Opens the Merkle proof that a bag holds: the cell that it shows parts of. */
export function openProof(bytes: Buffer, options: CheckOptions): FoundCell {
  const bag = readWholeBag(bytes);
  return openRoot(bag, bag.root, options);
}

/** Opens a bag of two Merkle proofs: of a block, and of the state after it. `what` it is goes into the texts. */
export function openProofPair(
  bytes: Buffer,
  what: string,
  options: CheckOptions,
): [block: FoundCell, state: FoundCell] {
  const bag = explaining(`cannot deserialize ${what}: `, () => readWholeBag(bytes));
  const [block, state] = bag.roots;
  if (block === undefined || state === undefined || bag.roots.length !== 2)
    refuse(`${what} must have exactly two roots`);
  return [openRoot(bag, block, options), openRoot(bag, state, options)];
}

/** Whether a cell is the one with a hash, seen through what a proof leaves out. */
export function hasHash({ cells, cell }: FoundCell, hash: Buffer): boolean {
  return cells.hash(cell, 0).equals(hash);
}

/** The hash of a cell, seen through what a proof leaves out. */
export function hashOf({ cells, cell }: FoundCell): Buffer {
  return cells.hash(cell, 0);
}

function openRoot(cells: Cells, cell: number, { verify }: CheckOptions): FoundCell {
  if (verify) return { cells, cell: openMerkleProof(cells, cell).root };
  if (cells.kind(cell) !== MERKLE_PROOF) throw new CellFault('the cell is not a Merkle proof');
  return { cells, cell: cells.ref(cell, 0) };
}
