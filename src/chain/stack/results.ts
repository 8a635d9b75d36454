import type { Cells } from '../boc/cells.ts';
import { writeBoc } from '../boc/writer.ts';
import {
  type CellEntry,
  MAX_STACK_DEPTH,
  MAX_STACK_ENTRIES,
  openEntry,
  resultTooDeep,
  resultTooLarge,
  type SliceEntry,
  type StackEntry,
} from './entries.ts';

/** A value of a result as all dialects show it: with lists, without null. */
export type ResultEntry =
  | { readonly kind: 'number'; readonly value: bigint }
  | { readonly kind: 'cell'; readonly entry: CellEntry }
  | { readonly kind: 'slice'; readonly entry: SliceEntry }
  | { readonly kind: 'tuple' | 'list'; readonly elements: readonly ResultEntry[] }
  | { readonly kind: 'unsupported' };

const UNSUPPORTED: ResultEntry = Object.freeze({ kind: 'unsupported' });

/**
 * Converts a stack to what clients see: null is an empty list, a chain of pairs that ends in null is a list of the first
 * halves, any other tuple stays a tuple. Builders, continuations and NaN cannot be shown.
 */
export function toResult(entries: readonly StackEntry[]): ResultEntry[] {
  let left = MAX_STACK_ENTRIES;
  const convert = (entry: StackEntry, depth: number): ResultEntry => {
    if (left-- === 0) throw resultTooLarge();
    if (depth > MAX_STACK_DEPTH) throw resultTooDeep();
    switch (entry.type) {
      case 'int':
        return { kind: 'number', value: entry.value };
      case 'cell':
        return { kind: 'cell', entry };
      case 'slice':
        return { kind: 'slice', entry };
      case 'null':
      case 'tuple': {
        const list = listElements(entry);
        const elements = (list ?? (entry.type === 'tuple' ? entry.items : [])).map((element) =>
          convert(element, depth + 1),
        );
        return { kind: list === undefined ? 'tuple' : 'list', elements };
      }
      default:
        return UNSUPPORTED;
    }
  };
  return entries.map((entry) => convert(entry, 0));
}

/** The elements of a TVM list, or undefined if the entry is not one. */
function listElements(entry: StackEntry): StackEntry[] | undefined {
  const elements: StackEntry[] = [];
  let rest = entry;
  while (rest.type === 'tuple' && rest.items.length === 2) {
    elements.push(rest.items[0]!);
    rest = rest.items[1]!;
  }
  return rest.type === 'null' ? elements : undefined;
}

export interface CellObject {
  readonly data: { readonly b64: string; readonly len: number };
  readonly refs: readonly CellObject[];
  readonly special: boolean;
}

// Shared cells are written once per use, so a few cells can expand to any size.
const MAX_RESULT_CHARS = 4 * 1024 * 1024;
/** The approximate JSON overhead of a cell. */
const CELL_OBJECT_CHARS = 64;

/** Writes the cells of one response and throws when they become too large. */
export class ResultCells {
  #charsLeft = MAX_RESULT_CHARS;

  /** The bag of cells in base64, as tonlib writes it. A slice becomes a separate cell. */
  bytes(entry: CellEntry | SliceEntry): string {
    const source =
      entry.type === 'slice' ? openEntry(entry) : { cells: entry.cells, roots: [entry.cell] as const };
    return this.#spend(writeBoc(source, { order: 'tonlib' }).toString('base64'));
  }

  /** The cell as JSON. A partial last byte is completed by a one and zeros, as in a bag of cells. */
  object(entry: CellEntry | SliceEntry): CellObject {
    const { cells, cell } = entry;
    if (entry.type !== 'slice') return this.#cell(cells, cell);
    const slice = openEntry(entry);
    const len = slice.bitsLeft;
    const data = Buffer.alloc((len + 7) >> 3);
    slice.copyBits(len, data, 0);
    if (len & 7) data[len >> 3]! |= 0x80 >> (len & 7);
    return {
      data: { b64: this.#spend(data.toString('base64')), len },
      refs: this.#refs(cells, cell, entry.refAt, entry.refEnd),
      special: false,
    };
  }

  // Cells are at most 1024 deep, which bounds the recursion.
  #cell(cells: Cells, cell: number): CellObject {
    const len = cells.bits[cell]!;
    const start = cells.starts[cell]!;
    return {
      data: { b64: this.#spend(cells.bytes.toString('base64', start, start + ((len + 7) >> 3))), len },
      refs: this.#refs(cells, cell, 0, cells.refCount(cell)),
      special: cells.isExotic(cell),
    };
  }

  #refs(cells: Cells, cell: number, from: number, to: number): CellObject[] {
    const refs: CellObject[] = [];
    for (let i = from; i < to; i++) refs.push(this.#cell(cells, cells.ref(cell, i)));
    return refs;
  }

  #spend(text: string): string {
    this.#charsLeft -= text.length + CELL_OBJECT_CHARS;
    if (this.#charsLeft < 0) throw resultTooLarge(`cells of more than ${MAX_RESULT_CHARS} characters`);
    return text;
  }
}
