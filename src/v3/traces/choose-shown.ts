import type { TraceRow } from '../../db/queries/trace-order.ts';

/** More transactions than this are not shown of a trace. */
const MAX_TRACE_TRANSACTIONS = 4000;
/** Nor of all traces of an answer: with the most traces of the most transactions it would have millions. */
const MAX_ANSWER_TRANSACTIONS = 20_000;

type Omission = 'trace is too large' | 'answer is too large';

/** Which traces of a page are shown with their transactions, and why the others are not. */
export function chooseShown<T extends Pick<TraceRow, 'nodes'>>(
  rows: readonly T[],
): { readonly shown: readonly T[]; readonly omitted: ReadonlyMap<T, Omission> } {
  const shown: T[] = [];
  const omitted = new Map<T, Omission>();
  let left = MAX_ANSWER_TRANSACTIONS;
  for (const row of rows) {
    if (row.nodes > MAX_TRACE_TRANSACTIONS) omitted.set(row, 'trace is too large');
    else if (row.nodes > left) omitted.set(row, 'answer is too large');
    else {
      shown.push(row);
      left -= row.nodes;
    }
  }
  return { shown, omitted };
}
