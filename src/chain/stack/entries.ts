import { Failure } from '../../lib/errors.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';

/** An integer of TVM: 257 bits, signed. */
interface IntEntry {
  readonly type: 'int';
  readonly value: bigint;
}

/** A cell, or the cell that a builder would make, by its number in a table of cells. */
export interface CellEntry {
  readonly type: 'cell' | 'builder';
  readonly cells: Cells;
  readonly cell: number;
}

/** A part of an ordinary cell: its bits and references from one place up to another. */
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

/** Something without a content: null, a number that is none, or what only TVM itself can use (a continuation). */
interface BareEntry {
  readonly type: 'null' | 'nan' | 'unsupported';
}

/** One value on the stack of TVM. Entries of one stack may lie in different tables of cells. */
export type StackEntry = IntEntry | CellEntry | SliceEntry | TupleEntry | BareEntry;

export const NULL_ENTRY: BareEntry = Object.freeze({ type: 'null' });
export const NAN_ENTRY: BareEntry = Object.freeze({ type: 'nan' });
export const UNSUPPORTED_ENTRY: BareEntry = Object.freeze({ type: 'unsupported' });

/** The integer as an entry. */
export function intEntry(value: bigint | number): IntEntry {
  return { type: 'int', value: BigInt(value) };
}

/** All of an ordinary cell as a slice. */
export function wholeSliceEntry(cells: Cells, cell: number): SliceEntry {
  const { bit, bitEnd, refAt, refEnd } = new Slice(cells, cell);
  return { type: 'slice', cells, cell, bit, bitEnd, refAt, refEnd };
}

/** A list of TVM: pairs of an element and the rest, and null at the end. */
export function listEntry(elements: readonly StackEntry[]): StackEntry {
  let list: StackEntry = NULL_ENTRY;
  for (let i = elements.length - 1; i >= 0; i--) list = { type: 'tuple', items: [elements[i]!, list] };
  return list;
}

/** A cursor over a slice, or over the whole of a cell. */
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

/** Entries of a result, or of one argument, that tonlib converts: elements of tuples and lists count. */
export const MAX_STACK_ENTRIES = 8000;

/** How deep tuples and lists may be nested. */
export const MAX_STACK_DEPTH = 1024;

/** Smallest and largest number that fits the 257 bits of an integer of TVM. */
export const MIN_INT = -(2n ** 256n);
export const MAX_INT = 2n ** 256n - 1n;

/** A result with more in it than is converted. Existing clients know tonlib's wording. */
export function resultTooLarge(): Failure {
  return new Failure('lite_server', 'TVM stack size exceeds limit');
}

/** A result nested deeper than is converted. */
export function resultTooDeep(): Failure {
  return new Failure('lite_server', 'TVM stack depth exceeds limit');
}

/** An argument with more in it than is converted. */
export function inputTooLarge(): Failure {
  return new Failure('invalid', 'TVM stack input exceeds size limit');
}

/** Arguments nested deeper than is converted, or than cells can be. */
export function inputTooDeep(): Failure {
  return new Failure('invalid', 'TVM stack input exceeds depth limit');
}
