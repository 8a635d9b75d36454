import { Failure } from '../../lib/errors.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';

interface IntEntry {
  readonly type: 'int';
  readonly value: bigint;
}

/** A cell, or the cell that a builder would finish, by its number in a table of cells. */
export interface CellEntry {
  readonly type: 'cell' | 'builder';
  readonly cells: Cells;
  readonly cell: number;
}

/** A slice: a range of bits and references of an ordinary cell. */
export interface SliceEntry {
  readonly type: 'slice';
  readonly cells: Cells;
  readonly cell: number;
  readonly bit: number;
  readonly bitEnd: number;
  readonly refAt: number;
  readonly refEnd: number;
}

/** A tuple. A list of TVM is a chain of pairs that ends in null. */
export interface TupleEntry {
  readonly type: 'tuple';
  readonly items: readonly StackEntry[];
}

/** An entry without content: null, NaN, or what only TVM itself can use (a continuation). */
interface BareEntry {
  readonly type: 'null' | 'nan' | 'unsupported';
}

/** A value on the TVM stack. Entries of one stack may be in different tables of cells. */
export type StackEntry = IntEntry | CellEntry | SliceEntry | TupleEntry | BareEntry;

export const NULL_ENTRY: BareEntry = Object.freeze({ type: 'null' });
export const NAN_ENTRY: BareEntry = Object.freeze({ type: 'nan' });
export const UNSUPPORTED_ENTRY: BareEntry = Object.freeze({ type: 'unsupported' });

export function intEntry(value: bigint | number): IntEntry {
  return { type: 'int', value: BigInt(value) };
}

export function wholeSliceEntry(cells: Cells, cell: number): SliceEntry {
  const { bit, bitEnd, refAt, refEnd } = new Slice(cells, cell);
  return { type: 'slice', cells, cell, bit, bitEnd, refAt, refEnd };
}

/** A TVM list: nested pairs of an element and the rest, ending in null. */
export function listEntry(elements: readonly StackEntry[]): StackEntry {
  let list: StackEntry = NULL_ENTRY;
  for (let i = elements.length - 1; i >= 0; i--) list = { type: 'tuple', items: [elements[i]!, list] };
  return list;
}

/** A cursor over a slice, or over a whole cell. */
export function openEntry(entry: CellEntry | SliceEntry): Slice {
  const slice = new Slice(entry.cells, entry.cell);
  if (entry.type === 'slice') {
    slice.bit = entry.bit;
    slice.bitEnd = entry.bitEnd;
    slice.refAt = entry.refAt;
    slice.refEnd = entry.refEnd;
  }
  return slice;
}

/** The maximum number of entries of a result or argument that tonlib converts; elements of tuples and lists count. */
export const MAX_STACK_ENTRIES = 8000;

export const MAX_STACK_DEPTH = 1024;

export const MIN_INT = -(2n ** 256n);
export const MAX_INT = 2n ** 256n - 1n;

/** The error for a result with too many entries. The wording is tonlib's. */
export function resultTooLarge(what?: string): Failure {
  const text = 'TVM stack size exceeds limit';
  return new Failure('lite_server', what === undefined ? text : `${text}: ${what}`);
}

export function resultTooDeep(): Failure {
  return new Failure('lite_server', 'TVM stack depth exceeds limit');
}

export function inputTooLarge(): Failure {
  return new Failure('invalid', 'TVM stack input exceeds size limit');
}

/** The error for arguments that are nested too deep for conversion or for cells. */
export function inputTooDeep(): Failure {
  return new Failure('invalid', 'TVM stack input exceeds depth limit');
}
