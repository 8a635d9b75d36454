import type { ClientBase } from 'pg';
import { type OpenPage, openPage } from '../format/page.ts';
import { type Position, pageOf } from '../format/position.ts';

const PAGES_PER_QUERY = 200;

// The planner prunes partitions only by values that it knows in advance.
const READ_PAGES =
  'select page, body from tx_pages where page = any($1::bigint[]) and page between $2 and $3';

/** Reads and opens the pages of some positions, by number; those that were dropped are left out. */
export async function readPagesOf(
  client: ClientBase,
  positions: Iterable<Position>,
): Promise<ReadonlyMap<number, OpenPage>> {
  const wanted = new Set<number>();
  for (const at of positions) wanted.add(pageOf(at));
  const numbers = [...wanted].sort((a, b) => a - b);
  const pages = new Map<number, OpenPage>();
  for (let i = 0; i < numbers.length; i += PAGES_PER_QUERY) {
    const part = numbers.slice(i, i + PAGES_PER_QUERY);
    const { rows } = await client.query<{ readonly page: string; readonly body: Buffer }>(READ_PAGES, [
      part,
      part[0],
      part.at(-1),
    ]);
    for (const { page, body } of rows) pages.set(Number(page), openPage(Number(page), body));
  }
  return pages;
}
