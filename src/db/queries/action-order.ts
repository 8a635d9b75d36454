import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { ActionsTable } from '../action-tables.ts';
import type { OrderKey, Page } from './page.ts';
import { inSpan, type Span } from './span.ts';

/** An action as it is stored. */
export type ActionRow = Selectable<ActionsTable>;

/** An action of a list. */
export type FoundAction = ActionRow & { readonly cursor: readonly string[] };

/** Which types of actions are wanted. */
export interface WantedTypes {
  readonly shown: readonly string[];
  /** An action that is part of one of these is left out: whoever knows the whole does not need the parts. */
  readonly hiding: readonly string[];
}

/** Which actions are wanted; empty lists and what is undefined do not count. */
export interface ActionFilters {
  readonly account?: Buffer | undefined;
  readonly actionIds: readonly Buffer[];
  readonly traceIds: readonly Buffer[];
  /** Of transactions in the action. */
  readonly txHashes: readonly Buffer[];
  /** Of messages of transactions in the action, normalized or not. */
  readonly msgHashes: readonly Buffer[];
  /** In which the trace ended. */
  readonly mcSeqno?: number | undefined;
  /** Of the end of the trace. */
  readonly span: Span;
  readonly types: WantedTypes;
  /** Whether these types may be few among all actions. */
  readonly isOfFewTypes: boolean;
}

/** A page of a list of actions. */
export interface ActionsQuery {
  readonly filters: ActionFilters;
  readonly sort: 'asc' | 'desc';
  readonly page: Page;
}

/** The order of a list of actions: by the end of their trace, then of themselves. */
export function actionOrder({ filters, sort }: Omit<ActionsQuery, 'page'>): readonly OrderKey[] {
  const clock = isTimed(filters) ? 'utime' : 'lt';
  return [
    { by: sql.ref(`trace_end_${clock}`), type: 'bigint', direction: sort },
    { by: sql`trace_id`, type: 'bytea', direction: sort },
    { by: sql.ref(`end_${clock}`), type: 'bigint', direction: sort },
    { by: sql`action_id`, type: 'bytea', direction: sort },
  ];
}

/** Whether a list of actions is in the order of time. */
export function isTimed({ span }: Pick<ActionFilters, 'span'>): boolean {
  return span.startUtime !== undefined || span.endUtime !== undefined;
}

/** The condition that the trace of an action ended in a span. */
export function endsIn(span: Span): RawBuilder<boolean> {
  return inSpan(span, sql`trace_end_utime`, sql`trace_end_lt`);
}

/** The condition that an action is of a wanted type and not part of something that is shown instead. */
export function isOfTypes({ shown, hiding }: WantedTypes): RawBuilder<boolean> {
  return sql`type = any(${shown}::text[]) and ${isNoPart(hiding)}`;
}

/** The condition that an action is not part of one of some types. */
export function isNoPart(hiding: readonly string[]): RawBuilder<boolean> {
  return sql`not ancestor_type && ${hiding}::text[]`;
}
