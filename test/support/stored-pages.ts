import type { Kysely } from 'kysely';
import type { Tables } from '../../src/db/tables.ts';
import { openPage } from '../../src/pages/page.ts';
import { pageOf, positionOf, slotOf } from '../../src/pages/position.ts';
import type { SlotPlace } from '../../src/pages/slot-list.ts';
import type { ShownStates } from '../../src/pages/states.ts';
import { traceIdAt } from '../../src/pages/trace-ids.ts';

/** A transaction in a page. */
interface StoredSlot {
  readonly hash: Buffer;
  readonly traceId: Buffer;
  readonly place: SlotPlace;
  readonly states: ShownStates;
  readonly bag: Buffer;
}

/** Reads the transactions of all pages. Where a page ends depends on the batches that were written, so it is left out. */
export async function readStoredSlots(db: Kysely<Tables>): Promise<StoredSlot[]> {
  const rows = await db.selectFrom('tx_pages').selectAll().orderBy('page').execute();
  return rows.flatMap(({ page: number, traces, body }) => {
    const page = openPage(Number(number), body);
    const hashOf = (slot: number): Buffer => page.transaction(slot).hash;
    return Array.from({ length: page.count }, (_, slot) => ({
      hash: hashOf(slot),
      traceId: traceIdAt(traces, page.count, slot, hashOf),
      place: page.place(slot),
      states: page.states(slot),
      bag: page.packed(slot).bag,
    }));
  });
}

/** The trace id of every transaction in the page that its row names. */
export async function readTraceIdsInPages(
  db: Kysely<Tables>,
): Promise<{ readonly hash: Buffer; readonly traceId: Buffer }[]> {
  const transactions = await db.selectFrom('transactions').select(['at', 'hash']).execute();
  const hashes = new Map(transactions.map(({ at, hash }) => [Number(at), hash]));
  const pages = await db.selectFrom('tx_pages').select(['page', 'count', 'traces']).execute();
  const byNumber = new Map(pages.map((row) => [Number(row.page), row]));
  return transactions.map(({ at, hash }) => {
    const page = pageOf(Number(at));
    const { count, traces } = byNumber.get(page)!;
    const hashOf = (slot: number) => hashes.get(positionOf(page, slot))!;
    return { hash, traceId: traceIdAt(traces, count, slotOf(Number(at)), hashOf) };
  });
}
