import { REFS_PER_CELL } from './cell-list.ts';

/** The maximum number of cells that one cell may stand for; its children share it evenly. */
const WEIGHT_BUDGET = 64;
const MAX_WEIGHT = 255;

const FRESH = -1;
const PRE_VISITED = -2;
const VISITED = -3;

/** Cells, children before parents: the first descriptor byte of each, and its references in four slots per cell. */
interface CellGraph {
  readonly count: number;
  readonly heads: ArrayLike<number>;
  readonly refs: ArrayLike<number>;
}

/**
 * Numbers cells as the node and tonlib do when they write a bag: the highest number is written first.
 * The order is meant to keep cells close that are read together, with heavy ("marked") cells as boundaries. All
 * that matters here is that the result is the same.
 */
export function tonlibNumbers(graph: CellGraph, roots: readonly number[]) {
  const { count, heads, refs } = graph;
  const marked = markHeavyCells(graph);
  const numbers = new Int32Array(count).fill(FRESH);
  let next = 0;

  // Each cell passes each of these once, and the recursion is no deeper than the cells.
  const preVisit = (cell: number): void => {
    if (numbers[cell] !== FRESH) return;
    for (let at = lastRef(cell); at >= cell * REFS_PER_CELL; at--) {
      const child = refs[at]!;
      if (marked[child] === 1) visit(child);
      else preVisit(child);
    }
    numbers[cell] = PRE_VISITED;
  };
  const visit = (cell: number): void => {
    if (numbers[cell]! >= 0 || numbers[cell] === VISITED) return;
    if (marked[cell] === 1) preVisit(cell);
    const first = cell * REFS_PER_CELL;
    const last = lastRef(cell);
    for (let at = last; at >= first; at--) visit(refs[at]!);
    for (let at = last; at >= first; at--) number(refs[at]!);
    numbers[cell] = VISITED;
  };
  const number = (cell: number): void => {
    if (numbers[cell]! < 0) numbers[cell] = next++;
  };
  const lastRef = (cell: number): number => cell * REFS_PER_CELL + (heads[cell]! & 7) - 1;

  for (const root of roots) {
    preVisit(root);
    visit(root);
  }
  for (const root of roots) number(root);
  return {
    numbers,
    /** 1 for each heavy cell: files that store hashes do so for these. */
    marked,
  };
}

/** 1 for each cell that stands for more cells than its parents have room for. */
function markHeavyCells({ count, heads, refs }: CellGraph): Uint8Array {
  const weights = new Uint8Array(count);
  for (let cell = 0; cell < count; cell++)
    weights[cell] = Math.min(MAX_WEIGHT, 1 + childWeights(weights, heads, refs, cell));
  for (let cell = count - 1; cell >= 0; cell--) capChildren(weights, refs, cell, heads[cell]! & 7);
  const marked = new Uint8Array(count);
  for (let cell = 0; cell < count; cell++) {
    const weight = 1 + childWeights(weights, heads, refs, cell);
    if (weight <= weights[cell]!) weights[cell] = weight;
    else {
      weights[cell] = 0;
      marked[cell] = 1;
    }
  }
  return marked;
}

function childWeights(
  weights: Uint8Array,
  heads: ArrayLike<number>,
  refs: ArrayLike<number>,
  cell: number,
): number {
  const first = cell * REFS_PER_CELL;
  let sum = 0;
  for (let at = first + (heads[cell]! & 7) - 1; at >= first; at--) sum += weights[refs[at]!]!;
  return sum;
}

/** Divides the budget of a cell among its children: light ones take their weight, heavy ones share the rest. */
function capChildren(weights: Uint8Array, refs: ArrayLike<number>, cell: number, refCount: number): void {
  const first = cell * REFS_PER_CELL;
  let left = WEIGHT_BUDGET - 1;
  let heavy = refCount;
  let light = 0;
  for (let i = 0; i < refCount; i++) {
    const weight = weights[refs[first + i]!]!;
    if (weight > Math.floor((WEIGHT_BUDGET - 1 + i) / refCount)) continue;
    left -= weight;
    heavy--;
    light |= 1 << i;
  }
  for (let i = 0; i < refCount; i++) {
    if (light & (1 << i)) continue;
    const child = refs[first + i]!;
    weights[child] = Math.min(weights[child]!, Math.floor(left++ / heavy));
  }
}
