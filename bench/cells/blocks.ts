import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { beginCell, type Cell } from '@ton/core';
import { sampleBlock, sampleTransactions } from '../../test/chain/support/block-samples.ts';

/** The blocks to read, and where they come from. */
export interface BenchBlocks {
  readonly source: string;
  readonly files: readonly Buffer[];
}

const MAINNET = new URL('../../../shared/data/mainnet/', import.meta.url);

/** Mainnet blocks if they are stored next to the checkout, otherwise one generated block. */
export function loadBlocks(): BenchBlocks {
  if (existsSync(MAINNET)) {
    const folders = readdirSync(MAINNET).filter((name) => name.startsWith('block-'));
    const files = folders.map((name) => readFileSync(new URL(`${name}/block.bin`, MAINNET)));
    return { source: `${files.length} mainnet blocks`, files };
  }
  const { root } = sampleBlock(sampleTransactions(250, 2));
  return {
    source: 'one generated block (no mainnet blocks are stored next to this checkout)',
    files: [withState(root).toBoc()],
  };
}

/** Adds cells to the state update: in real blocks, most cells are not part of a transaction. */
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

/** A binary tree of distinct cells. */
function tree(depth: number, path: number): Cell {
  const cell = beginCell().storeUint(path, 256);
  if (depth > 0) cell.storeRef(tree(depth - 1, 2 * path)).storeRef(tree(depth - 1, 2 * path + 1));
  return cell.endCell();
}
