import { bytesOf, keyOf } from '../hash-key.ts';
import { EVENT_COLUMNS } from './event-rows.ts';
import { findTokens } from './find-tokens.ts';
import { type InTransaction, lockEvents, run } from './in-transaction.ts';

const FIND = 'select distinct account from waiting_events where account = any($1::bytea[])';

/** Columns of a table of events are filled with those of `waiting_events` of the same name, or with these. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  forward_ton_amount: 'forward_amount',
  owner: 'source',
  old_owner: 'source',
  new_owner: 'destination',
};

/**
 * $1 and $2 are accounts whose events of jettons, and of NFTs, need not wait any more; then come the wallets with their
 * jettons and the NFTs with their places. Rows of seqnos that are no longer kept have no place to go.
 */
const SETTLE = `
with settled as (
  delete from waiting_events where account = any($1::bytea[]) and kind <> 'nft_transfer'
    or account = any($2::bytea[]) and kind = 'nft_transfer'
  returning *
), kept as (
  select * from settled where mc_seqno >= (select first_seqno from index_origin)
), wallets as (
  select * from unnest($3::bytea[], $4::bytea[]) as wallet (account, jetton)
), nfts as (
  select * from unnest($5::bytea[], $6::bytea[], $7::numeric[]) as nft (account, collection, index)
), transfers as (
  ${insert('jetton_transfers', 'wallets', 'jetton_transfer')}
), burns as (
  ${insert('jetton_burns', 'wallets', 'jetton_burn')}
), items as (
  ${insert('nft_transfers', 'nfts', 'nft_transfer')}
)
select ((select count(*) from transfers) + (select count(*) from burns) + (select count(*) from items))::integer as rows`;

function insert(table: 'jetton_transfers' | 'jetton_burns' | 'nft_transfers', tokens: string, kind: string) {
  const columns = EVENT_COLUMNS[table];
  const values = columns.map((column) => OTHER_NAMES[column] ?? column);
  return `insert into ${table} (${columns.join(', ')})
  select ${values.join(', ')} from kept join ${tokens} using (account) where kind = '${kind}' returning 1`;
}

/**
 * Makes rows of the events that wait for accounts which turned out to be tokens, and forgets those of accounts which did
 * not; gives how many rows. To be called by whoever takes accounts out of `missing_cells` or puts them into the tables of
 * contracts, after that and before the commit; nothing that others may have locked comes after it. Nothing waits for
 * accounts that were not in `missing_cells`: they may be left out.
 */
export async function settleWaiting(db: InTransaction, accounts: readonly Buffer[]): Promise<number> {
  if (accounts.length === 0) return 0;
  await lockEvents(db);
  const found = await run<{ account: Buffer }>(db, FIND, [accounts]);
  if (found.length === 0) return 0;
  const waiting = found.map(({ account }) => account);
  const { wallets, items, unknown } = await findTokens(db, waiting);
  const settled = (tokens: ReadonlyMap<string, unknown>) =>
    waiting.filter((account) => tokens.has(keyOf(account)) || !unknown.has(keyOf(account)));
  const places = [...items.values()];
  const [made] = await run<{ rows: number }>(db, SETTLE, [
    ...[settled(wallets), settled(items)],
    ...[[...wallets.keys()].map(bytesOf), [...wallets.values()]],
    ...[[...items.keys()].map(bytesOf), places.map(({ collection }) => collection ?? null)],
    places.map(({ index }) => String(index)),
  ]);
  return made!.rows;
}
