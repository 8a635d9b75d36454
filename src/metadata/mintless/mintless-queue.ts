import { type Kysely, sql } from 'kysely';
import { skipLocked } from '../../db/cluster-dialect.ts';
import type { Tables } from '../../db/tables/tables.ts';
import { backOffDelay } from '../../lib/back-off.ts';
import type { OutboundError } from '../../lib/outbound-http.ts';
import { cleanText } from '../token-fields.ts';
import type { Airdrop } from './airdrop-file.ts';
import type { DumpSource } from './airdrop-store.ts';

/** A mintless jetton. */
export interface MintlessJetton extends DumpSource {
  readonly id: string;
  readonly account: Buffer;
}

/** Reads jettons with a link to a dump, in the order of indexing. TEP-177 spells the name of the link in another way than most jettons. */
export async function readMintlessJettons(
  db: Kysely<Tables>,
  { afterId, max }: { readonly afterId: string; readonly max: number },
): Promise<MintlessJetton[]> {
  const { rows } = await sql<MintlessJetton>`
    select jetton.id, jetton.account, jetton.mintless_root as root,
      coalesce(token.extra->>'mintless_merkle_dump_uri', token.extra->>'mintles_merkle_dump_uri') as link
    from jetton_masters jetton
    join token_metadata token on token.account = jetton.account and token.kind = 'jetton_masters'
    where jetton.mintless_root is not null and jetton.id > ${afterId}::bigint
      and token.extra ?| array['mintless_merkle_dump_uri', 'mintles_merkle_dump_uri']
    order by jetton.id limit ${max}::integer`.execute(db);
  return rows.map((row) => ({ ...row, link: row.link ?? '' }));
}

/** How long a taken jetton is reserved. */
const LEASE_SECONDS = 120;

/** A jetton that this process works on. */
export interface TakenJetton extends MintlessJetton {
  /** Failed attempts so far. */
  readonly tries: number;
}

/** Reserves a jetton that is due, or whose dictionary has changed; undefined if it is not, or another process has it. */
export async function takeJetton(
  db: Kysely<Tables>,
  jetton: MintlessJetton,
): Promise<TakenJetton | undefined> {
  const { account, root } = jetton;
  const { rows } = await sql<{ tries: number }>`
    insert into mintless_dumps as kept (jetton, root, next_try)
    values (${account}, ${root}, now() + ${sql.lit(LEASE_SECONDS)} * interval '1 second')
    on conflict (jetton) do update set root = excluded.root, next_try = excluded.next_try,
      tries = case when kept.root = excluded.root then kept.tries else 0 end
    where kept.next_try <= now() or kept.root <> excluded.root
    returning tries`.execute(db);
  const [row] = rows;
  return row && { ...jetton, tries: row.tries };
}

/** Reserves a taken jetton for longer. */
export async function renewJetton(db: Kysely<Tables>, { account }: MintlessJetton): Promise<void> {
  await sql`
    update mintless_dumps set next_try = now() + ${sql.lit(LEASE_SECONDS)} * interval '1 second'
    where jetton = ${account}`.execute(db);
}

/** Ends the reservation of a jetton whose wallets are complete, or that was not worked on to the end. */
export async function releaseJetton(
  db: Kysely<Tables>,
  { account }: MintlessJetton,
  isComplete: boolean,
): Promise<void> {
  await sql`
    update mintless_dumps set next_try = now() ${isComplete ? sql`, tries = 0, error = null` : sql``}
    where jetton = ${account}`.execute(db);
}

const FIRST_PAUSE_SECONDS = 60;
const MAX_PAUSE_SECONDS = 7 * 86_400;

/** Keeps why a dump could not be fetched, and tries it again later. */
export async function postponeJetton(
  db: Kysely<Tables>,
  { account, tries }: TakenJetton,
  { kind, message }: OutboundError,
): Promise<void> {
  const seconds =
    kind === 'refused' ? MAX_PAUSE_SECONDS : backOffDelay(tries + 1, FIRST_PAUSE_SECONDS, MAX_PAUSE_SECONDS);
  await sql`
    update mintless_dumps set tries = ${tries + 1}, error = ${cleanText(message)},
      next_try = now() + ${seconds}::float8 * interval '1 second'
    where jetton = ${account}`.execute(db);
}

/** A wallet whose owner has to be looked up. */
export interface UnclaimedWallet {
  readonly account: Buffer;
  readonly owner: Buffer;
}

/** Reads wallets of a jetton that are not claimed and whose owners were not looked up in its dictionary. */
export async function readUnclaimedWallets(
  db: Kysely<Tables>,
  { account, root }: MintlessJetton,
  max: number,
): Promise<UnclaimedWallet[]> {
  const { rows } = await sql<UnclaimedWallet>`
    select account, owner from jetton_wallets
    where jetton = ${account} and mintless_is_claimed = false
      and (mintless_root is null or mintless_root < ${root} or mintless_root > ${root})
    limit ${max}::integer`.execute(db);
  return rows;
}

/** Writes what owners get; wallets that somebody else writes now stay to be looked up. */
export async function saveAirdrops(
  db: Kysely<Tables>,
  root: Buffer,
  found: readonly (readonly [UnclaimedWallet, Airdrop | undefined])[],
): Promise<void> {
  await sql`
    with found as (
      select account, one.amount, one.start_from, one.expire_at from jetton_wallets join unnest(
        ${found.map(([{ account }]) => account)}::bytea[], ${found.map(([{ owner }]) => owner)}::bytea[],
        ${found.map(([, airdrop]) => airdrop?.amount.toString() ?? null)}::numeric[],
        ${found.map(([, airdrop]) => airdrop?.startFrom ?? null)}::bigint[],
        ${found.map(([, airdrop]) => airdrop?.expireAt ?? null)}::bigint[]
      ) as one (account, owner, amount, start_from, expire_at) using (account, owner)
      -- The common lock order, against deadlocks.
      order by account ${skipLocked(db, 'jetton_wallets')}
    )
    update jetton_wallets wallet set mintless_root = ${root}, mintless_amount = found.amount,
      mintless_start_from = found.start_from, mintless_expire_at = found.expire_at
    from found where wallet.account = found.account`.execute(db);
}
