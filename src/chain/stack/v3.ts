import { Failure } from '../../lib/errors.ts';
import { readBocEntry, readClassicNumber } from './arguments.ts';
import { formatHexNumber, MAX_CLASSIC_DEPTH } from './classic.ts';
import { intEntry, type StackEntry } from './entries.ts';
import { ResultCells, type ResultEntry, toResult } from './results.ts';

/** Reads arguments in the dialect of v3: objects with a type and a value. Without arguments the stack may be omitted. */
export function readV3Stack(stack: unknown): StackEntry[] {
  if (stack === undefined || stack === null) return [];
  if (!Array.isArray(stack)) throw refusal('stack should be an array');
  return stack.map(readV3Entry);
}

function readV3Entry(entry: unknown, index: number): StackEntry {
  if (typeof entry !== 'object' || entry === null)
    throw refusal(`stack[${index}] should be an object with type and value`);
  const { type, value } = entry as { type?: unknown; value?: unknown };
  switch (type) {
    case 'num':
      return intEntry(readClassicNumber(value));
    case 'cell':
    case 'slice':
      if (typeof value !== 'string' || value === '')
        throw refusal(`stack[${index}]: a ${type} should be a bag of cells in base64`);
      return readBocEntry(type, value, 'invalid');
    default:
      throw refusal(`unsupported stack parameter type: ${String(type).slice(0, 256)}`);
  }
}

function refusal(text: string): Failure {
  return new Failure('invalid', text);
}

export interface V3Entry {
  readonly type: 'num' | 'cell' | 'slice' | 'tuple' | 'list';
  readonly value: string | readonly V3Entry[];
}

/**
 * Formats a result in the dialect of v3, which is derived from the classic one of v2: the same depth is rejected,
 * slices on the stack become cells, and only those inside tuples and lists stay slices.
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
