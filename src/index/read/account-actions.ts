import { bytesKey, type HashKey } from '../../lib/bytes-key.ts';
import { isSliceOver, nextSlice } from '../../lib/slices.ts';
import type { ActionRow } from '../action-row.ts';
import { maskOfTypes } from '../format/action-names.ts';
import { type OpenTrace, openList, type TraceList, tracesOfAccount } from './action-traces.ts';
import { inOrder, isOfTypes, startOf, type WantedTypes } from './actions.ts';
import { bytesText, hashOfKey, type ListWindow, type OrderKey } from './lists.ts';
import { findById } from './stored-traces.ts';
import { intersect, readBoundsOfLt, type Span } from './time-bounds.ts';
import type { TransactionReader } from './transaction-reader.ts';

interface AccountActionsQuery {
  readonly account: Buffer;
  /** Of the end of the trace. */
  readonly span: Span;
  readonly types: WantedTypes;
  /** Which actions of the account are wanted; undefined for all. */
  readonly wanted: WantedActions | undefined;
  readonly sort: 'asc' | 'desc';
  /** Its limit and its offset count traces. */
  readonly page: ListWindow;
  readonly maxMisses?: number;
}

export interface WantedActions {
  /** Whether the test has to know the account of the first transaction of the trace. */
  readonly needsInitiator: boolean;
  /** Undefined where that transaction is not in the index. */
  readonly isWanted: (action: ActionRow, initiator: Buffer | undefined) => boolean;
}

interface AccountActions {
  readonly rows: readonly ActionRow[];
  /** The accounts of the first transactions of their traces. */
  readonly initiators: Initiators;
  /** The keys after which the list goes on; undefined at its end. */
  readonly cursor: readonly string[] | undefined;
}

/** By the keys of trace ids. */
type Initiators = ReadonlyMap<HashKey, Buffer>;

/** Traces without a wanted action that are opened for a page, which then ends early. */
const MAX_MISSES = 10_000;

/** The order of such a list: by the end of the trace and its id. */
export function accountActionsOrder({
  sort,
}: Pick<AccountActionsQuery, 'sort'>): readonly Pick<OrderKey, 'type' | 'direction'>[] {
  return (['bigint', 'bytea'] as const).map((type) => ({ type, direction: sort }));
}

/** Reads the actions of an account in a page of traces, each trace whole; in the order of logical time also with bounds of time. */
export async function readAccountActions(
  reader: TransactionReader,
  query: AccountActionsQuery,
): Promise<AccountActions> {
  const { page, maxMisses = MAX_MISSES } = query;
  const found: { readonly trace: OpenTrace; readonly rows: readonly ActionRow[] }[] = [];
  let [last, skipped, misses]: [OpenTrace | undefined, number, number] = [undefined, 0, 0];
  const isOver = () => found.length === page.limit || (misses >= maxMisses && skipped === page.offset);
  walk: for await (const group of openList(reader.db, await listOf(reader, query))) {
    for (const { trace, rows } of await wantedOf(reader, group, query)) {
      last = trace;
      if (rows.length === 0) misses++;
      else if (skipped < page.offset) skipped++;
      else found.push({ trace, rows });
      // A further group would be read in vain.
      if (isOver()) break walk;
    }
  }
  return {
    rows: found.flatMap(({ rows }) => rows),
    initiators: await readInitiators(
      reader,
      found.map(({ trace }) => trace.traceId),
    ),
    cursor: last !== undefined && isOver() ? [`${last.endLt}`, bytesText(last.traceId)] : undefined,
  };
}

async function listOf({ db }: TransactionReader, query: AccountActionsQuery): Promise<TraceList> {
  const { account, sort, page, types, span } = query;
  return {
    source: tracesOfAccount(db, account),
    range: {
      clock: 'lt',
      sort,
      span: intersect(span, await readBoundsOfLt(db, span)),
      from: startOf(page.after),
    },
    types: maskOfTypes(types.shown),
    wanted: page.offset + page.limit,
  };
}

/** The wanted actions of traces that are behind the cursor. */
async function wantedOf(reader: TransactionReader, group: readonly OpenTrace[], query: AccountActionsQuery) {
  const { account, types, wanted, sort, page } = query;
  const isOfType = isOfTypes(types);
  const candidates = group.filter(isBehind(page.after, sort)).map((trace) => ({
    trace,
    actions: inOrder(trace, { clock: 'lt', sort }).filter(
      (action) => isOfType({ action }) && action.accounts.some((one) => one.equals(account)),
    ),
  }));
  const ids = candidates.flatMap(({ trace, actions }) => (actions.length === 0 ? [] : [trace.traceId]));
  const initiators = wanted?.needsInitiator ? await readInitiators(reader, ids) : undefined;
  const chosen: { readonly trace: OpenTrace; readonly rows: readonly ActionRow[] }[] = [];
  for (const { trace, actions } of candidates) {
    const initiator = initiators?.get(bytesKey(trace.traceId));
    const rows = actions.map((action) => action.row());
    chosen.push({
      trace,
      rows: wanted === undefined ? rows : rows.filter((row) => wanted.isWanted(row, initiator)),
    });
    if (isSliceOver()) await nextSlice(reader.signal);
  }
  return chosen;
}

function isBehind(after: ListWindow['after'], sort: 'asc' | 'desc'): (trace: OpenTrace) => boolean {
  if (after === undefined) return () => true;
  const [end, id] = [BigInt(after[0]!), hashOfKey(after[1]!)];
  const sign = sort === 'asc' ? 1 : -1;
  return ({ endLt, traceId }) =>
    sign * (endLt === end ? Buffer.compare(traceId, id) : endLt < end ? -1 : 1) > 0;
}

/** Reads the accounts of the first transactions of traces; those that are not in the index are left out. */
async function readInitiators(reader: TransactionReader, ids: readonly Buffer[]): Promise<Initiators> {
  const traces = await findById(reader.db, ids);
  const accounts = await reader.readAccounts(traces.map(({ positions }) => positions[0]!));
  return new Map(
    traces.flatMap(({ traceId, positions }) => {
      const account = accounts.get(positions[0]!);
      return account === undefined ? [] : [[bytesKey(traceId), account] as const];
    }),
  );
}
