import { beginCell, Cell } from '@ton/core';
import { readBoc } from '../../../src/chain/boc/read-boc.ts';
import { writeBoc } from '../../../src/chain/boc/write-boc.ts';

/** A pruned branch of level 1 that stands for a cell. */
export function prunedBranch(cell: Cell): Cell {
  const level = cell.mask.value === 0 ? 1 : cell.mask.value | 1;
  if (level !== 1) throw new Error('only whole cells can be pruned here');
  return beginCell()
    .storeUint(1, 8)
    .storeUint(level, 8)
    .storeBuffer(cell.hash(0))
    .storeUint(cell.depth(0), 16)
    .endCell({ exotic: true });
}

/** A Merkle update that shows nothing of the states it leads from and to. */
export function merkleUpdate(from: Cell, to: Cell): Cell {
  return beginCell()
    .storeUint(4, 8)
    .storeBuffer(from.hash(0))
    .storeBuffer(to.hash(0))
    .storeUint(from.depth(0), 16)
    .storeUint(to.depth(0), 16)
    .storeRef(prunedBranch(from))
    .storeRef(prunedBranch(to))
    .endCell({ exotic: true });
}

/** A Merkle proof of a tree that leaves out the given cells, wherever they stand. */
export function merkleProof(root: Cell, cut: readonly Cell[]): Cell {
  const leftOut = new Set(cut.map((cell) => cell.hash().toString('hex')));
  const done = new Map<string, Cell>();
  const copy = (cell: Cell): Cell => {
    const name = cell.hash().toString('hex');
    const known = done.get(name);
    if (known !== undefined) return known;
    const copied = leftOut.has(name)
      ? prunedBranch(cell)
      : cell.isExotic
        ? cell
        : new Cell({ bits: cell.bits, refs: cell.refs.map(copy) });
    done.set(name, copied);
    return copied;
  };
  return beginCell()
    .storeUint(3, 8)
    .storeBuffer(root.hash(0))
    .storeUint(root.depth(0), 16)
    .storeRef(copy(root))
    .endCell({ exotic: true });
}

/** The bag of several root cells, in the form lite servers write. */
export function bagOf(...roots: readonly Cell[]): Buffer {
  // A chain of cells that holds all roots makes one bag of them, from which they are written without the chain.
  let chain = beginCell().endCell();
  for (const root of [...roots].reverse()) chain = beginCell().storeRef(root).storeRef(chain).endCell();
  const cells = readBoc(chain.toBoc());
  const places: number[] = [];
  for (let link = cells.root; places.length < roots.length; link = cells.ref(link, 1))
    places.push(cells.ref(link, 0));
  return writeBoc({ cells, roots: places }, { order: 'tonlib', crc: false });
}
