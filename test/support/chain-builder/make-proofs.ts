import type { Cell } from '@ton/core';
import type { CellBag } from '../../../src/chain/boc/cell-bag.ts';
import type { Cells } from '../../../src/chain/boc/cells.ts';
import { fromCoreCell } from '../../../src/chain/boc/core-cell.ts';
import { makeMerkleProofs, type ProofRequest } from '../../../src/chain/boc/make-merkle-proof.ts';
import { ReadRecorder } from '../../../src/chain/boc/read-recorder.ts';
import { readBlockRoot } from '../../../src/chain/tlb/block.ts';
import { readBlockInfo } from '../../../src/chain/tlb/block-info.ts';

/** A tree of cells and the cells of it that a proof shows. */
export interface Shown<T> extends ProofRequest {
  /** What the reader gave. */
  readonly value: T;
}

const flat = new WeakMap<Cell, CellBag>();

/** The cells of a tree as a table; made once. */
export function flatCells(root: Cell): CellBag {
  const known = flat.get(root);
  if (known !== undefined) return known;
  const made = fromCoreCell(root);
  flat.set(root, made);
  return made;
}

/** Shows of a tree what a reader opens, as a node does; exotic cells that it looks into it adds to `keep` itself. */
export function showRead<T>(
  root: Cell,
  read: (cells: Cells, root: number, keep: Set<number>) => T,
): Shown<T> {
  const cells = flatCells(root);
  const recorder = new ReadRecorder(cells);
  const value = read(recorder, cells.root, recorder.read);
  return { cells, root: cells.root, keep: recorder.read, value };
}

/** Shows the header of a block and which state it leads to. */
export function showHeader(block: Cell): Shown<void> {
  return showRead(block, (cells, root, keep) => {
    const { info, stateUpdate } = readBlockRoot(cells, root);
    readBlockInfo(cells, info);
    keep.add(stateUpdate);
  });
}

/** The bag of one or several proofs. */
export function proofBag(...shown: readonly ProofRequest[]): Buffer {
  return makeMerkleProofs(shown);
}
