import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { beginCell, type Cell } from '@ton/core';
import { sampleBlock, sampleTransactions } from '../../test/chain/support/block-samples.ts';

/** The blocks that are measured, and where they come from. */
export interface BenchBlocks {
  readonly source: string;
  readonly files: readonly Buffer[];
}

const MAINNET = new URL('../../../shared/data/mainnet/', import.meta.url);

/** Real blocks where there are any beside the checkout, else one that is made here. */
export function loadBlocks(): BenchBlocks {
  if (existsSync(MAINNET)) {
    const folders = readdirSync(MAINNET).filter((name) => name.startsWith('block-'));
    const files = folders.map((name) => readFileSync(new URL(`${name}/block.bin`, MAINNET)));
    return { source: `${files.length} blocks of mainnet`, files };
  }
  const { root } = sampleBlock(sampleTransactions(250, 2));
  return {
    source: 'one made-up block (no blocks of mainnet are beside this checkout)',
    files: [withState(root).toBoc()],
  };
}

/** Puts cells into the update of the state: in real blocks, most cells are no part of a transaction. */
function withState(block: Cell): Cell {
  const [info, flow, , extra] = block.refs;
  const [before, after] = [tree(11, 0), tree(11, 1)];
  const update = beginCell()
    .storeUint(4, 8)
    .storeBuffer(before.hash())
    .storeBuffer(after.hash())
    .storeUint(before.depth(), 16)
    .storeUint(after.depth(), 16)
    .storeRef(before)
    .storeRef(after)
    .endCell({ exotic: true });
  return beginCell()
    .storeBits(block.bits)
    .storeRef(info!)
    .storeRef(flow!)
    .storeRef(update)
    .storeRef(extra!)
    .endCell();
}

/** A binary tree of cells that are all different. */
function tree(depth: number, path: number): Cell {
  const cell = beginCell().storeUint(path, 256);
  if (depth > 0) cell.storeRef(tree(depth - 1, 2 * path)).storeRef(tree(depth - 1, 2 * path + 1));
  return cell.endCell();
}
