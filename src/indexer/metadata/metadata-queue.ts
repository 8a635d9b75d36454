import { type Kysely, type SqlBool, sql } from 'kysely';
import { REQUESTED_PRIORITY } from '../../db/queries/token-metadata.ts';
import type { Tables, TokenKind } from '../../db/tables.ts';
import { backOffDelay } from '../../lib/back-off.ts';
import { MetadataError } from './document-source.ts';
import { type ChainContent, cleanText, type TokenFields } from './token-fields.ts';

/** A token of which more is to be fetched. */
export interface DueToken {
  readonly account: Buffer;
  readonly kind: TokenKind;
  /** Of the content: what was fetched for another one is not kept. */
  readonly sourceHash: Buffer;
  /** How often it was tried in vain. */
  readonly tries: number;
  readonly priority: number;
  /** What the contract says; undefined if there is no such contract any more. */
  readonly content: ChainContent | undefined;
}

/** A token whose host must be left alone for now. */
export interface DeferredToken {
  readonly token: DueToken;
  readonly waitMs: number;
}

/** Who takes tokens has so long until others try them; longer than any fetch. */
const LEASE_SECONDS = 120;
const MAX_COUNTED = 100_000;

type Taken = Omit<DueToken, 'content'>;

/** Takes tokens whose time has come, the most urgent ones first, so that no other process takes them for a while. */
export async function takeDueTokens(db: Kysely<Tables>, max: number): Promise<DueToken[]> {
  // One look at the index a priority: it would have to pass all that wait for a later time otherwise.
  const { rows } = await sql<Taken>`
    with due as materialized (
      select one.account, one.kind from unnest(${PRIORITIES}::smallint[]) as level (priority)
      cross join lateral (
        select account, kind from token_metadata
        where priority = level.priority and next_try <= now()
        order by next_try limit ${max}::integer for update skip locked
      ) one
      limit ${max}::integer
    )
    update token_metadata token set next_try = now() + ${LEASE_SECONDS}::integer * interval '1 second'
    from due where token.account = due.account and token.kind = due.kind
    returning token.account, token.kind, token.source_hash as "sourceHash", token.tries, token.priority
  `.execute(db);
  if (rows.length === 0) return [];
  // Not in the same statement: content must be at least as new as the hash, which then tells if it is newer.
  const contents = await readContents(db, rows);
  return rows
    .map((row) => ({ ...row, content: contents.get(keyOf(row)) }))
    .sort((a, b) => b.priority - a.priority);
}

async function readContents(
  db: Kysely<Tables>,
  tokens: readonly Taken[],
): Promise<ReadonlyMap<string, ChainContent>> {
  const of = (kind: TokenKind) => tokens.filter((token) => token.kind === kind).map(({ account }) => account);
  const { rows } = await sql<{ kind: TokenKind; account: Buffer; content: ChainContent }>`
    select 'jetton_masters' as kind, account, content from jetton_masters
    where account = any(${of('jetton_masters')}::bytea[])
    union all select 'nft_collections', account, content from nft_collections
    where account = any(${of('nft_collections')}::bytea[])
    union all select 'nft_items', account, content from nft_items
    where account = any(${of('nft_items')}::bytea[])
  `.execute(db);
  return new Map(rows.map((row) => [keyOf(row), row.content]));
}

function keyOf({ kind, account }: Pick<DueToken, 'kind' | 'account'>): string {
  return `${kind} ${account.toString('hex')}`;
}

/** Puts tokens off that were taken, by a time each. */
export async function postponeTokens(db: Kysely<Tables>, tokens: readonly DeferredToken[]): Promise<void> {
  const column = <T>(read: (token: DueToken) => T) => tokens.map(({ token }) => read(token));
  await sql`
    with late as (
      select account, kind, wait from token_metadata join unnest(
        ${column(({ account }) => account)}::bytea[], ${column(({ kind }) => kind)}::token_kind[],
        ${column(({ sourceHash }) => sourceHash)}::bytea[], ${tokens.map(({ waitMs }) => waitMs)}::float8[]
      ) as one (account, kind, source_hash, wait) using (account, kind, source_hash)
      -- In the order of all who lock several.
      order by account, kind for update of token_metadata skip locked
    )
    update token_metadata token set next_try = now() + late.wait * interval '1 millisecond'
    from late where token.account = late.account and token.kind = late.kind
  `.execute(db);
}

/** How many tokens wait to be fetched now, up to a limit. */
export async function countDueTokens(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from (select from token_metadata where next_try <= now() limit ${MAX_COUNTED}::integer) one
  `.execute(db);
  return rows[0]!.count;
}

const WEEK_SECONDS = 7 * 86_400;
const DAY_SECONDS = 86_400;
const FIRST_PAUSE_SECONDS = 5;
const MAX_PAUSE_SECONDS = 300;
/** After so many tries in vain a token counts as one that cannot be shown. */
const MAX_TRIES = 5;

const now = sql<string>`floor(extract(epoch from now()))::bigint`;

/** Keeps what fetching a token came to, if its content is still the same. */
export async function saveToken(db: Kysely<Tables>, token: DueToken, fetched: FetchedToken): Promise<void> {
  await (fetched instanceof MetadataError ? saveError(db, token, fetched) : saveFields(db, token, fetched));
}

/** Items are not fetched again before somebody asks for them: there are too many. */
async function saveFields(db: Kysely<Tables>, token: DueToken, fields: TokenFields): Promise<void> {
  const isRenewed = token.kind !== 'nft_items';
  await db
    .updateTable('token_metadata')
    .set({
      ...fields,
      valid: true,
      error: null,
      tries: 0,
      priority: KIND_PRIORITIES[token.kind],
      updated_at: now,
      expires_at: sql`${now} + ${sql.lit(WEEK_SECONDS)}`,
      next_try: isRenewed ? inSeconds(WEEK_SECONDS) : null,
    })
    .where(isUnchanged(token))
    .execute();
}

/** What is shown stays; it is tried again later, and much later what no repetition helps against. */
async function saveError(
  db: Kysely<Tables>,
  token: DueToken,
  { kind, message }: MetadataError,
): Promise<void> {
  const tries = Math.max(token.tries + 1, kind === 'refused' ? MAX_TRIES : 0);
  const isOver = tries >= MAX_TRIES;
  await db
    .updateTable('token_metadata')
    .set({
      error: cleanText(message),
      tries,
      updated_at: now,
      ...(isOver
        ? { valid: sql<boolean>`coalesce(valid, false)`, priority: KIND_PRIORITIES[token.kind] }
        : {}),
      next_try: inSeconds(pauseSeconds(tries)),
    })
    .where(isUnchanged(token))
    .execute();
}

function pauseSeconds(tries: number): number {
  if (tries > MAX_TRIES) return WEEK_SECONDS;
  if (tries === MAX_TRIES) return DAY_SECONDS;
  return backOffDelay(tries, FIRST_PAUSE_SECONDS, MAX_PAUSE_SECONDS);
}

function inSeconds(seconds: number) {
  return sql<Date>`now() + ${sql.lit(seconds)} * interval '1 second'`;
}

/** The content may have changed, or the contract gone, while something was fetched for it. */
function isUnchanged({ account, kind, sourceHash }: DueToken) {
  return sql<SqlBool>`account = ${account} and kind = ${kind} and source_hash = ${sourceHash}`;
}

/** What fetching a token came to. */
export type FetchedToken = TokenFields | MetadataError;

/** In which order tokens are fetched that nobody has asked for: few masters stand for many wallets. */
export const KIND_PRIORITIES: Readonly<Record<TokenKind, number>> = {
  jetton_masters: 2,
  nft_collections: 1,
  nft_items: 0,
};

/** All that there are, the most urgent first. */
const PRIORITIES: readonly number[] = [REQUESTED_PRIORITY, 2, 1, 0];
