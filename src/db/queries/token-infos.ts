import { type Kysely, sql } from 'kysely';
import type { TokenKind } from '../event-tables.ts';
import { KEPT_PLAN } from '../kept-plans.ts';
import type { Tables } from '../tables.ts';

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
