import { type Kysely, sql } from 'kysely';
import type { TokenKind } from '../event-tables.ts';
import type { Tables } from '../tables.ts';

/** The priority in `token_metadata` of what somebody asks for; no other is higher. */
export const ASKED_PRIORITY = 3;

/** What was not to be had is not tried again sooner, however often somebody asks. */
const PAUSE_SECONDS = 600;

/**
 * Says that somebody wants to see tokens: those that wait to be fetched come first, and those that were not to be had
 * or are too old are fetched again. Changes nothing about others.
 */
export async function askForMetadata(
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
      where priority < ${ASKED_PRIORITY}::smallint and (
        next_try <= now()
        or ((valid is not true or expires_at <= extract(epoch from now()))
          -- There is something to fetch.
          and (next_try is not null or expires_at is not null)
          and updated_at <= extract(epoch from now()) - ${PAUSE_SECONDS}::integer)
      )
      order by account, kind for update of token_metadata skip locked
    )
    update token_metadata token set priority = ${ASKED_PRIORITY}::smallint, next_try = least(next_try, now())
    from asked where token.account = asked.account and token.kind = asked.kind
  `.execute(db);
}
