import type { Kysely } from 'kysely';
import type { Tables } from '../../db/tables.ts';

/** Masterchain seqnos, both ends included. */
export interface SeqnoRange {
  readonly first: number;
  readonly last: number;
}

/** Which seqnos are in the index, ascending; ranges that touch are one. */
export async function indexedRanges(db: Kysely<Tables>): Promise<SeqnoRange[]> {
  const rows = await db
    .selectFrom('index_chunks')
    .select(['first_seqno', 'done_seqno'])
    .whereRef('done_seqno', '>=', 'first_seqno')
    .orderBy('first_seqno')
    .execute();
  const ranges: { first: number; last: number }[] = [];
  for (const { first_seqno: first, done_seqno: last } of rows) {
    const before = ranges.at(-1);
    if (before?.last === first - 1) before.last = last;
    else ranges.push({ first, last });
  }
  return ranges;
}

/** Which seqnos from `first` to `last` are in none of the ranges, ascending. */
export function gapsBetween(ranges: readonly SeqnoRange[], { first, last }: SeqnoRange): SeqnoRange[] {
  const gaps: SeqnoRange[] = [];
  let next = first;
  for (const range of ranges) {
    if (range.first > last) break;
    if (range.first > next) gaps.push({ first: next, last: range.first - 1 });
    next = Math.max(next, range.last + 1);
  }
  if (next <= last) gaps.push({ first: next, last });
  return gaps;
}
