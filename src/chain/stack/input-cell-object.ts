import { BitString, Cell } from '@ton/core';
import type { CellBag } from '../boc/cell-bag.ts';
import { MAX_DEPTH } from '../boc/cell-kind.ts';
import { fromCoreCell } from '../boc/core-cell.ts';

const MAX_REFS = 4;

/** Reads a cell that is spelled out: `{data: {b64, len}, refs, special}`; undefined if it is not one. */
export function readCellObject(value: unknown): CellBag | undefined {
  const cell = readCell(value, 0);
  if (cell === undefined) return undefined;
  try {
    return fromCoreCell(cell);
  } catch {
    return undefined;
  }
}

function readCell(value: unknown, depth: number): Cell | undefined {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return undefined;
  const { data, refs = [], special = false } = value as Record<string, unknown>;
  const bits = readBits(data);
  if (bits === undefined || !Array.isArray(refs) || refs.length > MAX_REFS || typeof special !== 'boolean')
    return undefined;
  const cells: Cell[] = [];
  for (const ref of refs) {
    const cell = readCell(ref, depth + 1);
    if (cell === undefined) return undefined;
    cells.push(cell);
  }
  try {
    // An exotic cell is checked here: its kind says what must be in it.
    return new Cell({ bits, refs: cells, exotic: special });
  } catch {
    return undefined;
  }
}

function readBits(data: unknown): BitString | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { b64, len } = data as Record<string, unknown>;
  if (typeof b64 !== 'string' || typeof len !== 'number' || !Number.isInteger(len)) return undefined;
  const bytes = Buffer.from(b64, 'base64');
  return len >= 0 && len <= 1023 && len <= bytes.length * 8 ? new BitString(bytes, 0, len) : undefined;
}
