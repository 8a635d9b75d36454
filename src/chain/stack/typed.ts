import { Failure } from '../../lib/errors.ts';
import { type CellKind, parseNumber, readBocEntry, unsupportedType } from './arguments.ts';
import {
  inputTooDeep,
  inputTooLarge,
  intEntry,
  listEntry,
  MAX_STACK_DEPTH,
  MAX_STACK_ENTRIES,
  type StackEntry,
} from './entries.ts';
import { ResultCells, type ResultEntry, toResult } from './results.ts';

export function readTypedStack(stack: unknown): StackEntry[] {
  if (!Array.isArray(stack)) throw new Failure('invalid', 'Stack should be array');
  return stack.map((entry, i) => readTypedEntry(entry, `stack[${i}]`));
}

/** Reads one argument; `path` is its position for error messages. */
export function readTypedEntry(value: unknown, path: string): StackEntry {
  return new TypedReader().entry(value, path, 0);
}

/** Reads one argument and counts its entries. */
class TypedReader {
  #left = MAX_STACK_ENTRIES;

  entry(value: unknown, path: string, depth: number): StackEntry {
    if (this.#left-- === 0) throw inputTooLarge();
    if (depth > MAX_STACK_DEPTH) throw inputTooDeep();
    const entry = members(value, path);
    const type = entry['@type'];
    switch (type) {
      case 'tvm.stackEntryNumber':
        return readDecimal(part(entry, 'number', 'tvm.numberDecimal', path), `${path}.number`);
      case 'tvm.stackEntryCell':
        return readBytes('cell', part(entry, 'cell', 'tvm.cell', path), `${path}.cell`);
      case 'tvm.stackEntrySlice':
        return readBytes('slice', part(entry, 'slice', 'tvm.slice', path), `${path}.slice`);
      case 'tvm.stackEntryTuple': {
        const tuple = part(entry, 'tuple', 'tvm.tuple', path);
        return { type: 'tuple', items: this.#elements(tuple, `${path}.tuple`, depth) };
      }
      case 'tvm.stackEntryList':
        return listEntry(this.#elements(part(entry, 'list', 'tvm.list', path), `${path}.list`, depth));
      case 'tvm.stackEntryUnsupported':
        // The misspelling is tonlib's.
        throw new Failure('lite_server', 'Unsuppored stack entry');
      default:
        if (typeof type === 'string') throw unsupportedType(type);
        throw refusal(`${path}.@type`, type === undefined ? missing('@type') : 'string expected');
    }
  }

  #elements(holder: Members, path: string, depth: number): StackEntry[] {
    const { elements } = holder;
    if (elements === undefined) throw refusal(path, missing('elements'));
    if (!Array.isArray(elements)) throw refusal(`${path}.elements`, 'array expected');
    return elements.map((element, i) => this.entry(element, `${path}.elements[${i}]`, depth + 1));
  }
}

type Members = Readonly<Record<string, unknown>>;

function readDecimal({ number }: Members, path: string): StackEntry {
  if (typeof number !== 'string')
    throw refusal(path, number === undefined ? missing('number') : 'string expected');
  const value = parseNumber(number);
  if (value === undefined) throw refusal(`${path}.number`, 'Invalid number');
  return intEntry(value);
}

function readBytes(kind: CellKind, { bytes }: Members, path: string): StackEntry {
  if (typeof bytes !== 'string')
    throw refusal(path, bytes === undefined ? missing('bytes') : 'string expected');
  return readBocEntry(kind, bytes, 'lite_server');
}

/** The member with the content of an entry. Its own type may be omitted. */
function part(entry: Members, name: string, type: string, path: string): Members {
  if (entry[name] === undefined) throw refusal(path, missing(name));
  const inner = members(entry[name], `${path}.${name}`);
  if (inner['@type'] !== undefined && inner['@type'] !== type)
    throw refusal(`${path}.${name}.@type`, `${type} expected`);
  return inner;
}

function members(value: unknown, path: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refusal(path, 'object expected');
  return value as Members;
}

function missing(name: string): string {
  return `Field '${name}' is missing`;
}

function refusal(path: string, detail: string): Failure {
  return new Failure('invalid', `failed to parse post request: Error at path '${path}': ${detail}`);
}

/** An entry of the typed dialect of v2, with the names of tonlib. */
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

/** The content of a tuple or a list in both dialects of v2. */
interface TypedElements<Type extends string> {
  readonly '@type': Type;
  readonly elements: readonly TypedEntry[];
}

export type TypedTuple = TypedElements<'tvm.tuple'>;
export type TypedList = TypedElements<'tvm.list'>;

/** Entries of the stack are at depth 1; entries at this depth are rejected. */
const MAX_TYPED_DEPTH = 256;

export function formatTypedStack(entries: readonly StackEntry[]): TypedEntry[] {
  const cells = new ResultCells();
  return toResult(entries).map((entry) => formatTypedEntry(entry, cells, 1, MAX_TYPED_DEPTH));
}

/** Formats one entry at `depth`; at `limit` it is rejected. */
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
