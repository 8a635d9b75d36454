import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { lookUp, walkDictionary } from './dictionary.ts';

/** A contract of parameter 45: its code costs a fixed amount of gas. */
export interface PrecompiledContract {
  readonly codeHash: Buffer;
  readonly gasUsage: bigint;
}

const TAG = 0xc0;
const CONTRACT_TAG = 0xb0;

/** Reads parameter 45. */
export function readPrecompiledContracts(cells: Cells, cell: number): PrecompiledContract[] {
  const contracts: PrecompiledContract[] = [];
  const root = readRoot(cells, cell);
  if (root >= 0)
    walkDictionary(cells, root, 256, (key, value) => {
      contracts.push({ codeHash: Buffer.from(key), gasUsage: readGasUsage(value) });
    });
  return contracts;
}

/** The fixed gas of a code, or undefined; `cell` is that of parameter 45. */
export function precompiledGas(cells: Cells, cell: number, codeHash: Buffer): bigint | undefined {
  const root = readRoot(cells, cell);
  const value = root < 0 ? undefined : lookUp(cells, root, 256, codeHash);
  return value && readGasUsage(value);
}

function readRoot(cells: Cells, cell: number): number {
  const slice = new Slice(cells, cell);
  if (slice.uint(8) !== TAG) throw new CellFault('a list of precompiled contracts of an unknown form');
  return slice.maybeRef();
}

function readGasUsage(slice: Slice): bigint {
  if (slice.uint(8) !== CONTRACT_TAG) throw new CellFault('a precompiled contract of an unknown form');
  return slice.uint64();
}
