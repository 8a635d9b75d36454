import { Failure } from '../../lib/failure.ts';
import { formatHexNumber, MAX_CLASSIC_DEPTH } from './classic-output.ts';
import { ResultCells } from './result-cells.ts';
import { type ResultEntry, toResult } from './result-entry.ts';
import type { StackEntry } from './stack-entry.ts';

/** An entry of the dialect of v3. */
export interface V3Entry {
  readonly type: 'num' | 'cell' | 'slice' | 'tuple' | 'list';
  readonly value: string | readonly V3Entry[];
}

/**
 * A result in the dialect of v3, which has always been made from the classic one of v2: the same depth is refused,
 * slices of the stack itself are cells and only those inside tuples and lists are slices.
 */
export function formatV3Stack(entries: readonly StackEntry[]): V3Entry[] {
  const cells = new ResultCells();
  return toResult(entries).map((entry) => formatEntry(entry, cells, 0));
}

function formatEntry(entry: ResultEntry, cells: ResultCells, depth: number): V3Entry {
  if (depth >= MAX_CLASSIC_DEPTH)
    throw new Failure('lite_server', `Result stack depth >= ${MAX_CLASSIC_DEPTH}`);
  switch (entry.kind) {
    case 'number':
      return { type: 'num', value: formatHexNumber(entry.value) };
    case 'cell':
      return { type: 'cell', value: cells.bytes(entry.entry) };
    case 'slice':
      return { type: depth === 0 ? 'cell' : 'slice', value: cells.bytes(entry.entry) };
    case 'tuple':
    case 'list':
      return {
        type: entry.kind,
        value: entry.elements.map((element) => formatEntry(element, cells, depth + 1)),
      };
    default:
      throw new Failure(
        'undecodable',
        `failed to decode api/v2 stack: unsupported stack entry type: ${depth === 0 ? 'unsupported' : 'tvm.stackEntryUnsupported'}`,
      );
  }
}
