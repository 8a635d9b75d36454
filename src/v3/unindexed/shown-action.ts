import type { ActionRow } from '../../db/queries/action-order.ts';
import { type ActionJson, accountsOfAction } from '../actions/action.ts';
import type { ActionWriter } from '../actions/action-writer.ts';
import { formatHash } from '../value-texts.ts';

/** What is said of the trace of an action that the index does not have. */
interface ActionStanding {
  /** Undefined as long as the first transaction of the trace is a prediction. */
  readonly traceId: Buffer | undefined;
  readonly externalHash: Buffer;
  readonly normalizedHash: Buffer;
  readonly finality: 'pending' | 'confirmed' | 'finalized';
}

/** Writes an action that the index does not have. */
export function toUnindexedAction(
  writer: ActionWriter,
  { traceId, externalHash, normalizedHash, finality }: ActionStanding,
  row: ActionRow,
): ActionJson {
  return {
    ...writer.write(row),
    trace_id: traceId === undefined ? null : formatHash(traceId),
    trace_external_hash: formatHash(externalHash),
    trace_external_hash_norm: formatHash(normalizedHash),
    accounts: accountsOfAction(row),
    finality,
  };
}

/** The actions that a caller knows, without those that are parts of others that it knows. */
export function knownActions(actions: readonly ActionRow[], known: ReadonlySet<string>): ActionRow[] {
  return actions.filter(
    ({ type, ancestor_type: wholes }) => known.has(type) && !wholes.some((whole) => known.has(whole)),
  );
}

/** Compares actions by the time at which they begin, then by that of their end. */
export function byStart(a: ActionRow, b: ActionRow): number {
  return compare(a.start_lt, b.start_lt) || compare(a.end_lt, b.end_lt);
}

/** Compares actions by the time of their end, the latest first, then by that at which they begin. */
export function byEndBackwards(a: ActionRow, b: ActionRow): number {
  return compare(b.end_lt, a.end_lt) || compare(b.start_lt, a.start_lt);
}

function compare(a: string, b: string): number {
  return a === b ? 0 : BigInt(a) < BigInt(b) ? -1 : 1;
}
