import type { ClientBase } from 'pg';
import { compressPage, joinSlots, type OpenPage, openPage } from '../format/page.ts';
import { pageNumber } from '../format/position.ts';
import { truncateTraceIds } from '../format/trace-ids.ts';

interface PageRow {
  readonly page: string;
  readonly last_seqno: number;
  readonly count: number;
  readonly traces: Buffer;
  readonly body: Buffer;
}

/**
 * Removes all transactions after a masterchain seqno from the pages. Slots are in the order of seqnos, so the page that
 * the cut goes through loses its last ones, and the others keep their positions.
 */
export async function cutPages(client: ClientBase, seqno: number): Promise<void> {
  const next = pageNumber(seqno + 1, 0);
  await client.query('delete from tx_pages where page >= $1', [next]);
  const { rows } = await client.query<PageRow>(
    'select page, last_seqno, count, traces, body from tx_pages where page < $1 order by page desc limit 1',
    [next],
  );
  const [row] = rows;
  if (row === undefined || row.last_seqno <= seqno) return;
  const page = openPage(Number(row.page), row.body);
  const kept = slotsUpTo(page, seqno);
  const body = compressPage(joinSlots(kept.map((slot) => page.packed(slot))));
  const traces = truncateTraceIds(row.traces, row.count, kept.length);
  await client.query(
    'update tx_pages set last_seqno = $2, count = $3, traces = $4, body = $5 where page = $1',
    [row.page, page.place(kept.at(-1)!).mcSeqno, kept.length, traces, body],
  );
}

function slotsUpTo(page: OpenPage, seqno: number): number[] {
  const slots = Array.from({ length: page.count }, (_, slot) => slot);
  return slots.filter((slot) => page.place(slot).mcSeqno <= seqno);
}
