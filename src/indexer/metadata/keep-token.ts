import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import { cleanText } from './clean-json.ts';
import type { FetchedToken } from './fetch-token.ts';
import { MetadataFault } from './metadata-fault.ts';
import type { DueToken } from './metadata-queue.ts';
import type { TokenFields } from './token-fields.ts';
import { KIND_PRIORITIES } from './token-priorities.ts';

const WEEK_SECONDS = 7 * 86_400;
const DAY_SECONDS = 86_400;
const FIRST_PAUSE_SECONDS = 5;
const MAX_PAUSE_SECONDS = 300;
/** After so many tries in vain a token counts as one that cannot be shown. */
const TRIES = 5;

const now = sql<string>`floor(extract(epoch from now()))::bigint`;

/** Keeps what fetching a token came to, if its content is still the same. */
export async function keepToken(db: Kysely<Tables>, token: DueToken, fetched: FetchedToken): Promise<void> {
  await (fetched instanceof MetadataFault ? keepFault(db, token, fetched) : keepFields(db, token, fetched));
}

/** Items are not fetched again before somebody asks for them: there are too many. */
async function keepFields(db: Kysely<Tables>, token: DueToken, fields: TokenFields): Promise<void> {
  const isRenewed = token.kind !== 'nft_items';
  await db
    .updateTable('token_metadata')
    .set({
      ...fields,
      ...{ valid: true, error: null, tries: 0, priority: KIND_PRIORITIES[token.kind] },
      updated_at: now,
      expires_at: sql`${now} + ${sql.lit(WEEK_SECONDS)}`,
      next_try: isRenewed ? inSeconds(WEEK_SECONDS) : null,
    })
    .where(isStill(token))
    .execute();
}

/** What is shown stays; it is tried again later, and much later what no repetition helps against. */
async function keepFault(
  db: Kysely<Tables>,
  token: DueToken,
  { kind, message }: MetadataFault,
): Promise<void> {
  const tries = Math.max(token.tries + 1, kind === 'refused' ? TRIES : 0);
  const isOver = tries >= TRIES;
  await db
    .updateTable('token_metadata')
    .set({
      ...{ error: cleanText(message), tries, updated_at: now },
      ...(isOver
        ? { valid: sql<boolean>`coalesce(valid, false)`, priority: KIND_PRIORITIES[token.kind] }
        : {}),
      next_try: inSeconds(pauseSeconds(tries)),
    })
    .where(isStill(token))
    .execute();
}

function pauseSeconds(tries: number): number {
  if (tries > TRIES) return WEEK_SECONDS;
  if (tries === TRIES) return DAY_SECONDS;
  return Math.min(FIRST_PAUSE_SECONDS * 2 ** (tries - 1), MAX_PAUSE_SECONDS);
}

function inSeconds(seconds: number) {
  return sql<Date>`now() + ${sql.lit(seconds)} * interval '1 second'`;
}

/** The content may have changed, or the contract gone, while something was fetched for it. */
function isStill({ account, kind, sourceHash }: DueToken) {
  return sql<SqlBool>`account = ${account} and kind = ${kind} and source_hash = ${sourceHash}`;
}
