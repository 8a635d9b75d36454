import { type SqlBool, sql } from 'kysely';
import { METADATA_LOCK } from '../db/advisory-locks.ts';
import { readRows, skipLocked } from '../db/driver.ts';
import { createQueue, inSeconds } from '../db/queue.ts';
import type { Db, TokenKind } from '../db/tables/tables.ts';
import { KIND_PRIORITIES, REQUESTED_PRIORITY } from '../index/read/address-info.ts';
import { type ChainContent, TOKEN_KINDS, type TokenFields } from '../index/write/write-contracts.ts';
import { OutboundError } from '../lib/outbound-http.ts';
import { cleanText } from './token-fields.ts';

export interface DueToken {
  readonly account: Buffer;
  readonly kind: TokenKind;
  /** Hash of the on-chain content: a document fetched for other content is discarded. */
  readonly sourceHash: Buffer;
  /** Failed attempts so far. */
  readonly tries: number;
  readonly priority: number;
  /** On-chain content; undefined if the contract no longer exists. */
  readonly content: ChainContent | undefined;
}

/** A token whose host is busy or paused. */
export interface DeferredToken {
  readonly token: DueToken;
  readonly waitMs: number;
}

/** Tokens whose documents are fetched; the lease is longer than any fetch. */
const QUEUE = createQueue({
  table: 'token_metadata',
  key: ['account', 'kind'],
  leaseSeconds: 120,
  pauseSeconds: [5, 300],
  clusterLock: METADATA_LOCK,
});

/** Takes due tokens, the most urgent first, and reserves them for the lease. */
export async function takeDueTokens(db: Db, max: number): Promise<DueToken[]> {
  const rows = await QUEUE.take(db, (queue) => {
    // One index lookup per priority: otherwise the scan would pass all tokens that are not due yet.
    const [first, ...others] = PRIORITIES.map((priority) =>
      queue
        .selectFrom(
          QUEUE.due(queue)
            .where(sql<boolean>`priority = ${sql.lit(priority)}`)
            .orderBy('next_try')
            .limit(max)
            .as('level'),
        )
        .selectAll(),
    );
    return first!.unionAll(others).limit(max);
  });
  if (rows.length === 0) return [];
  const taken = rows.map(({ source_hash: sourceHash, account, kind, tries, priority }) => ({
    account,
    kind,
    sourceHash,
    tries,
    priority,
  }));
  // Not in the same statement: the content must be at least as new as the hash, which shows if it is newer.
  const contents = await readContents(db, taken);
  return taken
    .map((row) => ({ ...row, content: contents.get(keyOf(row)) }))
    .sort((a, b) => b.priority - a.priority);
}

async function readContents(db: Db, tokens: readonly Omit<DueToken, 'content'>[]) {
  const of = (kind: TokenKind) => tokens.filter((token) => token.kind === kind).map(({ account }) => account);
  const selects = TOKEN_KINDS.map(
    (kind) => sql`select ${sql.lit(kind)} as kind, account, content from ${sql.table(kind)}
      where account = any(${of(kind)}::bytea[])`,
  );
  const rows = await readRows<{ kind: TokenKind; account: Buffer; content: ChainContent }>(db)`
    ${sql.join(selects, sql` union all `)}`;
  return new Map(rows.map((row) => [keyOf(row), row.content]));
}

function keyOf({ kind, account }: Pick<DueToken, 'kind' | 'account'>): string {
  return `${kind} ${account.toString('hex')}`;
}

/** Postpones taken tokens, each by its own time. */
export async function postponeTokens(db: Db, tokens: readonly DeferredToken[]): Promise<void> {
  const column = <T>(read: (token: DueToken) => T) => tokens.map(({ token }) => read(token));
  await QUEUE.inOrder(db, (queue) =>
    sql`
    with late as (
      select account, kind, now() + one.wait * interval '1 millisecond' as until from token_metadata join unnest(
        ${column(({ account }) => account)}::bytea[], ${column(({ kind }) => kind)}::token_kind[],
        ${column(({ sourceHash }) => sourceHash)}::bytea[], ${tokens.map(({ waitMs }) => waitMs)}::float8[]
      ) as one (account, kind, source_hash, wait) using (account, kind, source_hash)
      -- The common lock order, against deadlocks.
      order by account, kind ${skipLocked(db, 'token_metadata')}
    )
    update token_metadata token set next_try = late.until
    from late where token.account = late.account and token.kind = late.kind
  `.execute(queue),
  );
}

const MAX_COUNTED = 100_000;

/** Counts due tokens, up to a limit. */
export async function countDueTokens(db: Db): Promise<number> {
  const due = db.selectFrom('token_metadata').select('kind').where('next_try', '<=', sql<Date>`now()`);
  const { count } = await db
    .selectFrom(due.limit(MAX_COUNTED).as('due'))
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

const WEEK_SECONDS = 7 * 86_400;
const DAY_SECONDS = 86_400;
/** After this many failed attempts a token counts as invalid. */
const MAX_TRIES = 5;

const now = sql<string>`floor(extract(epoch from now()))::bigint`;

/** Stores the outcome of fetching a token, if its content is still the same. */
export async function saveToken(db: Db, token: DueToken, fetched: FetchedToken): Promise<void> {
  await (fetched instanceof OutboundError ? saveError(db, token, fetched) : saveFields(db, token, fetched));
}

/** NFT items are not refreshed until requested: there are too many. */
async function saveFields(db: Db, token: DueToken, fields: TokenFields): Promise<void> {
  const isRefreshed = token.kind !== 'nft_items';
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
      next_try: isRefreshed ? inSeconds(WEEK_SECONDS) : null,
    })
    .where(isUnchanged(token))
    .execute();
}

/** Existing metadata stays; the fetch is retried later, and much later after final failures. */
async function saveError(db: Db, token: DueToken, { kind, message }: OutboundError) {
  const tries = Math.max(token.tries + 1, kind === 'refused' ? MAX_TRIES : 0);
  const isFinal = tries >= MAX_TRIES;
  await db
    .updateTable('token_metadata')
    .set({
      error: cleanText(message),
      tries,
      updated_at: now,
      ...(isFinal
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
  return QUEUE.pauseAfter(tries);
}

/** The content may have changed or the contract disappeared during the fetch. */
function isUnchanged({ account, kind, sourceHash }: DueToken) {
  return sql<SqlBool>`account = ${account} and kind = ${kind} and source_hash = ${sourceHash}`;
}

export type FetchedToken = TokenFields | OutboundError;

/** All priorities, the most urgent first. */
const PRIORITIES: readonly number[] = [REQUESTED_PRIORITY, 2, 1, 0];
