import { CompiledQuery, Kysely, type Transaction } from 'kysely';
import type { ClientBase } from 'pg';
import { EVENT_LOCK } from '../db/advisory-locks.ts';
import { CopyBuffer } from '../db/copy.ts';
import type { Tables } from '../db/tables.ts';
import { bytesKey, bytesOf, type HashKey } from '../lib/bytes-key.ts';
import type { EventFacts } from './decode/read-event.ts';
import { copyIn, type WriteStatsRecorder } from './write/copy-in.ts';

/**
 * Writes the events of token accounts, stores events of undetected accounts in `waiting_events`, and settles the waiting
 * events of newly detected accounts (see settleWaiting). Call it after the contracts and missing cells of the batch are
 * written; no other lock may be taken after it.
 */
export async function writeEvents(
  client: ClientBase,
  events: readonly EventFacts[],
  { detected }: { readonly detected: readonly Buffer[] },
  stats: WriteStatsRecorder,
): Promise<void> {
  stats.add({ rows: await settleWaiting(client, detected), bytes: 0 });
  if (events.length === 0) return;
  await lockEvents(client);
  const accounts = new Map(events.map(({ account }) => [bytesKey(account), account]));
  const tokens = await findTokens(client, [...accounts.values()]);
  const rows = new EventRows();
  for (const event of events) addEvent(rows, event, tokens);
  for (const table of Object.keys(EVENT_COLUMNS) as EventTable[])
    stats.add(await copyIn(client, table, EVENT_COLUMNS[table], [rows.tables[table].rows()]));
}

function addEvent(rows: EventRows, event: EventFacts, { wallets, items, unknown }: KnownTokens): void {
  const key = bytesKey(event.account);
  const isOfItem = event.kind === 'nft_transfer';
  const jetton = isOfItem ? undefined : wallets.get(key);
  const item = isOfItem ? items.get(key) : undefined;
  if (jetton !== undefined) rows.addJetton(event, jetton);
  else if (item !== undefined) rows.addItem(event, item);
  else if (unknown.has(key)) rows.addWaiting(event);
}

const TRANSACTION_COLUMNS = ['account', 'lt', 'mc_seqno', 'now', 'aborted', 'query_id'] as const;

/** Columns of the event tables in the order of their COPY rows. */
const EVENT_COLUMNS = {
  jetton_transfers: [
    ...TRANSACTION_COLUMNS,
    'jetton',
    'amount',
    'source',
    'destination',
    'response_destination',
    'custom_payload',
    'forward_ton_amount',
    'forward_payload',
  ],
  jetton_burns: [
    ...TRANSACTION_COLUMNS,
    'jetton',
    'amount',
    'owner',
    'response_destination',
    'custom_payload',
  ],
  nft_transfers: [
    ...TRANSACTION_COLUMNS,
    'collection',
    'index',
    'old_owner',
    'new_owner',
    'response_destination',
    'custom_payload',
    'forward_amount',
    'forward_payload',
  ],
  waiting_events: [
    ...TRANSACTION_COLUMNS,
    'kind',
    'amount',
    'source',
    'destination',
    'response_destination',
    'custom_payload',
    'forward_amount',
    'forward_payload',
  ],
} as const;

type EventTable = keyof typeof EVENT_COLUMNS;

const FIND_WAITING = 'select distinct account from waiting_events where account = any($1::bytea[])';

/** Event table columns whose source column in `waiting_events` has another name. */
const WAITING_COLUMN_NAMES: Readonly<Record<string, string>> = {
  forward_ton_amount: 'forward_amount',
  owner: 'source',
  old_owner: 'source',
  new_owner: 'destination',
};

/**
 * $1 and $2 are the accounts whose jetton and NFT events need not wait any more; then come the wallets with their
 * jettons and the NFTs with collection and index. Rows of dropped seqnos are discarded.
 */
const SETTLE = `
with settled as (
  delete from waiting_events where account = any($1::bytea[]) and kind <> 'nft_transfer'
    or account = any($2::bytea[]) and kind = 'nft_transfer'
  returning *
), kept as (
  select * from settled where mc_seqno >= (select first_seqno from index_origin)
), wallets as (
  select * from unnest($3::bytea[], $4::bytea[]) as wallet (account, jetton)
), nfts as (
  select * from unnest($5::bytea[], $6::bytea[], $7::numeric[]) as nft (account, collection, index)
), transfers as (
  ${insert('jetton_transfers', 'wallets', 'jetton_transfer')}
), burns as (
  ${insert('jetton_burns', 'wallets', 'jetton_burn')}
), items as (
  ${insert('nft_transfers', 'nfts', 'nft_transfer')}
)
select ((select count(*) from transfers) + (select count(*) from burns) + (select count(*) from items))::integer as rows`;

function insert(table: 'jetton_transfers' | 'jetton_burns' | 'nft_transfers', tokens: string, kind: string) {
  const columns = EVENT_COLUMNS[table];
  const values = columns.map((column) => WAITING_COLUMN_NAMES[column] ?? column);
  return `insert into ${table} (${columns.join(', ')})
  select ${values.join(', ')} from kept join ${tokens} using (account) where kind = '${kind}' returning 1`;
}

/**
 * Writes the waiting events of accounts that turned out to be tokens, drops those of other detected accounts, and returns
 * the number of rows written. Call it after removing accounts from `missing_cells` or adding them to contract tables, in
 * the same transaction; no other lock may be taken after it. Accounts that were not in `missing_cells` have no waiting
 * events and may be left out.
 */
export async function settleWaiting(db: InTransaction, accounts: readonly Buffer[]): Promise<number> {
  if (accounts.length === 0) return 0;
  await lockEvents(db);
  const found = await run<{ account: Buffer }>(db, FIND_WAITING, [accounts]);
  if (found.length === 0) return 0;
  const waiting = found.map(({ account }) => account);
  const { wallets, items, unknown } = await findTokens(db, waiting);
  const settled = (tokens: ReadonlyMap<string, unknown>) =>
    waiting.filter((account) => tokens.has(bytesKey(account)) || !unknown.has(bytesKey(account)));
  const places = [...items.values()];
  const [made] = await run<{ rows: number }>(db, SETTLE, [
    settled(wallets),
    settled(items),
    [...wallets.keys()].map(bytesOf),
    [...wallets.values()],
    [...items.keys()].map(bytesOf),
    places.map(({ collection }) => collection ?? null),
    places.map(({ index }) => String(index)),
  ]);
  return made!.rows;
}

/** COPY rows of the event tables. */
class EventRows {
  readonly tables: Readonly<Record<EventTable, CopyBuffer>> = {
    jetton_transfers: new CopyBuffer(),
    jetton_burns: new CopyBuffer(),
    nft_transfers: new CopyBuffer(),
    waiting_events: new CopyBuffer(),
  };

  /** Adds a jetton transfer or burn. */
  addJetton(event: EventFacts, jetton: Buffer): void {
    const isBurn = event.kind === 'jetton_burn';
    const row = this.#row(isBurn ? 'jetton_burns' : 'jetton_transfers', event);
    row.bytes(jetton).numeric(event.amount).bytes(event.source);
    if (isBurn) row.bytes(event.responseDestination).bytes(event.customPayload);
    else putForward(row, event);
  }

  addItem(event: EventFacts, { collection, index }: ItemPlace): void {
    const row = this.#row('nft_transfers', event).bytes(collection).numeric(index).bytes(event.source);
    putForward(row, event);
  }

  addWaiting(event: EventFacts): void {
    const row = this.#row('waiting_events', event).text(event.kind);
    putForward(row.numeric(event.amount).bytes(event.source), event);
  }

  #row(table: EventTable, { account, lt, mcSeqno, now, aborted, queryId }: EventFacts): CopyBuffer {
    const row = this.tables[table].row(EVENT_COLUMNS[table].length);
    return row.bytes(account).int8(lt).int4(mcSeqno).int8(now).bool(aborted).numeric(queryId);
  }
}

/** The columns after `source`, which burns do not have. */
function putForward(row: CopyBuffer, event: EventFacts): void {
  row
    .bytes(event.destination)
    .bytes(event.responseDestination)
    .bytes(event.customPayload)
    .numeric(event.forwardAmount)
    .bytes(event.forwardPayload);
}

/** What the index knows about the accounts of events. */
interface KnownTokens {
  /** Jetton masters by wallet. */
  readonly wallets: ReadonlyMap<HashKey, Buffer>;
  readonly items: ReadonlyMap<HashKey, ItemPlace>;
  /** Accounts whose newest state is not detected yet. */
  readonly unknown: ReadonlySet<HashKey>;
}

/** Collection and index of an NFT item. */
interface ItemPlace {
  readonly collection: Buffer | undefined;
  readonly index: bigint;
}

/** One lookup by key per table: a join might scan a table of a hundred million rows. */
const FIND_TOKENS = `
select account, 'wallet' as role, jetton, null::bytea as collection, null::numeric as index
from jetton_wallets where account = any($1::bytea[])
union all select account, 'item', null, collection, index from nft_items where account = any($1::bytea[])
union all select account, 'unknown', null, null, null from missing_cells where account = any($1::bytea[])`;

interface TokenRow {
  readonly account: Buffer;
  readonly role: 'wallet' | 'item' | 'unknown';
  readonly jetton: Buffer | null;
  readonly collection: Buffer | null;
  readonly index: string | null;
}

/** Looks up accounts as this transaction sees them. */
async function findTokens(db: InTransaction, accounts: readonly Buffer[]): Promise<KnownTokens> {
  const wallets = new Map<HashKey, Buffer>();
  const items = new Map<HashKey, ItemPlace>();
  const unknown = new Set<HashKey>();
  for (const { account, role, jetton, collection, index } of await run<TokenRow>(db, FIND_TOKENS, [
    accounts,
  ])) {
    const key = bytesKey(account);
    if (role === 'wallet') wallets.set(key, jetton!);
    else if (role === 'item') items.set(key, { collection: collection ?? undefined, index: BigInt(index!) });
    else unknown.add(key);
  }
  return { wallets, items, unknown };
}

/** A transaction of pg or Kysely. */
type InTransaction = ClientBase | Transaction<Tables>;

async function run<Row>(db: InTransaction, text: string, values: readonly unknown[]): Promise<Row[]> {
  const { rows } =
    db instanceof Kysely
      ? await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))
      : await db.query(text, [...values]);
  return rows;
}

/**
 * Holds the event lock until the end of the transaction: a transaction that stores a waiting event and one that detects its
 * account must see each other's rows.
 */
async function lockEvents(db: InTransaction): Promise<void> {
  await run(db, 'select pg_advisory_xact_lock($1)', [EVENT_LOCK]);
}
