import { Failure } from '../../lib/failure.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { MAX_DEPTH } from '../boc/cell-kind.ts';
import { bagEntry, type CellKind, readBocEntry } from './input-cell.ts';
import { readCellObject } from './input-cell-object.ts';
import { readNumber } from './input-number.ts';
import { intEntry, type StackEntry } from './stack-entry.ts';
import { readTypedEntry } from './typed-input.ts';

/** Reads the arguments of the classic dialect of v2: pairs of a type and a value. */
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
      return intEntry(readNumber(value));
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
      throw new Failure('unsupported', `Unsupported stack entry type: ${type.slice(0, 256)}`);
  }
}

function readBase64(kind: CellKind, type: string, value: unknown): StackEntry {
  if (isEmpty(value)) throw refusal(`Empty ${type}`);
  if (typeof value !== 'string') throw refusal(`Invalid ${type}, base64 string expected`);
  return readBocEntry(kind, value, 'lite_server');
}

/** An object with `bytes`, a cell spelled out as an object or as its JSON text, or a bag of cells in base64. */
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
  return bagEntry(kind, bag);
}

function isEmpty(value: unknown): value is '' | null | undefined {
  return value === '' || value === null || value === undefined;
}

function parseCellText(text: string): unknown {
  try {
    // Two levels for each cell: the object and its `refs`.
    return parseJson(text, 2 * MAX_DEPTH + 2);
  } catch {
    return undefined;
  }
}

/** What a tuple or list holds is typed; the entry may be given whole or without its outermost object. */
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
