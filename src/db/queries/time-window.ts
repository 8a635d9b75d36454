import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';
import type { Page } from './page.ts';
import { readBoundsOfLt } from './shard-bounds.ts';
import { intersect, type Span } from './span.ts';

/** A page of a list in the order of time. */
interface TimedPage {
  readonly span: Span;
  readonly sort: 'asc' | 'desc';
  /** Its cursor begins with a time. */
  readonly page: Page;
}

/** The times of the first rows of a list in the order of logical time; none when there are not so many rows. */
type ReadTimes = (
  span: Span,
  count: number,
) => Promise<{ readonly first: bigint; readonly last: bigint } | undefined>;

/**
 * A span in which a page of a list in the order of time lies, where the index of the list is in the order of logical time.
 * The two orders differ a little. As many rows as are wanted, taken in the order that the index has, tell how far the
 * page reaches at most; what lies in that time is little more than they are, and can be sorted.
 */
export async function findTimeWindow(
  db: Kysely<Tables>,
  { span, sort, page }: TimedPage,
  readTimes: ReadTimes,
): Promise<Span> {
  const after = page.after?.[0] === undefined ? undefined : BigInt(page.after[0]);
  const rest = intersect(span, sort === 'asc' ? { startUtime: after } : { endUtime: after });
  const open = intersect(rest, await readBoundsOfLt(db, rest));
  const times = await readTimes(open, page.offset + page.limit);
  if (times === undefined) return open;
  const reach = sort === 'asc' ? { endUtime: times.last } : { startUtime: times.first };
  return intersect(open, { ...reach, ...(await readBoundsOfLt(db, reach)) });
}
