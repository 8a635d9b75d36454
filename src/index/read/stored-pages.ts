import type { Kysely } from 'kysely';
import type { ClientBase } from 'pg';
import type { Transaction } from '../../chain/tlb/transaction.ts';
import type { Tables } from '../../db/tables/tables.ts';
import { type OpenPage, openPage } from '../format/page.ts';
import { type Position, pageOf } from '../format/position.ts';
import type { SlotPlace } from '../format/slot-list.ts';
import { readPagesOfSeqnos } from './tx-pages.ts';

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

/** The block of a transaction. */
export type TransactionPlace = SlotPlace;

/** Reads the transactions of an account in a masterchain seqno, in order. */
export async function readTransactionsOfAccount(
  db: Kysely<Tables>,
  { account, mcSeqno }: { readonly account: Buffer; readonly mcSeqno: number },
): Promise<{ readonly place: TransactionPlace; readonly transaction: Transaction }[]> {
  const pages = await readPagesOfSeqnos(db, { seqnos: [mcSeqno] });
  return pages
    .map(({ page, body }) => openPage(page, body))
    .flatMap((page) =>
      Array.from({ length: page.count }, (_, slot) => slot)
        .filter((slot) => page.place(slot).mcSeqno === mcSeqno && page.account(slot).equals(account))
        .map((slot) => ({ place: page.place(slot), transaction: page.transaction(slot) })),
    )
    .sort((a, b) => (a.transaction.lt < b.transaction.lt ? -1 : 1));
}
