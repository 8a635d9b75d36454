import { type Kysely, type Selectable, sql } from 'kysely';
import type { MessagesTable } from '../chain-tables.ts';
import { KEPT_PLAN } from '../kept-plans.ts';
import type { Tables } from '../tables.ts';

/** A message as one transaction saw it. */
export type MessageRow = Selectable<MessagesTable>;

/** A message with the bags of its body and its initial state; null where there is none, or none any more. */
export interface WholeMessage extends MessageRow {
  readonly body: Buffer | null;
  readonly init: Buffer | null;
}

/** Reads what messages bring, each content once: it is the same in every partition that has it. */
export async function readMessageContents(
  db: Kysely<Tables>,
  { messages }: { readonly messages: readonly MessageRow[] },
): Promise<WholeMessage[]> {
  const wanted = new Map<string, { readonly hash: Buffer; readonly mcSeqno: number }>();
  for (const { body_hash, init_hash, mc_seqno } of messages) {
    for (const hash of init_hash === null ? [body_hash] : [body_hash, init_hash]) {
      const key = hash.toString('latin1');
      // Old partitions may be gone; the newest is the last to go.
      if ((wanted.get(key)?.mcSeqno ?? -1) < mc_seqno) wanted.set(key, { hash, mcSeqno: mc_seqno });
    }
  }
  const bags = await readBags(db, [...wanted.values()]);
  const bagOf = (hash: Buffer | null) => (hash && bags.get(hash.toString('latin1'))) ?? null;
  return messages.map((row) => ({ ...row, body: bagOf(row.body_hash), init: bagOf(row.init_hash) }));
}

async function readBags(
  db: Kysely<Tables>,
  wanted: readonly { readonly hash: Buffer; readonly mcSeqno: number }[],
): Promise<ReadonlyMap<string, Buffer>> {
  if (wanted.length === 0) return new Map();
  const { rows } = await sql<{ hash: Buffer; boc: Buffer }>`${KEPT_PLAN}
    select content.hash, content.boc
    from index_origin,
         unnest(${wanted.map(({ hash }) => hash)}::bytea[], ${wanted.map(({ mcSeqno }) => mcSeqno)}::int[])
           as wanted (hash, mc_seqno)
    join lateral (select hash, boc from message_contents
                  where hash = wanted.hash and part = wanted.mc_seqno - wanted.mc_seqno % partition_seqnos limit 1) content on true
  `.execute(db);
  return new Map(rows.map(({ hash, boc }) => [hash.toString('latin1'), boc]));
}
