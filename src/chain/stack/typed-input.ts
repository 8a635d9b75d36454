import { Failure } from '../../lib/failure.ts';
import { type CellKind, readBocEntry } from './input-cell.ts';
import { parseNumber } from './input-number.ts';
import { intEntry, listEntry, type StackEntry } from './stack-entry.ts';
import { inputTooDeep, inputTooLarge, MAX_STACK_DEPTH, MAX_STACK_ENTRIES } from './stack-limits.ts';

/** Reads the arguments of the typed dialect of v2. */
export function readTypedStack(stack: unknown): StackEntry[] {
  if (!Array.isArray(stack)) throw new Failure('invalid', 'Stack should be array');
  return stack.map((entry, i) => readTypedEntry(entry, `stack[${i}]`));
}

/** Reads one argument; `path` says in refusals where it stands. */
export function readTypedEntry(value: unknown, path: string): StackEntry {
  return new TypedReader().entry(value, path, 0);
}

/** Reads what one argument is made of, and counts it. */
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
        // The misspelling is tonlib's, and clients know it.
        throw new Failure('lite_server', 'Unsuppored stack entry');
      default:
        throw refusal(`${path}.@type`, type === undefined ? missing('@type') : 'unknown stack entry type');
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

/** The member that holds the content of an entry. Its own type may be left out. */
function part(entry: Members, name: string, type: string, path: string): Members {
  if (entry[name] === undefined) throw refusal(path, missing(name));
  const found = members(entry[name], `${path}.${name}`);
  if (found['@type'] !== undefined && found['@type'] !== type)
    throw refusal(`${path}.${name}.@type`, `${type} expected`);
  return found;
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
