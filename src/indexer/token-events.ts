import { CompiledQuery, Kysely, type Transaction } from 'kysely';
import type { ClientBase } from 'pg';
import { EVENT_LOCK } from '../db/advisory-locks.ts';
import { CopyBuffer } from '../db/copy.ts';
import type { Tables } from '../db/tables.ts';
import type { EventFacts } from './decode/read-event.ts';
import { bytesOf, type HashKey, keyOf } from './hash-key.ts';
import { copyIn, type WriteStatsRecorder } from './write/copy-in.ts';

/**
 * Writes the events of accounts that are tokens, lets those of accounts wait that may be some, and settles what waits for
 * accounts that were judged, as anything (see settleWaiting). To be called when the contracts and the missing cells of the batch are written;
 * nothing that others may have locked comes after it.
 */
export async function writeEvents(
  client: ClientBase,
  events: readonly EventFacts[],
  { judged }: { readonly judged: readonly Buffer[] },
  book: WriteStatsRecorder,
): Promise<void> {
  book.add({ rows: await settleWaiting(client, judged), bytes: 0 });
  if (events.length === 0) return;
  await lockEvents(client);
  const accounts = new Map(events.map(({ account }) => [keyOf(account), account]));
  const tokens = await findTokens(client, [...accounts.values()]);
  const rows = new EventRows();
  for (const event of events) addEvent(rows, event, tokens);
  for (const table of Object.keys(EVENT_COLUMNS) as EventTable[])
    book.add(await copyIn(client, table, EVENT_COLUMNS[table], [rows.tables[table].rows()]));
}

function addEvent(rows: EventRows, event: EventFacts, { wallets, items, unknown }: KnownTokens): void {
  const key = keyOf(event.account);
  const isOfItem = event.kind === 'nft_transfer';
  const jetton = isOfItem ? undefined : wallets.get(key);
  const item = isOfItem ? items.get(key) : undefined;
  if (jetton !== undefined) rows.addJetton(event, jetton);
  else if (item !== undefined) rows.addItem(event, item);
  else if (unknown.has(key)) rows.addWaiting(event);
}

const FIND_WAITING = 'select distinct account from waiting_events where account = any($1::bytea[])';

/** Columns of a table of events are filled with those of `waiting_events` of the same name, or with these. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  forward_ton_amount: 'forward_amount',
  owner: 'source',
  old_owner: 'source',
  new_owner: 'destination',
};

/**
 * $1 and $2 are accounts whose events of jettons, and of NFTs, need not wait any more; then come the wallets with their
 * jettons and the NFTs with their places. Rows of seqnos that are no longer kept have no place to go.
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
  const values = columns.map((column) => OTHER_NAMES[column] ?? column);
  return `insert into ${table} (${columns.join(', ')})
  select ${values.join(', ')} from kept join ${tokens} using (account) where kind = '${kind}' returning 1`;
}

/**
 * Makes rows of the events that wait for accounts which turned out to be tokens, and forgets those of accounts which did
 * not; gives how many rows. To be called by whoever takes accounts out of `missing_cells` or puts them into the tables of
 * contracts, after that and before the commit; nothing that others may have locked comes after it. Nothing waits for
 * accounts that were not in `missing_cells`: they may be left out.
 */
export async function settleWaiting(db: InTransaction, accounts: readonly Buffer[]): Promise<number> {
  if (accounts.length === 0) return 0;
  await lockEvents(db);
  const found = await run<{ account: Buffer }>(db, FIND_WAITING, [accounts]);
  if (found.length === 0) return 0;
  const waiting = found.map(({ account }) => account);
  const { wallets, items, unknown } = await findTokens(db, waiting);
  const settled = (tokens: ReadonlyMap<string, unknown>) =>
    waiting.filter((account) => tokens.has(keyOf(account)) || !unknown.has(keyOf(account)));
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

const OF_TRANSACTION = ['account', 'lt', 'mc_seqno', 'now', 'aborted', 'query_id'] as const;

/** Columns of the tables of events, in the order in which rows are written. */
const EVENT_COLUMNS = {
  jetton_transfers: [
    ...OF_TRANSACTION,
    'jetton',
    'amount',
    'source',
    'destination',
    'response_destination',
    'custom_payload',
    'forward_ton_amount',
    'forward_payload',
  ],
  jetton_burns: [...OF_TRANSACTION, 'jetton', 'amount', 'owner', 'response_destination', 'custom_payload'],
  nft_transfers: [
    ...OF_TRANSACTION,
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
    ...OF_TRANSACTION,
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

/** The name of one of them. */
type EventTable = keyof typeof EVENT_COLUMNS;

/** Rows of the tables of events. */
class EventRows {
  readonly tables: Readonly<Record<EventTable, CopyBuffer>> = {
    jetton_transfers: new CopyBuffer(),
    jetton_burns: new CopyBuffer(),
    nft_transfers: new CopyBuffer(),
    waiting_events: new CopyBuffer(),
  };

  /** A transfer or a burn of a jetton. */
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

/** What all but burns have after the one who asked. */
function putForward(row: CopyBuffer, event: EventFacts): void {
  row
    .bytes(event.destination)
    .bytes(event.responseDestination)
    .bytes(event.customPayload)
    .numeric(event.forwardAmount)
    .bytes(event.forwardPayload);
}

/** What is known of accounts that events are of. */
interface KnownTokens {
  /** The jettons that accounts are wallets of. */
  readonly wallets: ReadonlyMap<HashKey, Buffer>;
  readonly items: ReadonlyMap<HashKey, ItemPlace>;
  /** Accounts of which it must still be found out what they are, at least in their newest state. */
  readonly unknown: ReadonlySet<HashKey>;
}

/** An NFT, as far as its transfers say it. */
interface ItemPlace {
  readonly collection: Buffer | undefined;
  readonly index: bigint;
}

/** Each table by its key: a join might be made by reading a table of a hundred million rows. */
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

/** Looks up what accounts are, as this transaction sees it. */
async function findTokens(db: InTransaction, accounts: readonly Buffer[]): Promise<KnownTokens> {
  const wallets = new Map<HashKey, Buffer>();
  const items = new Map<HashKey, ItemPlace>();
  const unknown = new Set<HashKey>();
  for (const { account, role, jetton, collection, index } of await run<TokenRow>(db, FIND_TOKENS, [
    accounts,
  ])) {
    const key = keyOf(account);
    if (role === 'wallet') wallets.set(key, jetton!);
    else if (role === 'item') items.set(key, { collection: collection ?? undefined, index: BigInt(index!) });
    else unknown.add(key);
  }
  return { wallets, items, unknown };
}

/** A connection with a transaction, of pg or of Kysely. */
type InTransaction = ClientBase | Transaction<Tables>;

/** Runs a statement. */
async function run<Row>(db: InTransaction, text: string, values: readonly unknown[]): Promise<Row[]> {
  const { rows } =
    db instanceof Kysely
      ? await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))
      : await db.query(text, [...values]);
  return rows;
}

/**
 * Waits until no other transaction is at work on events, and keeps others out until the end of this one: one that lets an
 * event wait and one that finds out what its account is must not miss each other.
 */
async function lockEvents(db: InTransaction): Promise<void> {
  await run(db, 'select pg_advisory_xact_lock($1)', [EVENT_LOCK]);
}
