import type { Cell } from '@ton/core';
import type { Cells } from '../../../src/chain/boc/cells.ts';

/**
 * Compares a cell with one of @ton/core, and all cells below them, each once: kind, data, level mask, and hash and
 * depth at all levels. Gives what differs, or an empty text, and counts the cells.
 */
export function compareWithCore(
  cells: Cells,
  cell: number,
  core: Cell,
): { difference: string; cells: number } {
  const seen = new Map<number, Cell>();
  const stack: [number, Cell][] = [[cell, core]];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [number, wanted] = next;
    if (seen.get(number) === wanted) continue;
    seen.set(number, wanted);
    const difference = differenceOf(cells, number, wanted);
    if (difference !== '') return { difference: `cell ${number}: ${difference}`, cells: seen.size };
    wanted.refs.forEach((ref, i) => {
      stack.push([cells.ref(number, i), ref]);
    });
  }
  return { difference: '', cells: seen.size };
}

function differenceOf(cells: Cells, cell: number, wanted: Cell): string {
  if (cells.isExotic(cell) !== wanted.isExotic) return 'exotic or not';
  if (cells.bits[cell] !== wanted.bits.length) return 'bits';
  if (cells.refCount(cell) !== wanted.refs.length) return 'references';
  if (cells.levelMask(cell) !== wanted.mask.value) return 'level mask';
  for (let level = 0; level <= 3; level++) {
    if (!cells.hash(cell, level).equals(wanted.hash(level))) return `hash of level ${level}`;
    if (cells.depth(cell, level) !== wanted.depth(level)) return `depth of level ${level}`;
  }
  return '';
}
