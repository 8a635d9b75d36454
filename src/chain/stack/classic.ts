import { Failure } from '../../lib/errors.ts';
import { CALLER_LIMITS, parseJson } from '../../lib/parse-json.ts';
import { MAX_DEPTH } from '../boc/cells.ts';
import {
  type CellKind,
  readBocEntry,
  readCellObject,
  readClassicNumber,
  rootEntry,
  unsupportedType,
} from './arguments.ts';
import { intEntry, type StackEntry } from './entries.ts';
import { type CellObject, ResultCells, type ResultEntry, toResult } from './results.ts';
import { formatTypedEntry, readTypedEntry, type TypedList, type TypedTuple } from './typed.ts';

/** Reads arguments in the classic dialect of v2: pairs of a type and a value. */
export function readClassicStack(stack: unknown): StackEntry[] {
  if (!Array.isArray(stack)) throw refusal('Stack should be array');
  return stack.map(readClassicEntry);
}

function readClassicEntry(entry: unknown, index: number): StackEntry {
  const size = Array.isArray(entry) ? entry.length : 0;
  if (size !== 2) throw refusal(`Expected 2 elements in stack entry, got: ${size}`);
  const [type, value] = entry as [unknown, unknown];
  if (typeof type !== 'string') throw refusal('Expected string as first element in stack entry');
  switch (type) {
    case 'num':
    case 'int':
    case 'number':
    case 'integer':
      return intEntry(readClassicNumber(value));
    case 'tvm.Cell':
      return readBase64('cell', type, value);
    case 'tvm.Slice':
      return readBase64('slice', type, value);
    case 'cell':
    case 'slice':
      return readCellForms(type, value);
    case 'tuple':
    case 'tvm.Tuple':
      return readElements('Tuple', value, index);
    case 'list':
    case 'tvm.List':
      return readElements('List', value, index);
    default:
      throw unsupportedType(type);
  }
}

function readBase64(kind: CellKind, type: string, value: unknown): StackEntry {
  if (isEmpty(value)) throw refusal(`Empty ${type}`);
  if (typeof value !== 'string') throw refusal(`Invalid ${type}, base64 string expected`);
  return readBocEntry(kind, value, 'lite_server');
}

/** An object with `bytes`, a cell as an object or as its JSON text, or a bag of cells in base64. */
function readCellForms(kind: CellKind, value: unknown): StackEntry {
  if (isEmpty(value)) throw refusal(`Empty ${kind}`);
  if (typeof value === 'string') {
    if (!value.trimStart().startsWith('{')) return readBocEntry(kind, value, 'lite_server');
    return readCellForms(kind, parseCellText(value) ?? 0);
  }
  const { bytes } = value as { bytes?: unknown };
  if (bytes === '') throw refusal(`Empty ${kind}`);
  if (typeof bytes === 'string') return readBocEntry(kind, bytes, 'lite_server');
  const bag = readCellObject(value);
  if (bag === undefined || (kind === 'slice' && bag.isExotic(bag.root)))
    throw refusal(`Invalid ${kind}, object with field bytes expected`);
  return rootEntry(kind, bag);
}

function isEmpty(value: unknown): value is '' | null | undefined {
  return value === '' || value === null || value === undefined;
}

function parseCellText(text: string): unknown {
  try {
    // Two levels per cell: the object and its `refs`.
    return parseJson(text, { ...CALLER_LIMITS, depth: 2 * MAX_DEPTH + 2 });
  } catch {
    return undefined;
  }
}

/** The elements of a tuple or list are in the typed dialect; the outermost object of the entry may be omitted. */
function readElements(name: 'Tuple' | 'List', value: unknown, index: number): StackEntry {
  const expected = `Invalid tvm.${name}, valid tvm_stackEntry${name} expected`;
  if (typeof value !== 'object' || value === null) throw refusal(expected);
  const type = `tvm.stackEntry${name}`;
  const holder = name.toLowerCase();
  const whole = (value as { '@type'?: unknown })['@type'] === type;
  const content = whole ? (value as Record<string, unknown>)[holder] : value;
  if (!Array.isArray((content as { elements?: unknown } | null | undefined)?.elements))
    throw refusal(expected);
  return readTypedEntry({ '@type': type, [holder]: content }, `stack[${index}][1]`);
}

function refusal(text: string): Failure {
  return new Failure('invalid', text);
}

export type ClassicEntry =
  | readonly ['num', string]
  | readonly ['cell', { readonly bytes: string; readonly object: CellObject }]
  | readonly ['tuple', TypedTuple]
  | readonly ['list', TypedList]
  | readonly ['unsupported', ''];

/** Elements of a tuple or list on the stack are at depth 1; entries at this depth are rejected. */
export const MAX_CLASSIC_DEPTH = 100;

/** Formats a result in the classic dialect of v2: slices become cells, elements of tuples and lists are typed. */
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
