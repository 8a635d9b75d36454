import { type Selectable, sql } from 'kysely';
import type { TracesTable } from '../chain-tables.ts';
import type { OrderKey, Page } from './page.ts';
import type { Span } from './span.ts';
import type { TraceHashes } from './trace-ids.ts';

/** A complete trace. */
export type TraceRow = Selectable<TracesTable>;

/** A trace of a list. */
export type FoundTrace = TraceRow & { readonly cursor: readonly string[] };

/** Which traces are wanted. */
export interface TraceFilters {
  readonly account?: Buffer | undefined;
  readonly hashes?: TraceHashes | undefined;
  readonly mcSeqno?: number | undefined;
  /** Of the end of traces. */
  readonly span: Span;
}

/** A page of a list of traces. */
export interface TracesQuery {
  readonly filters: TraceFilters;
  readonly sort: 'asc' | 'desc';
  readonly page: Page;
}

/** The order of a list of traces. */
export function traceOrder({ filters, sort }: Omit<TracesQuery, 'page'>): readonly OrderKey[] {
  return [
    { by: isTimed(filters) ? sql`end_utime` : sql`end_lt`, type: 'bigint', direction: sort },
    { by: sql`trace_id`, type: 'bytea', direction: sort },
  ];
}

/** Whether a list of traces is in the order of time. */
export function isTimed({ span }: TraceFilters): boolean {
  return span.startUtime !== undefined || span.endUtime !== undefined;
}
