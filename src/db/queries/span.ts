import { type RawBuilder, sql } from 'kysely';

/** Bounds of time and of logical time, both included; undefined where there is none. */
export interface Span {
  readonly startUtime?: bigint | undefined;
  readonly endUtime?: bigint | undefined;
  readonly startLt?: bigint | undefined;
  readonly endLt?: bigint | undefined;
}

const MAX_INT64 = 2n ** 63n - 1n;

/** The condition that a row lies in a span. */
export function inSpan(span: Span, utime: RawBuilder<unknown>, lt: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`${atLeast(utime, span.startUtime)} and ${atMost(utime, span.endUtime)}
    and ${atLeast(lt, span.startLt)} and ${atMost(lt, span.endLt)}`;
}

/** The condition that a number is not below a bound. */
export function atLeast(by: RawBuilder<unknown>, bound: bigint | undefined): RawBuilder<boolean> {
  return bound === undefined ? sql`true` : sql`${by} >= ${toInt64(bound)}::bigint`;
}

/** The condition that a number is not above a bound. */
export function atMost(by: RawBuilder<unknown>, bound: bigint | undefined): RawBuilder<boolean> {
  return bound === undefined ? sql`true` : sql`${by} <= ${toInt64(bound)}::bigint`;
}

/** What both spans have in common. */
export function intersect(a: Span, b: Span): Span {
  return {
    startUtime: greater(a.startUtime, b.startUtime),
    endUtime: lesser(a.endUtime, b.endUtime),
    startLt: greater(a.startLt, b.startLt),
    endLt: lesser(a.endLt, b.endLt),
  };
}

/** Callers may name numbers that no column holds. */
function toInt64(bound: bigint): bigint {
  if (bound > MAX_INT64) return MAX_INT64;
  return bound < -MAX_INT64 ? -MAX_INT64 : bound;
}

function greater(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  return a === undefined || (b !== undefined && b > a) ? b : a;
}

function lesser(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  return a === undefined || (b !== undefined && b < a) ? b : a;
}
