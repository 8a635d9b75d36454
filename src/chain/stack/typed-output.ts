import { Failure } from '../../lib/failure.ts';
import { ResultCells } from './result-cells.ts';
import { type ResultEntry, toResult } from './result-entry.ts';
import type { StackEntry } from './stack-entry.ts';

/** An entry of the typed dialect of v2, as tonlib names its parts. */
export type TypedEntry =
  | {
      readonly '@type': 'tvm.stackEntryNumber';
      readonly number: { readonly '@type': 'tvm.numberDecimal'; readonly number: string };
    }
  | {
      readonly '@type': 'tvm.stackEntryCell';
      readonly cell: { readonly '@type': 'tvm.cell'; readonly bytes: string };
    }
  | {
      readonly '@type': 'tvm.stackEntrySlice';
      readonly slice: { readonly '@type': 'tvm.slice'; readonly bytes: string };
    }
  | { readonly '@type': 'tvm.stackEntryTuple'; readonly tuple: TypedTuple }
  | { readonly '@type': 'tvm.stackEntryList'; readonly list: TypedList }
  | { readonly '@type': 'tvm.stackEntryUnsupported' };

/** The content of a tuple in both dialects of v2. */
export interface TypedTuple {
  readonly '@type': 'tvm.tuple';
  readonly elements: readonly TypedEntry[];
}

/** The content of a list in both dialects of v2. */
export interface TypedList {
  readonly '@type': 'tvm.list';
  readonly elements: readonly TypedEntry[];
}

/** Entries of the stack itself are at depth 1; nothing may be as deep as this. */
const MAX_TYPED_DEPTH = 256;

/** A result in the typed dialect of v2. */
export function formatTypedStack(entries: readonly StackEntry[]): TypedEntry[] {
  const cells = new ResultCells();
  return toResult(entries).map((entry) => formatTypedEntry(entry, cells, 1, MAX_TYPED_DEPTH));
}

/** One entry that is `depth` deep; at `limit` it is refused. */
export function formatTypedEntry(
  entry: ResultEntry,
  cells: ResultCells,
  depth: number,
  limit: number,
): TypedEntry {
  if (depth >= limit) throw new Failure('result_too_deep', `Result stack depth >= ${limit}`);
  switch (entry.kind) {
    case 'number': {
      const number = { '@type': 'tvm.numberDecimal', number: entry.value.toString() } as const;
      return { '@type': 'tvm.stackEntryNumber', number };
    }
    case 'cell':
      return {
        '@type': 'tvm.stackEntryCell',
        cell: { '@type': 'tvm.cell', bytes: cells.bytes(entry.entry) },
      };
    case 'slice':
      return {
        '@type': 'tvm.stackEntrySlice',
        slice: { '@type': 'tvm.slice', bytes: cells.bytes(entry.entry) },
      };
    case 'tuple':
    case 'list': {
      const elements = entry.elements.map((element) => formatTypedEntry(element, cells, depth + 1, limit));
      return entry.kind === 'tuple'
        ? { '@type': 'tvm.stackEntryTuple', tuple: { '@type': 'tvm.tuple', elements } }
        : { '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements } };
    }
    default:
      return { '@type': 'tvm.stackEntryUnsupported' };
  }
}
