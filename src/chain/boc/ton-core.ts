import { hash as hashOnce } from 'node:crypto';
import { BitString, Cell } from '@ton/core';
import sha256Module from '@ton/crypto/dist/primitives/sha256.js';
import { type CellBag, readBoc } from './bag.ts';
import { CellError, type Cells } from './cells.ts';

/**
 * Converts a cell with everything below it to a Cell of @ton/core, which keeps nothing of the bag. Shared cells stay
 * shared: linear work. @ton/core 0.63 cannot hold pruned branches of the level masks 2, 4, 5 and 6; they are rejected.
 */
export function toCoreCell(cells: Cells, cell: number): Cell {
  const made = new Map<number, Cell>();
  // Cells are at most 1024 deep, which bounds the recursion.
  const make = (number: number): Cell => {
    const cached = made.get(number);
    if (cached !== undefined) return cached;
    const refs: Cell[] = [];
    for (let i = 0; i < cells.refCount(number); i++) refs.push(make(cells.ref(number, i)));
    const bits = cells.bits[number]!;
    const start = cells.starts[number]!;
    const data = Buffer.from(cells.bytes.subarray(start, start + ((bits + 7) >> 3)));
    const core = makeCell(new BitString(data, 0, bits), refs, cells.isExotic(number));
    made.set(number, core);
    return core;
  };
  return make(cell);
}

/** Converts a Cell of @ton/core to a bag with it as the only root. */
export function fromCoreCell(cell: Cell): CellBag {
  return readBoc(cell.toBoc({ idx: false, crc32: false }));
}

function makeCell(bits: BitString, refs: Cell[], exotic: boolean): Cell {
  try {
    return new Cell({ bits, refs, exotic });
  } catch (error) {
    throw new CellError(`@ton/core cannot hold a cell: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * Makes @ton/core hash cells with node:crypto instead of JavaScript over hex strings: 1.5 µs per cell instead of 14.
 * It applies to the whole process. There is no official way, so this replaces the function in the module that
 * @ton/crypto re-exports on every access.
 */
export function useNativeSha256(): void {
  const module: { sha256_sync: (source: Buffer | string) => Buffer } = sha256Module;
  module.sha256_sync = (source) => Buffer.from(hashOnce('sha256', source, 'binary'), 'latin1');
}
