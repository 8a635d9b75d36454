import { type Kysely, sql } from 'kysely';

/**
 * Airdrops of mintless jettons (TEP-177): the hash of the dictionary that a jetton has, and what the dictionary says about the
 * owners of wallets. Jettons that were indexed before are looked at again, because they have a new column.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table jetton_masters add column mintless_root bytea;
create index jetton_masters_mintless on jetton_masters (id) where mintless_root is not null;

alter table jetton_wallets
  -- The hash of the dictionary that the columns below come from; all are null where the owner is not in it.
  add column mintless_root bytea,
  add column mintless_amount numeric,
  add column mintless_start_from bigint,
  add column mintless_expire_at bigint;
create index jetton_wallets_unclaimed on jetton_wallets (jetton, mintless_root) where mintless_is_claimed = false;
create index jetton_wallets_airdrop on jetton_wallets (id)
  where mintless_is_claimed = false and mintless_amount > 0;
create index jetton_wallets_jetton_airdrop on jetton_wallets (jetton, id)
  where mintless_is_claimed = false and mintless_amount > 0;

-- Jettons whose dictionary was fetched, or could not be.
create table mintless_dumps (
  jetton bytea not null primary key,
  root bytea not null,
  -- Failed attempts since the last success.
  tries integer not null default 0,
  next_try timestamptz not null default now(),
  error text
);
`)
    .execute(db);
  await sql
    .raw(`
insert into missing_cells (account, last_trans_lt, undetected)
select account, last_transaction_lt, true from jetton_masters
on conflict (account) do update set undetected = true`)
    .execute(db);
}
