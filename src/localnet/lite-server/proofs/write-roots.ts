import { CellList } from '../../../chain/boc/cell-list.ts';
import { gatherCells } from '../../../chain/boc/gather-cells.ts';
import { writeBoc } from '../../../chain/boc/write-boc.ts';
import { writeCells } from '../../../chain/boc/write-cells.ts';
import type { CellTree } from '../../store/chain-store.ts';

const AS_NODES_DO = { order: 'tonlib', crc: false } as const;
const NOTHING = Buffer.alloc(0);

/** Writes cells of any number of tables as the roots of one bag, as a node does; nothing for no cells. */
export function writeRoots(trees: readonly CellTree[]): Buffer {
  if (trees.length === 0) return NOTHING;
  const list = new CellList();
  const roots = trees.flatMap(({ cells, root }) => gatherCells({ cells, roots: [root] }, list, false));
  return writeCells(list, roots, AS_NODES_DO);
}

/** Writes a cell as a bag, as a node does. */
export function writeRoot({ cells, root }: CellTree): Buffer {
  return writeBoc({ cells, roots: [root] }, AS_NODES_DO);
}
