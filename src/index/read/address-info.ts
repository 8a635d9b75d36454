import { type Selectable, sql } from 'kysely';
import { METADATA_LOCK } from '../../db/advisory-locks.ts';
import { KEPT_PLAN } from '../../db/client.ts';
import type { Database } from '../../db/connection.ts';
import { anyOf, inQueueOrder, isCluster, keptStatement, readRows, skipLocked } from '../../db/driver.ts';
import type { Db, Tables, TokenKind } from '../../db/tables/tables.ts';
import { bytesKey, distinctBytes } from '../../lib/bytes-key.ts';
import type { Log } from '../../lib/log.ts';

/** What the address book needs to know about an account. */
export interface AddressBookRow {
  readonly account: Buffer;
  /** Whether the index has a state of the account. */
  readonly known: boolean;
  readonly code_hash: Buffer | null;
  /** Get-method ids; null if unknown. */
  readonly methods: readonly number[] | null;
  /** The shortest domain that the account owns and that resolves to it. */
  readonly domain: string | null;
}

type BookRow = Omit<AddressBookRow, 'methods'> & { readonly methods: string | null };

const addressBook = keptStatement<BookRow, [readonly Buffer[]]>(
  (_db, accounts) => sql`
    select asked.account, state.account is not null as known, state.code_hash,
           array_to_string(code.methods, ',') as methods, name.domain
    from (select distinct account from unnest(${accounts}::bytea[]) as each (account)) asked
    left join latest_account_states state on state.account = asked.account
    left join contract_codes code on code.hash = state.code_hash
    left join lateral (
      select domain from dns_entries where wallet = asked.account and owner = asked.account
      order by length(domain), domain limit 1) name on true`,
);

/** Reads one row per distinct account. */
export async function readAddressBook(db: Db, { accounts }: { readonly accounts: readonly Buffer[] }) {
  if (isCluster(db)) return readBookFromWorkers(db, distinctBytes(accounts));
  const parse = createListParser();
  const rows = await addressBook(db, accounts);
  return rows.map((row) => ({ ...row, methods: row.methods === null ? null : parse(row.methods) }));
}

/** Reads states, codes and domains one after the other: they are on different workers. */
async function readBookFromWorkers(db: Db, accounts: readonly Buffer[]) {
  const [{ rows: states }, { rows: names }] = await Promise.all([
    sql<{ readonly account: Buffer; readonly code_hash: Buffer | null }>`${KEPT_PLAN}
      select account, code_hash from latest_account_states where account = any(${accounts}::bytea[])`.execute(
      db,
    ),
    sql<{ readonly wallet: Buffer; readonly domain: string }>`${KEPT_PLAN}
      select distinct on (wallet) wallet, domain from dns_entries
      where wallet = any(${accounts}::bytea[]) and owner = wallet order by wallet, length(domain), domain`.execute(
      db,
    ),
  ]);
  const hashes = distinctBytes(states.flatMap(({ code_hash }) => code_hash ?? []));
  const codes = db.selectFrom('contract_codes').select(['hash', 'methods']);
  const found = hashes.length === 0 ? [] : await codes.where('hash', '=', anyOf(hashes)).execute();
  const methodsOf = new Map(found.map(({ hash, methods }) => [bytesKey(hash), methods?.map(Number)]));
  const stateOf = new Map(states.map((state) => [bytesKey(state.account), state]));
  const domainOf = new Map(names.map(({ wallet, domain }) => [bytesKey(wallet), domain]));
  return accounts.map((account) => {
    const state = stateOf.get(bytesKey(account));
    const code_hash = state?.code_hash ?? null;
    return {
      account,
      known: state !== undefined,
      code_hash,
      methods: (code_hash && methodsOf.get(bytesKey(code_hash))) ?? null,
      domain: domainOf.get(bytesKey(account)) ?? null,
    };
  });
}

/** Parses equal lists once. Most accounts share a few codes: as arrays, a thousand rows took 20 ms longer. */
function createListParser(): (text: string) => readonly number[] {
  const parsed = new Map<string, readonly number[]>();
  return (text) => {
    const list = parsed.get(text) ?? (text === '' ? [] : text.split(',').map(Number));
    parsed.set(text, list);
    return list;
  };
}

export interface JettonWalletRow
  extends Pick<Selectable<Tables['jetton_wallets']>, 'account' | 'owner' | 'jetton' | 'balance'> {
  readonly kind: 'jetton_wallets';
}

/** The account is a jetton, a collection or an NFT item; its metadata is null until it was fetched. */
export interface TokenRow
  extends Token,
    Pick<Metadata, 'valid' | 'name' | 'symbol' | 'description' | 'image' | 'extra'> {
  readonly nft_index: string | null;
  readonly is_nsfw: boolean | null;
  readonly is_scam: boolean | null;
}

type Metadata = Selectable<Tables['token_metadata']>;

const KINDS = ['jetton_masters', 'nft_collections', 'nft_items'] as const satisfies readonly TokenKind[];

/** Roles in the order in which they are shown. */
const ROLES: readonly TokenInfoRow['kind'][] = ['jetton_wallets', ...KINDS];

/** One token role of an account. */
export type TokenInfoRow = JettonWalletRow | TokenRow;

/** Reads the token roles of accounts, one row per role, and those of the jettons of jetton wallets among them. */
export async function readTokenInfos(db: Db, { accounts }: { readonly accounts: readonly Buffer[] }) {
  const rows = await (isCluster(db) ? readTokensFromWorkers : readAtOnce)(db, accounts);
  // Plans have no order, nor have the workers of a cluster, but responses should not differ for no reason.
  return rows.sort((a, b) => a.account.compare(b.account) || ROLES.indexOf(a.kind) - ROLES.indexOf(b.kind));
}

const readAtOnce = keptStatement<TokenInfoRow, [readonly Buffer[]]>(
  (_db, accounts) => sql`
    with asked as materialized (select distinct account from unnest(${accounts}::bytea[]) as each (account)),
    wallets as materialized (select account, owner, jetton, balance from asked join jetton_wallets using (account)),
    looked_up as materialized (select account from asked union select jetton from wallets)
    select 'jetton_wallets' as kind, account, owner, jetton, balance, null::numeric as nft_index, null::boolean as valid,
           null as name, null as symbol, null as description, null as image, null::jsonb as extra,
           null::boolean as is_nsfw, null::boolean as is_scam
    from wallets ${sql.join(KINDS.map(unionTokens), sql` `)}`,
);

function unionTokens(kind: TokenKind) {
  return sql`
    union all
    select ${sql.lit(kind)}, token.account, null, null, null, ${indexOf(kind)}, valid, name, symbol, description, image,
           extra, is_nsfw, is_scam
    from looked_up join ${sql.table(kind)} token using (account)
    left join token_metadata shown on shown.account = token.account and shown.kind = ${sql.lit(kind)}`;
}

function indexOf(kind: TokenKind) {
  return kind === 'nft_items' ? sql`token.index` : sql`null`;
}

/** In two steps, so that only the workers of the accounts are asked. */
async function readTokensFromWorkers(db: Db, accounts: readonly Buffer[]) {
  const wallets = await readRows<JettonWalletRow>(db)`${KEPT_PLAN}
    select 'jetton_wallets' as kind, account, owner, jetton, balance from jetton_wallets
    where account = any(${accounts}::bytea[])`;
  const lookedUp = distinctBytes([...accounts, ...wallets.map(({ jetton }) => jetton)]);
  const tokens = KINDS.map((kind) =>
    sql<TokenRow>`${KEPT_PLAN}
      select ${sql.lit(kind)} as kind, token.account, ${indexOf(kind)}::numeric as nft_index, valid, name, symbol, description,
             image, extra, is_nsfw, is_scam
      from ${sql.table(kind)} token
      left join token_metadata shown on shown.account = token.account and shown.kind = ${sql.lit(kind)}
      where token.account = any(${lookedUp}::bytea[])`.execute(db),
  );
  return [...wallets, ...(await Promise.all(tokens)).flatMap(({ rows }) => rows)];
}

/** The priority in `token_metadata` of tokens that a client requested; the highest. */
export const REQUESTED_PRIORITY = 3;

/** Minimum time between fetches of a token, however often it is requested. */
const PAUSE_SECONDS = 600;

/** Raises the priority of tokens that wait to be fetched, and schedules failed or expired ones again; others do not change. */
export async function requestMetadata(db: Db, { tokens }: { readonly tokens: readonly Token[] }) {
  if (tokens.length === 0) return;
  const accounts = tokens.map(({ account }) => account);
  const kinds = tokens.map(({ kind }) => kind);
  // Rows are locked in a fixed order; rows locked by others are being fetched right now.
  const request = (queue: Db) =>
    sql`
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
      order by account, kind ${skipLocked(db, 'token_metadata')}
    )
    update token_metadata token set priority = ${REQUESTED_PRIORITY}::smallint, next_try = least(next_try, now())
    from asked where token.account = asked.account and token.kind = asked.kind
  `.execute(queue);
  await inQueueOrder(db, METADATA_LOCK, request);
}

/** Fetch order of tokens that were not requested: few masters stand for many wallets. */
export const KIND_PRIORITIES: Readonly<Record<TokenKind, number>> = {
  jetton_masters: 2,
  nft_collections: 1,
  nft_items: 0,
};

type Token = Pick<Metadata, 'account' | 'kind'>;

interface MetadataQueueOptions {
  readonly database: Pick<Database, 'write'>;
  readonly log: Log;
}

export type MetadataQueue = ReturnType<typeof createMetadataQueue>;

/** Requests beyond this are dropped: clients retry. */
const MAX_WAITING = 5000;

/** Writes the requests to the database in the background, one statement at a time, so that responses neither wait for it nor fail with it. */
export function createMetadataQueue({ database, log }: MetadataQueueOptions) {
  const waiting = new Map<string, Token>();
  let isWriting = false;

  async function writeAll(): Promise<void> {
    isWriting = true;
    try {
      while (waiting.size > 0) {
        const tokens = [...waiting.values()];
        waiting.clear();
        await database.write((db) => requestMetadata(db, { tokens }));
      }
    } catch (error) {
      log.warn({ err: error }, 'Failed to enqueue metadata fetches');
    } finally {
      isWriting = false;
    }
  }

  return {
    /** Requests that their metadata be fetched with priority; returns at once. */
    add(tokens: readonly Token[]): void {
      for (const token of tokens) {
        if (waiting.size >= MAX_WAITING) break;
        waiting.set(`${token.kind} ${bytesKey(token.account)}`, token);
      }
      if (!isWriting && waiting.size > 0) void writeAll();
    },
  };
}
