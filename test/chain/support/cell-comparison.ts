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

/**
 * Compares two trees cell by cell: kind, data, level mask, and hash and depth at all levels. Gives what differs, or an
 * empty text.
 */
export function treeDifference(a: Cells, rootA: number, b: Cells, rootB: number): string {
  const seen = new Set<number>();
  const visit = (cellA: number, cellB: number): string => {
    if (seen.has(cellA)) return '';
    seen.add(cellA);
    if (a.heads[cellA] !== b.heads[cellB]) return 'heads';
    if (a.bits[cellA] !== b.bits[cellB]) return 'bits';
    if (!dataOf(a, cellA).equals(dataOf(b, cellB))) return 'data';
    for (let level = 0; level <= 3; level++) {
      if (!a.hash(cellA, level).equals(b.hash(cellB, level))) return `hash of level ${level}`;
      if (a.depth(cellA, level) !== b.depth(cellB, level)) return `depth of level ${level}`;
    }
    for (let i = 0; i < a.refCount(cellA); i++) {
      const difference = visit(a.ref(cellA, i), b.ref(cellB, i));
      if (difference !== '') return difference;
    }
    return '';
  };
  return visit(rootA, rootB);
}

function dataOf(cells: Cells, cell: number): Buffer {
  const start = cells.starts[cell]!;
  return cells.bytes.subarray(start, start + ((cells.bits[cell]! + 7) >> 3));
}
