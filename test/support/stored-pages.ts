import type { Kysely } from 'kysely';
import type { Transaction } from '../../src/chain/tlb/transaction.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
import { type OpenPage, openPage, traceIdAt } from '../../src/index/format/page.ts';
import { type Position, positionOf } from '../../src/index/format/position.ts';
import type { ShownStates, SlotPlace } from '../../src/index/format/slots.ts';

/** A transaction in a page, read from its cells. */
export interface PlacedSlot {
  readonly at: Position;
  readonly page: OpenPage;
  readonly slot: number;
  readonly transaction: Transaction;
  readonly traceId: Buffer;
}

/** Reads the transactions of all pages, in the order of their positions. */
export async function readPlacedSlots(db: Kysely<Tables>): Promise<PlacedSlot[]> {
  const rows = await db.selectFrom('tx_pages').selectAll().orderBy('page').execute();
  return rows.flatMap(({ page: number, traces, body }) => {
    const page = openPage(Number(number), body);
    const transactions = Array.from({ length: page.count }, (_, slot) => page.transaction(slot));
    return transactions.map((transaction, slot) => ({
      at: positionOf(page.page, slot),
      page,
      slot,
      transaction,
      traceId: traceIdAt(traces, page.count, slot, (root) => transactions[root]!.hash),
    }));
  });
}

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
  return (await readPlacedSlots(db)).map(({ page, slot, transaction, traceId }) => ({
    hash: transaction.hash,
    traceId,
    place: page.place(slot),
    states: page.states(slot),
    bag: page.packed(slot).bag,
  }));
}
