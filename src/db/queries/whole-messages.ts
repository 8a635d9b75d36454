import { type Kysely, sql } from 'kysely';
import { KEPT_PLAN } from '../kept-plans.ts';
import type { Tables } from '../tables.ts';
import { type MessageRow, readMessageContents, type WholeMessage } from './message-contents.ts';
import type { FoundMessage } from './messages.ts';

/** A message with the hashes of the transactions at its sides, as far as they were looked for. */
export interface ListedMessage extends WholeMessage {
  readonly received_by: Buffer | undefined;
  readonly sent_by: Buffer | undefined;
}

type SideRow = MessageRow & { readonly place: string; readonly tx_hash: Buffer };

/** Reads messages in the order in which they were found. */
export async function readWholeMessages(
  db: Kysely<Tables>,
  { found }: { readonly found: readonly FoundMessage[] },
): Promise<ListedMessage[]> {
  const sides = found.flatMap((message, place) => message.sides.map((side) => ({ ...side, place })));
  if (sides.length === 0) return [];
  const seqnos = sides.map(({ mc_seqno }) => mc_seqno);
  // Leaves most partitions out before the query is planned, which would take longer than to run it.
  const isNear = sql`mc_seqno between ${Math.min(...seqnos)} and ${Math.max(...seqnos)}`;
  const { rows } = await sql<SideRow>`${KEPT_PLAN}
    select m.*, t.hash as tx_hash, asked.place
    from unnest(${sides.map(({ place }) => place)}::int[], ${sides.map(({ account }) => account)}::bytea[],
                ${sides.map(({ tx_lt }) => tx_lt)}::bigint[], ${sides.map(({ ordinal }) => ordinal)}::smallint[],
                ${seqnos}::int[]) as asked (place, account, tx_lt, ordinal, mc_seqno)
    join lateral (
      select * from messages where account = asked.account and tx_lt = asked.tx_lt and ordinal = asked.ordinal
      and mc_seqno = asked.mc_seqno and ${isNear} limit 1) m on true
    join lateral (
      select hash from transactions
      where account = asked.account and lt = asked.tx_lt and mc_seqno = asked.mc_seqno and ${isNear} limit 1) t on true
    order by asked.place, m.ordinal`.execute(db);
  const grouped = [...Map.groupBy(rows, ({ place }) => place).values()];
  // What came later is kept longer, so the receiver's row is taken where there is one.
  const messages = await readMessageContents(db, { messages: grouped.map(([first]) => first!) });
  return messages.map((message, at) => ({
    ...message,
    received_by: grouped[at]!.find(({ ordinal }) => ordinal === 0)?.tx_hash,
    sent_by: grouped[at]!.find(({ ordinal }) => ordinal > 0)?.tx_hash,
  }));
}
