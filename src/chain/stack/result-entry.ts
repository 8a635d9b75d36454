import type { CellEntry, SliceEntry, StackEntry } from './stack-entry.ts';
import { MAX_STACK_DEPTH, MAX_STACK_ENTRIES, resultTooDeep, resultTooLarge } from './stack-limits.ts';

/** A value of a result as all dialects show it: there are lists, and no null. */
export type ResultEntry =
  | { readonly kind: 'number'; readonly value: bigint }
  | { readonly kind: 'cell'; readonly entry: CellEntry }
  | { readonly kind: 'slice'; readonly entry: SliceEntry }
  | { readonly kind: 'tuple' | 'list'; readonly elements: readonly ResultEntry[] }
  | { readonly kind: 'unsupported' };

const UNSUPPORTED: ResultEntry = Object.freeze({ kind: 'unsupported' });

/**
 * What clients get to see of a stack: null is an empty list, a chain of pairs that ends in null is a list of the first
 * halves, any other tuple stays one. Builders, continuations and a number that is none cannot be shown.
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

/** The elements of a list of TVM, or undefined if the entry is none. */
function listElements(entry: StackEntry): StackEntry[] | undefined {
  const elements: StackEntry[] = [];
  let rest = entry;
  while (rest.type === 'tuple' && rest.items.length === 2) {
    elements.push(rest.items[0]!);
    rest = rest.items[1]!;
  }
  return rest.type === 'null' ? elements : undefined;
}
