import { type Kysely, sql } from 'kysely';
import { KEPT_PLAN } from '../client.ts';
import type { Tables, TokenKind } from '../tables.ts';

/** An account is a wallet of a jetton. */
export interface JettonWalletRow {
  readonly kind: 'jetton_wallets';
  readonly account: Buffer;
  readonly owner: Buffer;
  readonly jetton: Buffer;
  readonly balance: string;
}

/** An account is a jetton, a collection or an NFT; what is shown of it is null as long as it was not fetched. */
export interface TokenRow {
  readonly kind: TokenKind;
  readonly account: Buffer;
  /** Of an NFT only. */
  readonly nft_index: string | null;
  /** Whether it can be shown; null as long as it was not fetched. */
  readonly valid: boolean | null;
  readonly name: string | null;
  readonly symbol: string | null;
  readonly description: string | null;
  readonly image: string | null;
  readonly extra: Readonly<Record<string, unknown>> | null;
  readonly is_nsfw: boolean | null;
  readonly is_scam: boolean | null;
}

const KINDS = ['jetton_masters', 'nft_collections', 'nft_items'] as const satisfies readonly TokenKind[];

/** What the query gives for a role; which of it is filled depends on the kind. */
export type TokenInfoRow = JettonWalletRow | TokenRow;

/**
 * What the accounts are in the world of tokens: a row a role, none for accounts that have none. The jettons of wallets
 * among them are looked up too. The accounts are 33 bytes each.
 */
export async function readTokenInfos(
  db: Kysely<Tables>,
  { accounts }: { readonly accounts: readonly Buffer[] },
): Promise<TokenInfoRow[]> {
  const { rows } = await sql<TokenInfoRow>`${KEPT_PLAN}
    with asked as materialized (select distinct account from unnest(${accounts}::bytea[]) as each (account)),
    wallets as materialized (select account, owner, jetton, balance from asked join jetton_wallets using (account)),
    looked_up as materialized (select account from asked union select jetton from wallets)
    select 'jetton_wallets' as kind, account, owner, jetton, balance, null::numeric as nft_index, null::boolean as valid,
           null as name, null as symbol, null as description, null as image, null::jsonb as extra,
           null::boolean as is_nsfw, null::boolean as is_scam
    from wallets ${sql.join(KINDS.map(unionTokens), sql` `)}`.execute(db);
  return rows;
}

/** The part of the query for one kind of token. */
function unionTokens(kind: TokenKind) {
  const index = kind === 'nft_items' ? sql`token.index` : sql`null`;
  return sql`
    union all
    select ${sql.lit(kind)}, token.account, null, null, null, ${index}, valid, name, symbol, description, image, extra,
           is_nsfw, is_scam
    from looked_up join ${sql.table(kind)} token using (account)
    left join token_metadata shown on shown.account = token.account and shown.kind = ${sql.lit(kind)}`;
}

/** The priority in `token_metadata` of what somebody asks for; no other is higher. */
export const REQUESTED_PRIORITY = 3;

/** What was not to be had is not tried again sooner, however often somebody asks. */
const PAUSE_SECONDS = 600;

/**
 * Says that somebody wants to see tokens: those that wait to be fetched come first, and those that were not to be had
 * or are too old are fetched again. Changes nothing about others.
 */
export async function requestMetadata(
  db: Kysely<Tables>,
  tokens: readonly { readonly account: Buffer; readonly kind: TokenKind }[],
): Promise<void> {
  if (tokens.length === 0) return;
  const accounts = tokens.map(({ account }) => account);
  const kinds = tokens.map(({ kind }) => kind);
  // Rows are locked in one order; those that another is at work on are being fetched just now.
  await sql`
    with asked as (
      select account, kind from token_metadata
      join (select distinct * from unnest(${accounts}::bytea[], ${kinds}::token_kind[]) as one (account, kind)) one
        using (account, kind)
      where priority < ${REQUESTED_PRIORITY}::smallint and (
        next_try <= now()
        or ((valid is not true or expires_at <= extract(epoch from now()))
          -- There is something to fetch.
          and (next_try is not null or expires_at is not null)
          and updated_at <= extract(epoch from now()) - ${PAUSE_SECONDS}::integer)
      )
      order by account, kind for update of token_metadata skip locked
    )
    update token_metadata token set priority = ${REQUESTED_PRIORITY}::smallint, next_try = least(next_try, now())
    from asked where token.account = asked.account and token.kind = asked.kind
  `.execute(db);
}
