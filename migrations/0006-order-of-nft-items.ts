import { type Kysely, sql } from 'kysely';

/**
 * NFT items of an owner are listed by collection, those without one last; a page cannot continue after a row in an index
 * with a plain null. Items are also listed by last change, and within a collection too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
drop index nft_items_owner;
create index nft_items_owner on nft_items
  (owner, (coalesce(collection, '\\x${'ff'.repeat(34)}'::bytea)), index) where owner is not null;
create index nft_items_owner_last_transaction on nft_items (owner, last_transaction_lt) where owner is not null;
create index nft_items_collection_last_transaction on nft_items (collection, last_transaction_lt)
  where collection is not null;
`)
    .execute(db);
}
