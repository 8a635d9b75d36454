import type { Cells } from '../../../src/chain/boc/cells.ts';

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
