import { type Kysely, sql } from 'kysely';
import type { TokenKind } from '../../db/event-tables.ts';
import type { Tables } from '../../db/tables.ts';
import type { ChainContent } from './token-fields.ts';
import { PRIORITIES } from './token-priorities.ts';

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
export interface LateToken {
  readonly token: DueToken;
  readonly waitMs: number;
}

/** Who takes tokens has so long until others try them; longer than any fetch. */
const TURN_SECONDS = 120;
const MOST_COUNTED = 100_000;

type Taken = Omit<DueToken, 'content'>;

/** Takes tokens whose time has come, the most urgent ones first, so that no other process takes them for a while. */
export async function takeDue(db: Kysely<Tables>, most: number): Promise<DueToken[]> {
  // One look at the index a priority: it would have to pass all that wait for a later time otherwise.
  const { rows } = await sql<Taken>`
    with due as materialized (
      select one.account, one.kind from unnest(${PRIORITIES}::smallint[]) as level (priority)
      cross join lateral (
        select account, kind from token_metadata
        where priority = level.priority and next_try <= now()
        order by next_try limit ${most}::integer for update skip locked
      ) one
      limit ${most}::integer
    )
    update token_metadata token set next_try = now() + ${TURN_SECONDS}::integer * interval '1 second'
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
export async function postpone(db: Kysely<Tables>, tokens: readonly LateToken[]): Promise<void> {
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
export async function countDue(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from (select from token_metadata where next_try <= now() limit ${MOST_COUNTED}::integer) one
  `.execute(db);
  return rows[0]!.count;
}
