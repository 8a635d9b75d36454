import { type CellObject, ResultCells } from './result-cells.ts';
import { type ResultEntry, toResult } from './result-entry.ts';
import type { StackEntry } from './stack-entry.ts';
import { formatTypedEntry, type TypedList, type TypedTuple } from './typed-output.ts';

/** An entry of the classic dialect of v2. */
export type ClassicEntry =
  | readonly ['num', string]
  | readonly ['cell', { readonly bytes: string; readonly object: CellObject }]
  | readonly ['tuple', TypedTuple]
  | readonly ['list', TypedList]
  | readonly ['unsupported', ''];

/** Elements of a tuple or list of the stack itself are at depth 1; nothing may be as deep as this. */
export const MAX_CLASSIC_DEPTH = 100;

/** A result in the classic dialect of v2: slices are shown as cells, what tuples and lists hold is typed. */
export function formatClassicStack(entries: readonly StackEntry[]): ClassicEntry[] {
  const cells = new ResultCells();
  return toResult(entries).map((entry) => formatEntry(entry, cells));
}

function formatEntry(entry: ResultEntry, cells: ResultCells): ClassicEntry {
  switch (entry.kind) {
    case 'number':
      return ['num', formatHexNumber(entry.value)];
    case 'cell':
    case 'slice':
      return ['cell', { bytes: cells.bytes(entry.entry), object: cells.object(entry.entry) }];
    case 'tuple':
    case 'list': {
      const elements = entry.elements.map((element) =>
        formatTypedEntry(element, cells, 1, MAX_CLASSIC_DEPTH),
      );
      return entry.kind === 'tuple'
        ? ['tuple', { '@type': 'tvm.tuple', elements }]
        : ['list', { '@type': 'tvm.list', elements }];
    }
    default:
      return ['unsupported', ''];
  }
}

/** `0x2a`, `-0x1`, `0x0`. */
export function formatHexNumber(value: bigint): string {
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
}
